import { mayName, type ResponderType } from '@tocsin/contracts';
import type { Resolution } from './decided.ts';
import type { DecisionRecord, LogEntry } from './history.ts';

/** The key that reads a log, and what is known of the things that decisions name. */
export interface LogReader {
  /** The team of the key; undefined for a key of the account, which reads everything. */
  readonly teamId: string | undefined;
  readonly known: (type: ResponderType, id: string) => Resolution | undefined;
}

type Facts = Readonly<Record<string, unknown>>;

/**
 * The entries that a key may read. Where an alert was handed over to another team, the key of a team reads the name of that team and
 * whom it paged, and nothing of its rules, schedules and policies or of the other people there (K9). What led through a schedule or
 * an escalation that is gone by now counts as another team's.
 */
export function readableLog(entries: readonly LogEntry[], reader: LogReader): readonly LogEntry[] {
  return reader.teamId === undefined ? entries : entries.flatMap((entry) => readable(entry, reader) ?? []);
}

function readable(entry: LogEntry, reader: LogReader): LogEntry | undefined {
  const { decision } = entry;
  if (decision?.subject === 'policies') return withoutOthersPolicies(entry, decision, reader);
  if (decision?.stage !== 'route') return entry;
  const { facts = {}, outcome, subject } = decision;
  const team = otherTeam(facts, reader);
  if (team === undefined) return entry;
  if (subject !== 'page' || outcome !== 'paged') return undefined;
  const { userId, username } = facts;
  const told = { ...decision, facts: { userId, username } };
  return { ...entry, log: `Paged ${String(username)}: ${team}.`, decision: told };
}

/** The things on a way, such as `team:t1/->schedule:s1/0~1>escalation:e1`. */
const THINGS = /(team|schedule|escalation):([^/>~:?#]+)/g;

/** The first other team to whose things a decision leads, in words; undefined where it leads to none. */
function otherTeam(facts: Facts, { known, teamId }: LogReader): string | undefined {
  const way = [
    text(facts['branch']),
    text(facts['branchId']),
    ...(['team', 'schedule', 'escalation'] as const).map((type) => `${type}:${text(facts[`${type}Id`])}`),
  ].join('/');
  for (const [, type, id = ''] of way.matchAll(THINGS)) {
    const found = known(type as ResponderType, id);
    const ownerTeamId = type === 'team' ? id : ownerOf(found);
    if (mayName({ ownerTeamId }, teamId)) continue;
    const team = known('team', ownerTeamId ?? '');
    return ownerTeamId !== '' && team?.kind === 'known' ? `team [${team.name}]` : 'another team';
  }
  return undefined;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The owner of what is not known, and perhaps gone, is a team without id. */
const ownerOf = (found: Resolution | undefined): string | undefined =>
  found?.kind === 'known' ? found.ownerTeamId : '';

/** The account's policies and those of the team, by name; the text of the entry tells of all of them together. */
function withoutOthersPolicies(entry: LogEntry, decision: DecisionRecord, { teamId }: LogReader): LogEntry {
  const { facts = {} } = decision;
  const [applied, skipped] = [listed(facts['applied']), listed(facts['skipped'])];
  const isOwn = ({ teamId: of }: Facts): boolean => of === undefined || of === teamId;
  const isWhole = applied.length === facts['appliedCount'] && skipped.length === facts['skippedCount'];
  if (isWhole && applied.every(isOwn) && skipped.every(isOwn)) return entry;
  const own = { applied: applied.filter(isOwn), skipped: skipped.filter(isOwn) };
  const names = own.applied.map(({ name }) => text(name));
  const log = names.length === 0 ? 'Policies were evaluated.' : `Policies: ${names.join('; ')}.`;
  return { ...entry, log, decision: { ...decision, facts: own } };
}

const listed = (value: unknown): readonly Facts[] => (Array.isArray(value) ? (value as Facts[]) : []);
