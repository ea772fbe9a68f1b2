import { mongo } from 'mongoose';
import { matches } from './filter.ts';
import { changeByStage } from './pipeline.ts';
import {
  areEqual,
  compareValues,
  copyOf,
  type Document,
  isDocument,
  NotBuiltError,
  operatorOf,
  ServerFault,
} from './values.ts';

/** A replacement, update operators, or the stages of a pipeline. */
export type Update = Document | readonly Document[];

/** The document after the update. `document` stays as it is. @throws ServerFault as the server refuses the update. */
export function updated(document: Document, update: Update, now: Date, isInsert = false): Document {
  const after = changed(document, update, now, isInsert);
  if (document['_id'] === undefined || after['_id'] === undefined || areEqual(after['_id'], document['_id']))
    return withIdFirst(after, document);
  throw new ServerFault(
    [66, 'ImmutableField'],
    "Performing an update on the path '_id' would modify the immutable field '_id'",
  );
}

/** The document that an upsert inserts. */
export function upserted(filter: Document, update: Update, now: Date): Document {
  const isReplacement = !Array.isArray(update) && operatorOf(update) === undefined;
  const known: Document = {};
  for (const [path, value] of equalities(filter))
    if (!isReplacement || path === '_id') setAt(known, path.split('.'), value);
  const after = updated(known, update, now, true);
  return { _id: after['_id'] ?? new mongo.ObjectId(), ...after };
}

function changed(document: Document, update: Update, now: Date, isInsert: boolean): Document {
  if (Array.isArray(update))
    return (update as readonly Document[]).reduce((before, stage) => changeByStage(before, stage, now), document);
  if (operatorOf(update) === undefined) return update as Document;
  const after = copyOf(document);
  for (const [operator, fields] of Object.entries(update as Record<string, Document>)) {
    if (operator === '$setOnInsert' && !isInsert) continue;
    const apply = OPERATORS[operator];
    if (apply === undefined) throw new NotBuiltError(`update operator ${operator}`);
    // The server goes through the fields in the order of their names.
    for (const [path, value] of Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      apply(after, path.split('.'), value, now);
  }
  return after;
}

/** The server keeps `_id` in front, also where a replacement leaves it out. */
function withIdFirst(after: Document, before: Document): Document {
  const { _id = before['_id'], ...rest } = after;
  return _id === undefined ? rest : { _id, ...rest };
}

/** The fields that a filter compares for equality, with their values. One of a single value is such a comparison. */
function equalities(filter: Document): readonly (readonly [string, unknown])[] {
  return Object.entries(filter).flatMap(([name, condition]): (readonly [string, unknown])[] => {
    if (name === '$and') return (condition as readonly Document[]).flatMap((each) => [...equalities(each)]);
    if (name.startsWith('$') || condition instanceof RegExp) return [];
    if (operatorOf(condition) === undefined) return [[name, condition]];
    return Object.entries(condition as Document).flatMap(([operator, value]): (readonly [string, unknown])[] => {
      if (operator === '$eq') return [[name, value]];
      const [first, ...others] = operator === '$in' ? (value as readonly unknown[]) : [];
      const isSingle = first !== undefined && others.every((other) => areEqual(other, first));
      return isSingle ? [[name, first]] : [];
    });
  });
}

type Apply = (document: Document, path: readonly string[], value: unknown, now: Date) => void;

const OPERATORS: Readonly<Record<string, Apply>> = {
  $set: setAt,
  $setOnInsert: setAt,
  $unset: (document, path) => {
    const holder = holderOf(document, path, false);
    if (Array.isArray(holder)) throw new NotBuiltError('$unset of an element');
    if (holder !== undefined) Reflect.deleteProperty(holder, path.at(-1) ?? '');
  },
  $inc: (document, path, value) => {
    const before = at(document, path);
    if (before !== undefined && typeof before !== 'number')
      throw new ServerFault([14, 'TypeMismatch'], `Cannot apply $inc to a value of non-numeric type.`);
    setAt(document, path, (before ?? 0) + Number(value));
  },
  $max: (document, path, value) => {
    const before = at(document, path);
    if (before === undefined || compareValues(value, before) > 0) setAt(document, path, value);
  },
  $addToSet: (document, path, value) => {
    if (operatorOf(value) !== undefined) throw new NotBuiltError('$addToSet with a modifier');
    const before = arrayAt(document, path, '$addToSet') ?? [];
    if (!before.some((item) => areEqual(item, value))) setAt(document, path, [...before, value]);
  },
  $pull: (document, path, condition, now) => {
    const before = arrayAt(document, path, '$pull');
    if (before === undefined) return;
    const isPulled = (item: unknown): boolean => {
      if (isDocument(condition) && operatorOf(condition) === undefined)
        return isDocument(item) && matches(condition, item, now);
      return matches({ item: condition }, { item }, now);
    };
    setAt(
      document,
      path,
      before.filter((item) => !isPulled(item)),
    );
  },
};

function arrayAt(document: Document, path: readonly string[], operator: string): readonly unknown[] | undefined {
  const before = at(document, path);
  if (before === undefined || Array.isArray(before)) return before as readonly unknown[] | undefined;
  throw new ServerFault([2, 'BadValue'], `Cannot apply ${operator} to a non-array value`);
}

function at(document: Document, path: readonly string[]): unknown {
  const holder = holderOf(document, path, false);
  return holder === undefined ? undefined : (holder as Document)[path.at(-1) ?? ''];
}

function setAt(document: Document, path: readonly string[], value: unknown): void {
  const holder = holderOf(document, path, true);
  if (holder !== undefined) (holder as Document)[path.at(-1) ?? ''] = value;
}

/**
 * The object or array that has the last part of the path, made where `isMade`. @throws ServerFault where it is to be made in a value
 * that is neither.
 */
function holderOf(document: Document, path: readonly string[], isMade: boolean): object | undefined {
  let holder: unknown = document;
  for (const part of path.slice(0, -1)) {
    const inside: unknown = (holder as Document)[part];
    if (inside === undefined && !isMade) return undefined;
    if (inside === undefined) (holder as Document)[part] = {};
    holder = (holder as Document)[part];
    if (isDocument(holder) || Array.isArray(holder)) continue;
    if (!isMade) return undefined;
    throw new ServerFault([28, 'PathNotViable'], `Cannot create field '${path.at(-1) ?? ''}' in element`);
  }
  return holder as object;
}
