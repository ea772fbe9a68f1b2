import { mapConcurrent } from '../../map-concurrent.ts';
import { ApiReadError } from '../answer.ts';
import { type Json, numberIn, objectIn } from '../json.ts';
import { CONCURRENT_REQUESTS } from '../kinds.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';
import { factsOf, type HistoryFile, type HistoryLine } from './history-file.ts';

const PAGE_SIZE = 100;
/** The API lists no further than this item of a list. */
const MAX_LISTED = 20_000;
/** What a single alert shows and a list does not: texts that no figure needs. */
const TEXTS: ReadonlySet<string> = new Set(['actions', 'entity', 'description', 'details']);
/** Alerts that are written together. */
const BATCH = 100;

/** What a run did. */
export interface HistoryFetched {
  /** Alerts that the file did not have. */
  readonly added: number;
  /** Alerts that were open when an earlier run read them, and were read again. */
  readonly again: number;
  /** Those of them that are deleted. */
  readonly gone: number;
  /** Alerts in the file. */
  readonly count: number;
  /** Those of them that are open. */
  readonly open: number;
}

/**
 * Adds to the file the alerts that it lacks, in the order of their creation, and reads those again that were open. Each page begins with
 * the last alert of the page before, so that no deletion moves an alert out of sight and the limit of 20 000 items is not reached. After a
 * break the next call goes on.
 *
 * @throws ApiReadError or CliError where the account cannot be read or the file not be written. What was read stays.
 */
export async function fetchHistory(
  client: OpsgenieClient,
  file: HistoryFile,
  progress: (text: string) => void,
): Promise<HistoryFetched> {
  file.append((await client.list('/v2/teams')).map(({ id, name }) => ({ team: { id, name } })));
  const before = file.openIds;
  const added = await addNew(client, file, progress);
  const gone = await readAgain(client, file, before, progress);
  return { added, again: before.length, gone, count: file.count, open: file.openIds.length };
}

async function addNew(client: OpsgenieClient, file: HistoryFile, progress: (text: string) => void): Promise<number> {
  const [start, inFile] = [file.place, file.count];
  const left = await countFrom(client, start.fromMs);
  let { fromMs } = start;
  let known = new Set(start.ids);
  let added = 0;
  for (let offset = 0; ;) {
    const page = await client.list('/v2/alerts', {
      ...{ query: `createdAt >= ${fromMs}`, sort: 'createdAt', order: 'asc', limit: PAGE_SIZE },
      ...(offset > 0 && { offset }),
    });
    const fresh = page.filter((alert) => !known.has(factsOf(alert).id));
    file.append(fresh.map((alert) => ({ alert })));
    added += fresh.length;
    const total = left === undefined ? '' : ` of about ${Math.max(inFile + left - start.ids.size, file.count)}`;
    progress(`Reading alerts: ${file.count}${total}, created until ${new Date(fromMs).toISOString().slice(0, 10)}`);
    if (page.length < PAGE_SIZE) return added;
    const lastMs = Math.max(...page.map((alert) => factsOf(alert).atMs));
    if (lastMs > fromMs) {
      known = new Set([...start.ids, ...page.map((alert) => factsOf(alert).id)]);
      [fromMs, offset] = [lastMs, 0];
    } else {
      for (const alert of page) known.add(factsOf(alert).id);
      offset += PAGE_SIZE;
    }
    if (offset + PAGE_SIZE > MAX_LISTED)
      throw new ApiReadError('answer', `More than ${MAX_LISTED} alerts were created at ${fromMs}.`);
  }
}

/** How many alerts were created since; undefined where the account does not say. */
async function countFrom(client: OpsgenieClient, fromMs: number): Promise<number | undefined> {
  try {
    const answer = await client.get('/v2/alerts/count', { query: `createdAt >= ${fromMs}` });
    return numberIn(objectIn(answer, 'data'), 'count');
  } catch (error) {
    if (error instanceof ApiReadError && error.fault === 'missing') return undefined;
    throw error;
  }
}

/** Reads alerts again; resolves with how many are deleted. */
async function readAgain(
  client: OpsgenieClient,
  file: HistoryFile,
  ids: readonly string[],
  progress: (text: string) => void,
): Promise<number> {
  let gone = 0;
  for (let at = 0; at < ids.length; at += BATCH) {
    progress(`Reading alerts again that were open: ${at} of ${ids.length}`);
    const batch = ids.slice(at, at + BATCH);
    const lines = await mapConcurrent(CONCURRENT_REQUESTS, batch, (id) => lineOf(client, id));
    gone += lines.filter((line) => 'gone' in line).length;
    file.append(lines);
  }
  return gone;
}

async function lineOf(client: OpsgenieClient, id: string): Promise<HistoryLine> {
  try {
    return { alert: withoutTexts(await client.object(`/v2/alerts/${encodeURIComponent(id)}`)) };
  } catch (error) {
    if (error instanceof ApiReadError && error.fault === 'missing') return { gone: id };
    throw error;
  }
}

const withoutTexts = (alert: Json): Json =>
  Object.fromEntries(Object.entries(alert).filter(([name]) => !TEXTS.has(name)));
