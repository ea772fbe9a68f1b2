import type { Entity, Rule } from './queries.ts';

export const keyOf = ({ id, type }: Pick<Entity, 'type' | 'id'>): string => `${type} ${id}`;

/** Such as `Integration: Prometheus`. */
export const entityText = ({ name, type }: Pick<Entity, 'type' | 'name'>): string =>
  `${type === 'integration' ? 'Integration' : 'Policy'}: ${name}`;

/** What a rule does, such as `Integration: Prometheus is disabled`. */
export function ruleText({ entity, state }: Rule, entities: readonly Entity[]): string {
  const known = entities.find(({ id, type }) => id === entity.id && type === entity.type);
  return `${entityText({ type: entity.type, name: known?.name ?? entity.id })} is ${state}`;
}

/** The teams of the things that rules name, each once, as far as the page knows them; the account is undefined. */
export function ownersOf(
  rules: readonly Pick<Rule, 'entity'>[],
  entities: readonly Entity[],
): readonly (string | undefined)[] {
  const keys = new Set(rules.map(({ entity }) => keyOf(entity)));
  return [...new Set(entities.filter((each) => keys.has(keyOf(each))).map(({ teamId }) => teamId))];
}

/** The things whose name has a text: integrations first. */
export const foundEntities = (entities: readonly Entity[], text: string): readonly Entity[] =>
  entities
    .filter((entity) => entityText(entity).toLowerCase().includes(text.trim().toLowerCase()))
    .toSorted((one, other) => one.type.localeCompare(other.type) || one.name.localeCompare(other.name));
