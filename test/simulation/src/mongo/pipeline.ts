import { evaluate, isTrue, type Scope } from './expressions.ts';
import { matches } from './filter.ts';
import { areEqual, compareValues, type Document, indexKey, isDocument, NotBuiltError, operatorOf } from './values.ts';

/** What a pipeline reads beside its input. */
export interface PipelineContext {
  readonly now: Date;
  /** The documents of another collection in the same snapshot. */
  readonly collection: (name: string) => readonly Document[];
}

/** The results of an aggregation. */
export function aggregate(
  documents: readonly Document[],
  stages: readonly Document[],
  context: PipelineContext,
): readonly Document[] {
  return stages.reduce((input, stage) => {
    const [name, argument] = operatorOf(stage) ?? ['', undefined];
    const run = STAGES[name];
    if (run !== undefined) return run(input, argument as never, context);
    return input.map((document) => changeByStage(document, stage, context.now));
  }, documents);
}

/** A document after a stage that changes each by itself: `$set`, `$unset`, `$project` or `$replaceWith`. */
export function changeByStage(document: Document, stage: Document, now: Date): Document {
  const scope = { root: document, now };
  const [name, argument] = operatorOf(stage) ?? ['', undefined];
  if (name === '$set') return withFields(document, argument as Document, scope);
  if (name === '$project') return project(document, argument as Document, now);
  if (name === '$replaceWith') return evaluate(argument, scope) as Document;
  if (name === '$unset')
    return [argument].flat().reduce<Document>((before, path) => without(before, String(path).split('.')), document);
  throw new NotBuiltError(`stage ${name}`);
}

type Stage = (input: readonly Document[], argument: never, context: PipelineContext) => readonly Document[];

const STAGES: Readonly<Record<string, Stage>> = {
  $match: (input, filter: Document, { now }) => input.filter((document) => matches(filter, document, now)),
  $sort: (input, order: Document) => sorted(input, order),
  $limit: (input, limit: number) => input.slice(0, limit),
  $skip: (input, skip: number) => input.slice(skip),
  $group: group,
  $lookup: (input, { as, foreignField, from, localField, pipeline = [] }: Lookup, context) =>
    input.map((document) => {
      const found = context.collection(from).filter((each) => areEqual(each[foreignField], document[localField]));
      return { ...document, [as]: aggregate(found, pipeline, context) };
    }),
};

interface Lookup {
  readonly from: string;
  readonly localField: string;
  readonly foreignField: string;
  readonly pipeline?: readonly Document[];
  readonly as: string;
}

function group(input: readonly Document[], argument: Document, { now }: PipelineContext): readonly Document[] {
  const { _id: by, ...fields } = argument;
  const groups = new Map<string, { readonly id: unknown; readonly members: Document[] }>();
  for (const root of input) {
    const id = evaluate(by, { root, now }) ?? null;
    const known = groups.get(indexKey([id]));
    if (known === undefined) groups.set(indexKey([id]), { id, members: [root] });
    else known.members.push(root);
  }
  return [...groups.values()].map(({ id, members }) => ({
    _id: id,
    ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, accumulate(field, members, now)])),
  }));
}

function accumulate(field: unknown, members: readonly Document[], now: Date): unknown {
  const [operator, argument] = operatorOf(field) ?? ['', undefined];
  const values = members.map((root) => evaluate(argument, { root, now }));
  if (operator === '$sum')
    return values.reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : 0), 0);
  if (operator === '$first') return values[0] ?? null;
  if (operator !== '$min' && operator !== '$max') throw new NotBuiltError(`accumulator ${operator}`);
  const known = values.filter((value) => value !== undefined && value !== null).toSorted(compareValues);
  return known.at(operator === '$min' ? 0 : -1) ?? null;
}

/** In the order of a sort: a missing field counts as null, an array as its least or greatest element. */
export function sorted(documents: readonly Document[], order: Document): readonly Document[] {
  if (Object.keys(order).length === 0) return documents;
  const keys = Object.entries(order).map(([path, direction]) => [path.split('.'), Number(direction)] as const);
  return documents.toSorted((one, other) => {
    for (const [path, direction] of keys) {
      const difference = compareValues(sortKey(one, path, direction), sortKey(other, path, direction));
      if (difference !== 0) return direction * difference;
    }
    return 0;
  });
}

function sortKey(document: Document, path: readonly string[], direction: number): unknown {
  const value =
    path.reduce<unknown>((inside, part) => (isDocument(inside) ? inside[part] : undefined), document) ?? null;
  if (!Array.isArray(value)) return value;
  return (value as readonly unknown[]).toSorted(compareValues).at(direction > 0 ? 0 : -1);
}

/** The result of a projection of `find` or `$project`: fields that are kept or computed, or fields that are left out. */
export function project(document: Document, projection: Document, now: Date): Document {
  if (Object.keys(projection).length === 0) return document;
  const { _id: id = true, ...fields } = projection;
  const entries = Object.entries(fields);
  const isExclusion = entries.length === 0 ? !isTrue(id) : entries.every(([, value]) => value === 0 || value === false);
  if (isExclusion) {
    const left = entries.reduce((before, [path]) => without(before, path.split('.')), document);
    return isTrue(id) ? left : without(left, ['_id']);
  }
  const kept = entries.filter(([, value]) => isKept(value)).map(([path]) => path.split('.'));
  const computed = Object.fromEntries(entries.filter(([, value]) => !isKept(value)));
  const taken = only(document, isTrue(id) ? [['_id'], ...kept] : kept);
  return withFields(taken, computed, { root: document, now });
}

const isKept = (value: unknown): boolean => value === 1 || value === true;

/** The document with only these paths, in its own order. */
function only(document: Document, paths: readonly (readonly string[])[]): Document {
  const kept: Document = {};
  for (const [name, value] of Object.entries(document)) {
    const inside = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    if (inside.some((rest) => rest.length === 0)) kept[name] = value;
    else if (inside.length > 0) {
      const part = onlyInside(value, inside);
      if (part !== undefined) kept[name] = part;
    }
  }
  return kept;
}

function onlyInside(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (Array.isArray(value)) return value.map((item) => onlyInside(item, paths)).filter((item) => item !== undefined);
  return isDocument(value) ? only(value, paths) : undefined;
}

function without(document: Document, [part = '', ...rest]: readonly string[]): Document {
  if (!Object.hasOwn(document, part)) return document;
  const { [part]: value, ...others } = document;
  if (rest.length === 0) return others;
  const inside = (item: unknown): unknown => (isDocument(item) ? without(item, rest) : item);
  return { ...document, [part]: Array.isArray(value) ? value.map(inside) : inside(value) };
}

/** The document with the values of these expressions at their paths. An object without an operator names paths inside its field. */
function withFields(document: Document, fields: Document, scope: Scope): Document {
  return Object.entries(fields).reduce(
    (before, [path, value]) => withField(before, path.split('.'), value, scope),
    document,
  );
}

function withField(
  document: Document,
  [part = '', ...rest]: readonly string[],
  value: unknown,
  scope: Scope,
): Document {
  const before = document[part];
  const change =
    rest.length > 0
      ? (inside: Document) => withField(inside, rest, value, scope)
      : isDocument(value) && operatorOf(value) === undefined && Object.keys(value).length > 0
        ? (inside: Document) => withFields(inside, value, scope)
        : undefined;
  if (change === undefined) {
    const after = evaluate(value, scope);
    if (after !== undefined) return { ...document, [part]: after };
    const { [part]: removed, ...others } = document;
    return others;
  }
  const inside = (item: unknown): Document => change(isDocument(item) ? item : {});
  return { ...document, [part]: Array.isArray(before) ? before.map(inside) : inside(before) };
}
