import { useQuery } from '@tanstack/react-query';
import { teamsQuery } from '../people/queries.ts';
import { useSession } from '../session/use-session.ts';
import { ownersOf } from './entities.ts';
import { entitiesQuery, type Entity, type Rule } from './queries.ts';

/** The query of what the signed-in person can name in a window: integrations, and policies of the account and of their teams. */
export function useEntities(): ReturnType<typeof entitiesQuery> {
  return entitiesQuery(useSession().teams.map(({ id }) => id));
}

/** The teams whose things rules name, with their names; undefined is the account. */
export function useOwners(
  rules: readonly Pick<Rule, 'entity'>[],
  entities: readonly Entity[],
): readonly ({ readonly id: string; readonly name?: string | undefined } | undefined)[] {
  const { data = [] } = useQuery(teamsQuery);
  return ownersOf(rules, entities).map((id) =>
    id === undefined ? undefined : { id, name: data.find((team) => team.id === id)?.name },
  );
}
