import { mapConcurrent } from '../../map-concurrent.ts';
import { factsOf } from '../history/history-file.ts';
import { oldestFirst } from '../history/oldest-first.ts';
import { type Json, textIn } from '../json.ts';
import { CONCURRENT_REQUESTS, unlessDeleted } from '../kinds.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';
import { changedAtMs } from './changed.ts';
import type { ComparedAlert } from './compared-file.ts';
import { comparedUsers, type ComparedUser, endedMs, type Reached, reachedIn } from './reached.ts';
import { queryOf } from './tocsin-alerts.ts';
import { aliasOf } from './writes.ts';

/** So long after its close an alert is expected to change no more on either side, besides the tolerance. */
const SETTLED_MS = 600_000;
/** The lines of a log that are kept where a user differs. */
export const MAX_LOG_LINES = 50;

export interface ComparePorts {
  readonly opsgenie: OpsgenieClient;
  readonly tocsin: OpsgenieClient;
  /** The alerts that were compared before, and can change no more. */
  readonly kept: { has(id: string): boolean; append(alert: ComparedAlert): void };
  readonly now: () => Date;
  readonly progress: (text: string) => void;
}

const DIFFERENT: ReadonlySet<ComparedUser['result']> = new Set(['early', 'late', 'missing', 'extra']);

/** In what an alert differs, or why it could not be compared; empty where it is the same. */
export const differencesIn = ({ notComparable, users }: ComparedAlert): readonly string[] => [
  ...(notComparable === undefined ? [] : [`not comparable: ${notComparable}`]),
  ...users.filter(({ result }) => DIFFERENT.has(result)).map(({ result, user }) => `${user}: ${result}`),
];

/** Whether the alert reached other users, or at other times. */
export const differs = ({ users }: ComparedAlert): boolean => users.some(({ result }) => DIFFERENT.has(result));

const NOT_COMPARED: ReadonlySet<ComparedUser['result']> = new Set(['not comparable', 'not yet']);

/** Whether a user of the alert was compared. */
export const isCompared = ({ notComparable, users }: ComparedAlert): boolean =>
  notComparable === undefined && users.some(({ result }) => !NOT_COMPARED.has(result));

/** Whether the alert reached no user on either side. Nothing of it was compared, so it is not the same on both. */
export const reachedNone = ({ notComparable, users }: ComparedAlert): boolean =>
  notComparable === undefined && users.length === 0;

/**
 * Compares which users each alert reached on both sides that was created since: all of them by their ids, but those that are kept. An
 * alert that can change no more is kept.
 *
 * @returns the compared alerts that are not kept.
 * @throws ApiReadError or CliError where a side cannot be read.
 */
export async function compareAlerts(
  ports: ComparePorts,
  { since, toleranceMs }: { readonly since: Date; readonly toleranceMs: number },
): Promise<readonly ComparedAlert[]> {
  const changing: ComparedAlert[] = [];
  let seen = 0;
  for await (const page of oldestFirst(ports.opsgenie, { fromMs: since.getTime() })) {
    const left = page.filter((alert) => !ports.kept.has(factsOf(alert).id));
    const compared = await mapConcurrent(CONCURRENT_REQUESTS, left, (alert) => compareOne(ports, alert, toleranceMs));
    for (const { alert, isFinal } of compared) {
      if (isFinal) ports.kept.append(alert);
      else changing.push(alert);
    }
    seen += page.length;
    ports.progress(`Comparing alerts: ${seen}`);
  }
  return changing;
}

/** A compared alert, and whether it can change no more. */
interface Outcome {
  readonly alert: ComparedAlert;
  readonly isFinal: boolean;
}

async function compareOne(ports: ComparePorts, alert: Json, toleranceMs: number): Promise<Outcome> {
  const { now, opsgenie, tocsin } = ports;
  const about = {
    ...{ id: aliasOf(alert), message: textIn(alert, 'message') ?? '', createdAt: textIn(alert, 'createdAt') ?? '' },
    teamId: textIn(alert, 'ownerTeamId'),
  };
  const read = await readBoth(ports, about.id);
  if (typeof read === 'string') return { alert: { ...about, users: [], notComparable: read }, isFinal: false };
  const { ours, ourAlert, theirs } = read;
  const tocsinId = textIn(ourAlert, 'id') ?? '';
  const nowMs = now().getTime();
  const users = comparedUsers({
    ...{ theirs, ours, endedMs: endedMs(alert) },
    ...{ toleranceMs, untilMs: nowMs - toleranceMs },
  });
  const compared: ComparedAlert = { ...about, tocsinId, users };
  const isClosed = [alert, ourAlert].every((side) => textIn(side, 'status') === 'closed');
  const isSettled = changedAtMs(alert) < nowMs - SETTLED_MS - toleranceMs;
  const isFinal = isClosed && isSettled && users.every(({ result }) => result !== 'not yet');
  if (!differs(compared)) return { alert: compared, isFinal };
  const logs = { theirs: await logOf(opsgenie, about.id), ours: await logOf(tocsin, tocsinId) };
  return { alert: { ...compared, logs }, isFinal };
}

/** The users whom an alert reached on both sides. */
interface BothSides {
  readonly theirs: readonly Reached[];
  readonly ours: readonly Reached[];
  /** The alert in Tocsin. */
  readonly ourAlert: Json;
}

/** Reads both sides of an alert; a sentence where one of them is not known. */
async function readBoth({ opsgenie, tocsin }: ComparePorts, id: string): Promise<BothSides | string> {
  const [ourAlert, ...others] = await tocsin.list('/v2/alerts', queryOf(id));
  if (others.length > 0) return 'Tocsin has more than one such alert.';
  if (ourAlert === undefined) return 'Tocsin has no such alert.';
  const found = await recipientsOf(tocsin, textIn(ourAlert, 'id') ?? '');
  if (found === undefined) return 'Tocsin has no such alert.';
  const wanted = await recipientsOf(opsgenie, id);
  if (wanted === undefined) return 'Opsgenie has deleted the alert.';
  const [theirs, ours] = [reachedIn(wanted), reachedIn(found)];
  if (theirs === undefined || ours === undefined) return 'A recipient of the alert has no user or no time.';
  return { theirs, ours, ourAlert };
}

/** Whom an alert reached; undefined where there is no such alert. */
export const recipientsOf = (client: OpsgenieClient, id: string): Promise<readonly Json[] | undefined> =>
  unlessDeleted(() => client.list(`/v2/alerts/${encodeURIComponent(id)}/recipients`));

/** The first lines of the log, each with its time. */
export async function logOf(client: OpsgenieClient, id: string): Promise<readonly string[]> {
  const asked = { order: 'asc', limit: MAX_LOG_LINES };
  const lines = await client.list(`/v2/alerts/${encodeURIComponent(id)}/logs`, asked);
  return lines.map((line) => `${textIn(line, 'createdAt') ?? ''} ${textIn(line, 'log') ?? ''}`);
}
