import { oldestFirst } from './history/oldest-first.ts';
import { factsOf } from './history/history-file.ts';
import { type Json, objectIn, textIn } from './json.ts';
import { type LearnedKey, learnedKeys } from './learned-keys.ts';
import type { OpsgenieClient } from './opsgenie-client.ts';

/** A sender that still uses the account. */
interface StillSends {
  /** The integration by which it sends; undefined where the alerts name none. */
  readonly integration: string | undefined;
  readonly alerts: number;
  readonly lastAt: string;
}

/** What of an account is left to be switched off after a move. */
export interface Left {
  readonly since: string;
  /** Integrations by which alerts were created since, the busiest first. */
  readonly senders: readonly StillSends[];
  /** Keys, not imported, with which tools have sent since through Tocsin, which forwards to the account. */
  readonly forwarded: readonly Pick<LearnedKey, 'lastAt' | 'operation' | 'requests' | 'sha256'>[];
  /** Integrations that are enabled, and have keys that work. */
  readonly integrations: readonly string[];
  /** Heartbeats that are enabled and would expire once their pings go elsewhere. */
  readonly heartbeats: readonly string[];
  /** Users who are on call in schedules that are enabled, now. */
  readonly onCall: readonly { readonly schedule: string; readonly users: readonly string[] }[];
}

/** Reads what is left of an account since the switch. @throws ApiReadError where it, or Tocsin, cannot be read. */
export async function leftOf(client: OpsgenieClient, tocsin: OpsgenieClient, since: Date): Promise<Left> {
  const [integrations, heartbeats] = [await client.list('/v2/integrations'), await client.list('/v2/heartbeats')];
  const enabled = (item: Json): boolean => item['enabled'] === true;
  return {
    since: since.toISOString(),
    senders: await sendersOf(client, since),
    forwarded: (await learnedKeys(tocsin))
      .filter(({ integration, lastAt }) => integration === undefined && Date.parse(lastAt) >= since.getTime())
      .map(({ lastAt, operation, requests, sha256 }) => ({ sha256, lastAt, requests, operation })),
    integrations: integrations.filter(enabled).map(nameOf),
    heartbeats: heartbeats.filter(enabled).map(nameOf),
    onCall: (await client.list('/v2/schedules/on-calls', { flat: 'true' }))
      .map((onCall) => ({ schedule: nameOf(objectIn(onCall, '_parent') ?? {}), users: usersIn(onCall) }))
      .filter(({ users }) => users.length > 0),
  };
}

/** The integrations by which alerts were created since, the busiest first. */
export async function sendersOf(client: OpsgenieClient, since: Date): Promise<readonly StillSends[]> {
  const senders = new Map<string | undefined, StillSends>();
  for await (const alerts of oldestFirst(client, { fromMs: since.getTime() }))
    for (const alert of alerts) {
      const integration = textIn(objectIn(alert, 'integration'), 'name');
      const lastAt = new Date(factsOf(alert).atMs).toISOString();
      senders.set(integration, { integration, alerts: (senders.get(integration)?.alerts ?? 0) + 1, lastAt });
    }
  return [...senders.values()].toSorted((one, other) => other.alerts - one.alerts);
}

const nameOf = (item: Json): string => textIn(item, 'name') ?? textIn(item, 'id') ?? '';

function usersIn(onCall: Json): readonly string[] {
  const users: unknown = onCall['onCallRecipients'];
  return Array.isArray(users) ? users.filter((name): name is string => typeof name === 'string') : [];
}
