import { editRole } from './team-role.ts';
import type { Member, Team, TeamRole } from './team.ts';

/** One line of a team's history (part 2, 2.2). */
export interface TeamLogEntry {
  /** The actor: the name of the key, or the user name. */
  readonly owner: string;
  readonly at: Date;
  readonly log: string;
}

/** The name of the key or of the user that changes a team, and when. */
export interface TeamActor {
  readonly owner: string;
  readonly at: Date;
}

/** One line for each sentence, in their order. */
export const entriesOf = ({ owner, at }: TeamActor, sentences: readonly string[]): readonly TeamLogEntry[] =>
  sentences.map((log) => ({ owner, at, log }));

/** The text of a history line for each kind of change. */
export const logText = {
  teamCreated: (name: string) => `Team [${name}] is created.`,
  teamRenamed: (from: string, to: string) => `Team [${from}] is renamed to [${to}].`,
  descriptionChanged: (to: string) => `Description is changed to [${to}].`,
  memberAdded: (username: string, role: string) => `User [${username}] is added as ${role}.`,
  memberRoleChanged: (username: string, to: string) => `Role of user [${username}] is changed to ${to}.`,
  /** `rotations` are those in which they stay. */
  memberRemoved: (username: string, rotations: readonly string[]) =>
    `User [${username}] is removed.${rotations.length === 0 ? '' : ` They stay in ${rotations.join(', ')}.`}`,
  roleCreated: (name: string) => `Role [${name}] is created.`,
  roleRenamed: (from: string, to: string) => `Role [${from}] is renamed to [${to}].`,
  roleRightsChanged: (name: string) => `Rights of role [${name}] are changed.`,
  roleDeleted: (name: string) => `Role [${name}] is deleted.`,
  routingRuleCreated: (name: string) => `Routing rule [${name}] is created.`,
  routingRuleChanged: (name: string) => `Routing rule [${name}] is changed.`,
  /** Places count from 0. */
  routingRuleMoved: (name: string, from: number, to: number) =>
    `Routing rule [${name}] is moved from place ${from} to ${to}.`,
  routingRuleDeleted: (name: string) => `Routing rule [${name}] is deleted.`,
} as const;

/** The first line of a team's history, in the name of the key that requested the team last. */
export const creationEntry = ({ name, createdBy, createdAt }: Team): TeamLogEntry => ({
  owner: createdBy,
  at: createdAt,
  log: logText.teamCreated(name),
});

/** The names in the history of a team. */
export interface MemberNames {
  readonly usernameOf: (userId: string) => string;
  /** The rotations of the team in which a user takes turns. */
  readonly rotationsOf: (userId: string) => readonly string[];
}

/** One sentence for each difference in name, description and members: nothing where there is none. */
export function differences(before: Team, after: Team, names: MemberNames): readonly string[] {
  return [
    ...(before.name === after.name ? [] : [logText.teamRenamed(before.name, after.name)]),
    ...(before.description === after.description ? [] : [logText.descriptionChanged(after.description)]),
    ...memberDifferences(before.members, after.members, names),
  ];
}

function memberDifferences(
  before: readonly Member[],
  after: readonly Member[],
  { usernameOf, rotationsOf }: MemberNames,
): readonly string[] {
  const roleBefore = new Map(before.map(({ userId, role }) => [userId, role]));
  const kept = new Set(after.map(({ userId }) => userId));
  const came = after.flatMap(({ userId, role }) => {
    const present = roleBefore.get(userId);
    if (present === undefined) return [logText.memberAdded(usernameOf(userId), role)];
    return present === role ? [] : [logText.memberRoleChanged(usernameOf(userId), role)];
  });
  const left = before
    .filter(({ userId }) => !kept.has(userId))
    .map(({ userId }) => logText.memberRemoved(usernameOf(userId), rotationsOf(userId)));
  return [...came, ...left];
}

/** One sentence for each difference of a role that was edited. */
export const roleChanges = (role: TeamRole, next: TeamRole): readonly string[] => [
  ...(next.name === role.name ? [] : [logText.roleRenamed(role.name, next.name)]),
  ...(next.rights === role.rights ? [] : [logText.roleRightsChanged(next.name)]),
];

/** One sentence for each role that came, left, or has another name or other rights. */
export function roleDifferences(before: readonly TeamRole[], after: readonly TeamRole[]): readonly string[] {
  const changed = after.flatMap((role) => {
    const present = before.find(({ id }) => id === role.id);
    if (present === undefined) return [logText.roleCreated(role.name)];
    return roleChanges(present, editRole(present, role));
  });
  const left = before.filter(({ id }) => after.every((role) => role.id !== id));
  return [...changed, ...left.map(({ name }) => logText.roleDeleted(name))];
}

/** The place of a line in its team's history: the version that came of the change, then the place among its lines. */
export interface TeamLogPosition {
  readonly n: number;
  readonly line: number;
}

const WRITTEN = /^(\d{1,15})-(\d{1,9})$/;

/** The cursor of a line, as callers hand it back. */
export const formatLogPosition = ({ n, line }: TeamLogPosition): string => `${n}-${line}`;

/** The position that a cursor names; undefined where it is no cursor. */
export function parseLogPosition(cursor: string): TeamLogPosition | undefined {
  const [, n, line] = WRITTEN.exec(cursor) ?? [];
  return n === undefined || line === undefined ? undefined : { n: Number(n), line: Number(line) };
}
