import type { Answer } from '../api/answer.ts';
import { call as callServer } from '../api/call.ts';
import { type MemberRole, pathOf, type Team } from './queries.ts';

/** The texts of a team that a person changes; the others stay as they are. */
export type TeamDetails = Readonly<Partial<Record<'name' | 'description', string>>>;

/** A change of a team. */
export type TeamWrite =
  | { readonly kind: 'details'; readonly change: TeamDetails }
  | { readonly kind: 'member'; readonly username: string; readonly role: MemberRole }
  | { readonly kind: 'remove'; readonly username: string }
  | { readonly kind: 'delete' };

/** What another person changed before the write, which was not sent then; nothing where it was sent, or had been done before. */
export interface TeamWriteResult {
  readonly changes: readonly string[];
  /** What the team was when it was read before the write. */
  readonly seen: Team;
}

type Call = <T>(request: Parameters<typeof callServer>[0]) => Promise<T>;

/**
 * Changes a team, unless another person changed the same since `seen`. The team is read right before it is written. A write that is done
 * already is not sent again.
 */
export async function writeTeam(write: TeamWrite, seen: Team, call: Call = callServer): Promise<TeamWriteResult> {
  const path = pathOf(seen.id);
  const { data: now } = await call<Answer<'get-team'>>({ path });
  if (isDone(write, now)) return { changes: [], seen: now };
  const changes = changesBetween(write, seen, now);
  if (changes.length === 0) await call(requestOf(write, path));
  return { changes, seen: now };
}

/** What a person changed of the texts of a team. */
export function changedDetails(seen: Team, typed: Readonly<Record<'name' | 'description', string>>): TeamDetails {
  const [name, description] = [typed.name.trim(), typed.description.trim()];
  return { ...(name !== seen.name && { name }), ...(description !== seen.description && { description }) };
}

const fieldsOf = (change: TeamDetails) =>
  (['name', 'description'] as const).filter((name) => change[name] !== undefined);

const roleIn = ({ members }: Team, username: string): MemberRole | undefined =>
  members.find(({ user }) => user.username === username.trim().toLowerCase())?.role;

function isDone(write: TeamWrite, now: Team): boolean {
  switch (write.kind) {
    case 'details':
      return fieldsOf(write.change).every((field) => write.change[field] === now[field]);
    case 'member':
      return roleIn(now, write.username) === write.role;
    case 'remove':
      return roleIn(now, write.username) === undefined;
    case 'delete':
      return false;
  }
}

/** What changed of that which the write would overwrite, a sentence each. */
function changesBetween(write: TeamWrite, seen: Team, now: Team): readonly string[] {
  if (write.kind === 'details') {
    return fieldsOf(write.change)
      .filter((field) => now[field] !== seen[field])
      .map((field) => `Another person changed the ${field} to “${now[field]}”.`);
  }
  if (write.kind === 'delete') {
    const isSame = seen.name === now.name && usersOf(seen) === usersOf(now);
    return isSame ? [] : [`Another person changed the team: it is ${now.name} with ${now.members.length} members now.`];
  }
  const { username } = write;
  const role = roleIn(now, username);
  if (role === roleIn(seen, username)) return [];
  return [
    role === undefined
      ? `Another person removed ${username} from the team.`
      : `Another person made ${username} a member with the role ${role}.`,
  ];
}

const usersOf = ({ members }: Team): string => members.map(({ user }) => user.id).join();

function requestOf(write: TeamWrite, path: string): Parameters<Call>[0] {
  switch (write.kind) {
    case 'details':
      return { method: 'PATCH', path, body: write.change };
    case 'member': {
      const { role, username } = write;
      return { method: 'POST', path: `${path}/members`, body: { user: { username }, role } };
    }
    case 'remove':
      return { method: 'DELETE', path: `${path}/members/${encodeURIComponent(write.username)}` };
    case 'delete':
      return { method: 'DELETE', path };
  }
}
