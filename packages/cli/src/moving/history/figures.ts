import { type Json, numberIn, objectIn, objectsIn, textIn } from '../json.ts';
import { factsOf, type HistoryLine } from './history-file.ts';

/** The figures of the alerts of one team that were created in one month of UTC. Times are milliseconds from the creation. */
export interface Figures {
  /** `2026-03`. */
  readonly month: string;
  /** Undefined for alerts without a team. */
  readonly team: string | undefined;
  readonly alerts: number;
  readonly acknowledged: number;
  readonly closed: number;
  readonly timeToAcknowledge: Times | undefined;
  readonly timeToClose: Times | undefined;
}

/** Half of the alerts, and nine of ten, took no longer. */
interface Times {
  readonly median: number;
  readonly p90: number;
}

interface Group {
  alerts: number;
  readonly acknowledged: number[];
  readonly closed: number[];
}

/**
 * The figures by month, then by the name of the team. An alert counts in the team that owns it, else in the first team among its
 * responders. One that was deleted does not count.
 */
export function figuresOf(lines: Iterable<HistoryLine>): readonly Figures[] {
  const teams = new Map<string, string>();
  const groups = new Map<string, Map<string, Group>>();
  const open = new Map<string, Json>();
  const count = (alert: Json): void => {
    const month = monthOf(alert);
    const ofMonth = groups.get(month) ?? new Map<string, Group>();
    groups.set(month, ofMonth);
    const team = teamOf(alert);
    const group = ofMonth.get(team) ?? { alerts: 0, acknowledged: [], closed: [] };
    ofMonth.set(team, group);
    addTo(group, alert);
  };
  for (const line of lines) {
    if ('team' in line) teams.set(textIn(line.team, 'id') ?? '', textIn(line.team, 'name') ?? '');
    else if ('gone' in line) open.delete(line.gone);
    else {
      const { id, isOpen } = factsOf(line.alert);
      open.delete(id);
      // A later line may have it again.
      if (isOpen) open.set(id, line.alert);
      else count(line.alert);
    }
  }
  for (const alert of open.values()) count(alert);
  return [...groups]
    .flatMap(([month, ofMonth]) =>
      [...ofMonth].map(([id, group]) => figuresIn(month, id === '' ? undefined : (teams.get(id) ?? id), group)),
    )
    .toSorted((one, other) => compare(one.month, other.month) || compare(one.team ?? '', other.team ?? ''));
}

const monthOf = (alert: Json): string => new Date(factsOf(alert).atMs).toISOString().slice(0, 7);

function teamOf(alert: Json): string {
  const [team] = objectsIn(alert, 'teams');
  return textIn(alert, 'ownerTeamId') ?? textIn(team, 'id') ?? '';
}

function addTo(group: Group, alert: Json): void {
  const report = objectIn(alert, 'report');
  const [ack, close] = [numberIn(report, 'ackTime'), numberIn(report, 'closeTime')];
  group.alerts += 1;
  if (ack !== undefined) group.acknowledged.push(ack);
  if (close !== undefined) group.closed.push(close);
}

const figuresIn = (month: string, team: string | undefined, { alerts, acknowledged, closed }: Group): Figures => ({
  month,
  team,
  alerts,
  acknowledged: acknowledged.length,
  closed: closed.length,
  timeToAcknowledge: timesOf(acknowledged),
  timeToClose: timesOf(closed),
});

/** By the nearest rank. */
function timesOf(all: readonly number[]): Times | undefined {
  if (all.length === 0) return undefined;
  const sorted = Float64Array.from(all).sort();
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { median: at(0.5), p90: at(0.9) };
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
