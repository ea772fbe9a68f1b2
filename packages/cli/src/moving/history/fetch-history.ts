import { mapConcurrent } from '../../map-concurrent.ts';
import { ApiReadError } from '../answer.ts';
import { type Json, numberIn, objectIn } from '../json.ts';
import { CONCURRENT_REQUESTS, segment } from '../kinds.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';
import { factsOf, type HistoryFile, type HistoryLine } from './history-file.ts';
import { oldestFirst } from './oldest-first.ts';

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
 * Adds to the file the alerts that it lacks, in the order of their creation, and reads those again that were open. After a
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
  let added = 0;
  for await (const fresh of oldestFirst(client, { fromMs: start.fromMs, known: start.ids })) {
    file.append(fresh.map((alert) => ({ alert })));
    added += fresh.length;
    const total = left === undefined ? '' : ` of about ${Math.max(inFile + left - start.ids.size, file.count)}`;
    const [last] = fresh.slice(-1);
    const until =
      last === undefined ? '' : `, created until ${new Date(factsOf(last).atMs).toISOString().slice(0, 10)}`;
    progress(`Reading alerts: ${file.count}${total}${until}`);
  }
  return added;
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
    return { alert: withoutTexts(await client.object(`/v2/alerts/${segment(id)}`)) };
  } catch (error) {
    if (error instanceof ApiReadError && error.fault === 'missing') return { gone: id };
    throw error;
  }
}

const withoutTexts = (alert: Json): Json =>
  Object.fromEntries(Object.entries(alert).filter(([name]) => !TEXTS.has(name)));
