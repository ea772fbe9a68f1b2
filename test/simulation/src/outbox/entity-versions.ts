import { defineTopic } from '@tocsin/events';
import { z } from 'zod';

/** A version of an entity, as it is published, and the try of a transaction that made it. */
const entityVersion = z.object({ id: z.string(), version: z.int(), by: z.string() });

export type EntityVersion = Readonly<z.infer<typeof entityVersion>>;

/** The topic of these versions. */
export const VERSIONS = defineTopic<EntityVersion>({
  name: 'versions.v1',
  kind: 'events',
  schema: entityVersion,
  key: ({ id }) => id,
});

/** The tries that made the committed versions 1, 2, 3 … of an entity. */
export type Committed = ReadonlyMap<string, readonly string[]>;

/**
 * What a topic lacks, has too much, or has in the wrong order. Repeats are no fault.
 */
export function versionFaults(
  ids: readonly string[],
  committed: Committed,
  topic: readonly EntityVersion[],
): readonly string[] {
  return ids.flatMap((id) => {
    const own = topic.filter((entity) => entity.id === id);
    const made = committed.get(id) ?? [];
    const excess = own.filter(({ by, version }) => made[version - 1] !== by);
    return [
      ...orderFaults(id, made.length, [...new Set(own.map(({ version }) => version))]),
      ...excess.map(({ by, version }) => `${id}: the topic has version ${version} of ${by}, which was not committed.`),
    ];
  });
}

/** `first`: the versions in the order of their first appearance. */
function orderFaults(id: string, last: number, first: readonly number[]): readonly string[] {
  const missing = Array.from({ length: last }, (_, index) => index + 1).filter((version) => !first.includes(version));
  const isInOrder = first.every((version, index) => index === 0 || version > (first[index - 1] ?? 0));
  return [
    ...(missing.length > 0 ? [`${id}: the topic lacks the committed versions ${missing.join(', ')}.`] : []),
    ...(isInOrder ? [] : [`${id}: the versions first appear in the order ${first.join(', ')}.`]),
  ];
}

/** Versions that were acknowledged and are not stored. */
export function acknowledgementFaults(acknowledged: readonly EntityVersion[], committed: Committed): readonly string[] {
  return acknowledged
    .filter(({ by, id, version }) => committed.get(id)?.[version - 1] !== by)
    .map(({ by, id, version }) => `${id}: version ${version} was acknowledged to ${by} and is not stored.`);
}
