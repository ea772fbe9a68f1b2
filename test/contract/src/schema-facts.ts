import { readVersionOf, type TopicDefinition } from '@tocsin/events';

/** The facts of a schema on which readers of a topic depend. */
export interface SchemaFacts {
  /** The schema version that the release writes. */
  readonly version: number;
  /** The highest schema version that the release reads. */
  readonly reads: number;
  /** Each field that a message must have, as its path. */
  readonly required: readonly string[];
  /** Each constant and each value of an enumeration that a message may have, as `path = value`. */
  readonly values: readonly string[];
}

interface Schema {
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly type?: string;
}

type Topic = Pick<TopicDefinition<unknown>, 'reads' | 'schema' | 'version'>;

/** The facts of a topic today. */
export function factsOf(topic: Topic): SchemaFacts {
  const found = { required: new Set<string>(), values: new Set<string>() };
  collect(topic.schema.toJSONSchema({ unrepresentable: 'any', io: 'input' }) as Schema, '', found);
  const { required, values } = found;
  return {
    version: topic.version ?? 1,
    reads: readVersionOf(topic),
    required: [...required].sort(),
    values: [...values].sort(),
  };
}

/** Why the last release, of which `released` was recorded, could not read what is written today; empty if it can. */
export function faultsOf(released: SchemaFacts, today: SchemaFacts): readonly string[] {
  const { reads, version } = today;
  const faults: string[] = [];
  if (version > released.reads)
    faults.push(
      `Version ${version} is written, and the last release reads ${released.reads}: write it a release later.`,
    );
  // A release that reads more writes it a release later, so that its schema may have what its messages have not.
  if (reads > released.reads) return faults;
  const isNew = today.values.filter((value) => !released.values.includes(value));
  if (isNew.length > 0) faults.push(`The last release does not know ${isNew.join(', ')}: raise \`reads\` by 1.`);
  const missed = released.required.filter((field) => !today.required.includes(field));
  if (missed.length > 0) faults.push(`The last release needs ${missed.join(', ')}: raise \`reads\` by 1.`);
  return faults;
}

type Found = Readonly<Record<'required' | 'values', Set<string>>>;

function collect(schema: Schema, path: string, found: Found): void {
  for (const value of constantsOf(schema)) found.values.add(`${path} = ${JSON.stringify(value)}`);
  for (const field of schema.required ?? []) found.required.add(`${path}.${field}`);
  for (const [below, part] of partsOf(schema)) collect(part, path + below, found);
}

const constantsOf = (schema: Schema): readonly unknown[] =>
  schema.enum ?? (schema.const === undefined ? [] : [schema.const]);

/** The schemas within a schema, each with its path from there. */
function partsOf({ additionalProperties, allOf, anyOf, items, oneOf, properties = {} }: Schema) {
  const parts: (readonly [string, Schema])[] = Object.entries(properties).map(([field, of]) => [`.${field}`, of]);
  if (items !== undefined) parts.push(['[]', items]);
  if (typeof additionalProperties === 'object') parts.push(['{}', additionalProperties]);
  const members = [...(allOf ?? []), ...(anyOf ?? oneOf ?? [])];
  return [...parts, ...members.map((member) => [nameOf(member), member] as const)];
}

/** The first constant of a member of a union, such as its kind; empty for a member without one. */
function nameOf({ properties = {} }: Schema): string {
  const [named] = Object.entries(properties).filter(([, property]) => property.const !== undefined);
  return named === undefined ? '' : `<${named[0]} ${String(named[1].const)}>`;
}
