import { mapConcurrent } from '../map-concurrent.ts';
import { type Refused, refusalOf } from './apply/apply.ts';
import { numberIn, objectIn, textIn } from './json.ts';
import { CONCURRENT_REQUESTS, segment, unlessDeleted } from './kinds.ts';
import type { OpsgenieClient } from './opsgenie-client.ts';
import type { Progress } from './progress.ts';

/** Where Tocsin lists the keys with which tools send to Opsgenie through it (M9). */
const LEARNED_PATH = '/v2/account/opsgenie-keys';

/** A key that Tocsin has learned. The key itself is not known. */
export interface LearnedKey {
  readonly sha256: string;
  readonly lastAt: string;
  readonly requests: number;
  /** Of the last request. */
  readonly operation: string;
  readonly requestId: string | undefined;
  /** The name and the id of the integration of Tocsin that has the key; absent while it is not imported. */
  readonly integration: string | undefined;
  readonly integrationId: string | undefined;
}

/** Reads the keys. @throws ApiReadError where Tocsin cannot be read. */
export async function learnedKeys(tocsin: OpsgenieClient): Promise<readonly LearnedKey[]> {
  return (await tocsin.pages(LEARNED_PATH)).map((item) => ({
    sha256: textIn(item, 'sha256') ?? '',
    lastAt: textIn(item, 'lastAt') ?? '',
    requests: numberIn(item, 'requests') ?? 0,
    operation: textIn(item, 'operation') ?? '',
    requestId: textIn(item, 'requestId'),
    integration: textIn(objectIn(item, 'integration'), 'name'),
    integrationId: textIn(objectIn(item, 'integration'), 'id'),
  }));
}

/** A key whose integration in Opsgenie is not found, and why. */
interface UnknownKey extends Pick<LearnedKey, 'lastAt' | 'operation' | 'requests' | 'sha256'> {
  readonly why: string;
}

/** What became of the keys that Tocsin has learned. */
export interface ImportedKeys {
  /** Keys that an integration of Tocsin had already. */
  readonly present: number;
  readonly imported: readonly { readonly sha256: string; readonly id: string; readonly name: string }[];
  readonly unknown: readonly UnknownKey[];
  readonly refused: readonly Refused[];
}

interface ImportPorts {
  readonly opsgenie: OpsgenieClient;
  readonly tocsin: OpsgenieClient;
  /** Gives the id in Tocsin of a thing of the account. */
  readonly idOf: (id: string) => string;
  readonly progress: Progress;
}

/**
 * Imports each key that Tocsin has learned and no integration has yet, into the integration that has it in Opsgenie; of several of one
 * integration the one that was used last. A repeat imports what is left.
 *
 * @throws ApiReadError where one of the sides cannot be read, or Tocsin cannot be written at all.
 */
export async function importLearnedKeys({ idOf, opsgenie, progress, tocsin }: ImportPorts): Promise<ImportedKeys> {
  const keys = await learnedKeys(tocsin);
  const due = keys.filter(({ integration }) => integration === undefined);
  const result = { imported: [], unknown: [], refused: [] } as {
    -readonly [K in 'imported' | 'unknown' | 'refused']: ImportedKeys[K][number][];
  };
  progress.begin('keys');
  progress.expect(due.length, due.length);
  const integrations = due.length === 0 ? [] : await opsgenie.list('/v2/integrations');
  const names = new Map(integrations.map((item) => [textIn(item, 'id'), textIn(item, 'name')]));
  const found = await mapConcurrent(CONCURRENT_REQUESTS, due, async (key): Promise<FoundKey> => {
    const integration = await integrationOf(opsgenie, key);
    return { key, ...('id' in integration ? { ...integration, ours: idOf(integration.id) } : integration) };
  });
  await mapConcurrent(CONCURRENT_REQUESTS, withOneKeyEach(found, keys), async ({ key, ...integration }) => {
    if ('why' in integration) {
      const { lastAt, operation, requests, sha256 } = key;
      result.unknown.push({ sha256, lastAt, requests, operation, why: integration.why });
    } else {
      const [id, name] = [integration.ours, names.get(integration.id) ?? integration.id];
      try {
        await tocsin.write(`/v2/imports/keys/${segment(id)}`, { method: 'PUT', body: { sha256: key.sha256 } });
        result.imported.push({ sha256: key.sha256, id, name });
      } catch (error) {
        result.refused.push({ kind: 'keys', id, name, ...refusalOf(error) });
      }
    }
    progress.done();
  });
  return { present: keys.length - due.length, ...result };
}

type FoundIntegration = { readonly id: string } | { readonly why: string };
/** A key, and the integration that has it in Opsgenie with its id in Tocsin, or why that is not found. */
type FoundKey = { readonly key: LearnedKey } & (
  { readonly id: string; readonly ours: string } | { readonly why: string }
);

/**
 * An integration has one key. Where it was made anew in Opsgenie, several are found: that is the key which was used last, of `keys` that were
 * imported before too.
 */
function withOneKeyEach(found: readonly FoundKey[], keys: readonly LearnedKey[]): readonly FoundKey[] {
  const last = new Map<string, LearnedKey>();
  const count = (id: string | undefined, key: LearnedKey): void => {
    const other = id === undefined ? undefined : last.get(id);
    if (id !== undefined && (other === undefined || Date.parse(other.lastAt) < Date.parse(key.lastAt)))
      last.set(id, key);
  };
  for (const key of keys) count(key.integrationId, key);
  for (const each of found) count('id' in each ? each.ours : undefined, each.key);
  return found.map((each) =>
    'id' in each && last.get(each.ours) !== each.key
      ? { key: each.key, why: 'another key of its integration was used later' }
      : each,
  );
}

/** The integration of Opsgenie that has the key, by the status of its last request about an alert. */
async function integrationOf(
  opsgenie: OpsgenieClient,
  { operation, requestId }: LearnedKey,
): Promise<FoundIntegration> {
  if (requestId === undefined)
    return { why: `it sent no request about an alert, and ${operation} does not say whose key it is` };
  const request = await unlessDeleted(() => opsgenie.object(`/v2/alerts/requests/${segment(requestId)}`));
  if (request === undefined) return { why: 'Opsgenie no longer knows its last request' };
  const id = textIn(request, 'integrationId');
  return id === undefined ? { why: 'the status of its last request names no integration' } : { id };
}
