import { mayName, type ResponderType } from '@tocsin/events';
import type { Resolution } from '../alerts/decided.ts';
import type { DecisionRecord, LogEntry } from './entry.ts';

/** The key that reads a log, and the look-up of the entities that decisions name. */
export interface LogReader {
  /** The team of the key; undefined for a key of the account, which reads everything. */
  readonly teamId: string | undefined;
  readonly known: (type: ResponderType, id: string) => Resolution | undefined;
}

type Facts = Readonly<Record<string, unknown>>;

/**
 * The entries that a key may read. After a handover to another team, the key of a team reads the name of that team and the users
 * that it paged, but not its rules, schedules, policies and other users (K9). A deleted schedule or escalation counts as another
 * team's.
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
  const visible = { ...decision, facts: { userId, username } };
  return { ...entry, log: `Paged ${String(username)}: ${team}.`, decision: visible };
}

/** The entities in the path of a decision, such as `team:t1/->schedule:s1/0~1>escalation:e1`. */
const ENTITIES = /(team|schedule|escalation):([^/>~:?#]+)/g;

/** The first other team that owns an entity of the decision, in words; undefined if none does. */
function otherTeam(facts: Facts, { known, teamId }: LogReader): string | undefined {
  const path = [
    text(facts['branch']),
    ...(['team', 'schedule', 'escalation'] as const).map((type) => `${type}:${text(facts[`${type}Id`])}`),
  ].join('/');
  for (const [, type, id = ''] of path.matchAll(ENTITIES)) {
    const found = known(type as ResponderType, id);
    const ownerTeamId = type === 'team' ? id : ownerOf(found);
    if (mayName({ ownerTeamId }, teamId)) continue;
    const team = known('team', ownerTeamId ?? '');
    return ownerTeamId !== '' && team?.kind === 'known' ? `team [${team.name}]` : 'another team';
  }
  return undefined;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The owner team; an empty id for an unknown, perhaps deleted entity. */
const ownerOf = (found: Resolution | undefined): string | undefined =>
  found?.kind === 'known' ? found.ownerTeamId : '';

/** Reduces the entry to the policies of the account and of the team, because its text names the policies of all teams. */
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
