import { mapConcurrent } from '../map-concurrent.ts';
import { ApiReadError } from './answer.ts';
import { type Refused, refusalOf } from './apply/apply.ts';
import { type Json, numberIn, objectIn, textIn } from './json.ts';
import { CONCURRENT_REQUESTS, segment } from './kinds.ts';
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
  /** The integration of Tocsin that has the key; absent while it is not imported. */
  readonly integration: string | undefined;
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
  }));
}

/** A key whose integration in Opsgenie is not found, and why. */
export interface UnknownKey extends Pick<LearnedKey, 'lastAt' | 'operation' | 'requests' | 'sha256'> {
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

/** Both sides, and the ids of Tocsin in place of those of Opsgenie. */
interface Sides {
  readonly opsgenie: OpsgenieClient;
  readonly tocsin: OpsgenieClient;
  readonly adopted: ReadonlyMap<string, string>;
  readonly progress: Progress;
}

/**
 * Imports each key that Tocsin has learned and no integration has yet, into the integration that sent its last alert. A repeat imports what
 * is left.
 *
 * @throws ApiReadError where one of the sides cannot be read, or Tocsin cannot be written at all.
 */
export async function importLearnedKeys({ adopted, opsgenie, progress, tocsin }: Sides): Promise<ImportedKeys> {
  const keys = await learnedKeys(tocsin);
  const due = keys.filter(({ integration }) => integration === undefined);
  const result = { imported: [], unknown: [], refused: [] } as {
    -readonly [K in 'imported' | 'unknown' | 'refused']: ImportedKeys[K][number][];
  };
  progress.begin('keys');
  progress.expect(due.length, due.length);
  await mapConcurrent(CONCURRENT_REQUESTS, due, async (key) => {
    const found = await integrationOf(opsgenie, key);
    if ('why' in found) {
      const { lastAt, operation, requests, sha256 } = key;
      result.unknown.push({ sha256, lastAt, requests, operation, why: found.why });
    } else {
      const id = adopted.get(found.id) ?? found.id;
      try {
        await tocsin.write(`/v2/imports/keys/${segment(id)}`, { method: 'PUT', body: { sha256: key.sha256 } });
        result.imported.push({ sha256: key.sha256, id, name: found.name });
      } catch (error) {
        result.refused.push({ kind: 'keys', id, name: found.name, ...refusalOf(error) });
      }
    }
    progress.done();
  });
  return { present: keys.length - due.length, ...result };
}

type Found = { readonly id: string; readonly name: string } | { readonly why: string };

/** The integration of Opsgenie by which the last request about an alert came. */
async function integrationOf(opsgenie: OpsgenieClient, { operation, requestId }: LearnedKey): Promise<Found> {
  if (requestId === undefined)
    return { why: `it sent no request about an alert, and ${operation} does not say whose key it is` };
  const request = await objectOf(opsgenie, `/v2/alerts/requests/${segment(requestId)}`);
  if (request === undefined) return { why: 'Opsgenie no longer knows its last request' };
  const alertId = textIn(request, 'alertId') ?? '';
  if (alertId === '') return { why: 'its last request made no alert and found none' };
  const alert = await objectOf(opsgenie, `/v2/alerts/${segment(alertId)}`);
  if (alert === undefined) return { why: 'the alert of its last request is deleted' };
  const integration = objectIn(alert, 'integration');
  const id = textIn(integration, 'id');
  return id === undefined
    ? { why: 'the alert of its last request names no integration' }
    : { id, name: textIn(integration, 'name') ?? id };
}

/** Undefined where Opsgenie does not have it. */
async function objectOf(opsgenie: OpsgenieClient, path: string): Promise<Json | undefined> {
  try {
    return await opsgenie.object(path);
  } catch (error) {
    if (error instanceof ApiReadError && error.fault === 'missing') return undefined;
    throw error;
  }
}
