import type { ListedTeam, MemberRole } from './queries.ts';

type Listed = Pick<ListedTeam, 'id' | 'name' | 'description'>;

interface OwnTeam {
  readonly id: string;
  readonly role: MemberRole;
}

/** The teams whose name or description has the text, by name; first those of the person, with their role in them. */
export function foundTeams<T extends Listed>(
  teams: readonly T[],
  text: string,
  own: readonly OwnTeam[],
): readonly (T & { readonly own: MemberRole | undefined })[] {
  const searched = text.trim().toLowerCase();
  const roles = new Map(own.map(({ id, role }) => [id, role]));
  return teams
    .filter(({ description, name }) => `${name} ${description}`.toLowerCase().includes(searched))
    .map((team) => ({ ...team, own: roles.get(team.id) }))
    .toSorted(
      (one, other) =>
        Number(other.own !== undefined) - Number(one.own !== undefined) || one.name.localeCompare(other.name),
    );
}
