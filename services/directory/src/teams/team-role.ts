import type { Reference } from '../references/reference.ts';
import type { Team, TeamRole } from './team.ts';

export const findRole = ({ roles }: Team, reference: Reference): TeamRole | undefined =>
  roles.find((role) => ('id' in reference ? role.id === reference.id : role.name === reference.name));

/** The changed fields of a role; absent fields stay. */
export type TeamRoleEdit = { readonly [K in 'name' | 'rights']?: TeamRole[K] | undefined };

/** The edited role; the same object where nothing differs. */
export function editRole(role: TeamRole, { name = role.name, rights = role.rights }: TeamRoleEdit): TeamRole {
  const keepsRights = sameRights(rights, role.rights);
  if (name === role.name && keepsRights) return role;
  return { ...role, name, rights: keepsRights ? role.rights : rights };
}

function sameRights(some: TeamRole['rights'], others: TeamRole['rights']): boolean {
  return (
    some.length === others.length &&
    some.every(({ right, granted }, place) => right === others[place]?.right && granted === others[place].granted)
  );
}

/** The team with `next` in place of the role of that id; the very same team where the role is. */
export function withRole(team: Team, next: TeamRole): Team {
  if (team.roles.includes(next)) return team;
  return { ...team, roles: team.roles.map((role) => (role.id === next.id ? next : role)) };
}
