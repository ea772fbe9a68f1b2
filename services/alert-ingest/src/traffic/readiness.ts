import { integrationKind, type ServiceFinding } from '@tocsin/api';
import { formatInstant } from '@tocsin/events';
import type { Integration } from '../integrations/integration.ts';
import type { LastTraffic } from './traffic.ts';

const DAY_MS = 86_400_000;
const UNUSED_DAYS = 90;
/** A refusal that is older is taken to be known. */
const REFUSED_DAYS = 14;

/** Integrations that send: that no alert comes in by their key is no fault. */
const SENDING_KINDS: ReadonlySet<string> = new Set(['webhook', 'chat']);

/** The part of an integration that findings are about. */
export type UsedIntegration = Pick<Integration, 'id' | 'createdAt' | 'name' | 'enabled' | 'type' | 'ownerTeam'>;

/** What the traffic of an integration says will go wrong when its tool has an alert (S17); undefined: nothing. */
export function trafficFinding(
  integration: UsedIntegration,
  traffic: LastTraffic | undefined,
  now: Date,
): ServiceFinding | undefined {
  const { enabled, id, name, ownerTeam, type } = integration;
  if (!enabled || SENDING_KINDS.has(integrationKind(type))) return undefined;
  const about = {
    teamIds: ownerTeam === undefined ? [] : [ownerTeam.id],
    entity: { type: 'integration', id, name },
    path: `/v2/integrations/${id}`,
  } as const;
  const refusal = lastingRefusal(traffic, now);
  if (refusal !== undefined) {
    return {
      ...about,
      kind: 'integration-refused',
      severity: 'error',
      message: `The last alert with the key of integration [${name}] was refused with status ${refusal.status} at ${formatInstant(refusal.at)}, and none was accepted since: its alerts page no user.`,
      remedy:
        'Send an alert with the key, read the answer, and mend what the tool sends or what the integration allows.',
    };
  }
  const unused = unusedSince(integration, traffic, now);
  if (unused === undefined) return undefined;
  return {
    ...about,
    kind: 'integration-unused',
    severity: 'warning',
    message: `Integration [${name}] ${unused}: where its tool has had alerts, these did not reach Tocsin and paged no user.`,
    remedy: 'Send an alert with it from its tool, or disable or delete it.',
  };
}

/** The refusal of the last alert; undefined where one was accepted since, it is long ago, or the sender was only asked to wait. */
function lastingRefusal(traffic: LastTraffic | undefined, now: Date): LastTraffic['lastRefusal'] {
  const { lastAlertAt, lastRefusal } = traffic ?? {};
  if (lastRefusal?.operation !== 'create-alert') return undefined;
  const { at, status } = lastRefusal;
  if (status === 429 || status >= 500 || now.getTime() - at.getTime() > REFUSED_DAYS * DAY_MS) return undefined;
  return lastAlertAt !== undefined && lastAlertAt > at ? undefined : lastRefusal;
}

/** Since when it is not used, in words; undefined where it was used, or is too new to say. */
function unusedSince(
  { createdAt }: Pick<UsedIntegration, 'createdAt'>,
  traffic: LastTraffic | undefined,
  now: Date,
): string | undefined {
  const last = traffic?.lastRequestAt;
  if (now.getTime() - (last ?? createdAt).getTime() < UNUSED_DAYS * DAY_MS) return undefined;
  return last === undefined
    ? `was never used since it was created at ${formatInstant(createdAt)}`
    : `was last used at ${formatInstant(last)}`;
}
