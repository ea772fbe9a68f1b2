import { mongo } from 'mongoose';

const { BSON } = mongo;

/** A document, or an object inside one. The order of its fields counts. */
export type Document = Record<string, unknown>;

/** Thrown where a command, an operator or an option is not built. It fails the test that used it, and is no answer of a server. */
export class NotBuiltError extends Error {
  override readonly name = 'NotBuiltError';

  constructor(feature: string) {
    super(`The MongoDB in memory has no ${feature}.`);
  }
}

/** An answer of the server that refuses a command or one of its statements. */
export class ServerFault extends Error {
  override readonly name = 'ServerFault';
  readonly code: number;
  readonly codeName: string;
  readonly labels: readonly string[];
  readonly details: Document;

  constructor(
    [code, codeName]: readonly [number, string],
    message: string,
    { labels = [], details = {} }: { readonly labels?: readonly string[]; readonly details?: Document } = {},
  ) {
    super(message);
    this.code = code;
    this.codeName = codeName;
    this.labels = labels;
    this.details = details;
  }
}

export const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** The one operator of an expression such as `{$add: […]}`, and its argument; undefined where the value is no expression. */
export function operatorOf(value: unknown): readonly [string, unknown] | undefined {
  if (!isDocument(value)) return undefined;
  const [first] = Object.entries(value);
  return first?.[0].startsWith('$') === true ? first : undefined;
}

const BSON_RANKS: Readonly<Record<string, number>> = {
  MinKey: -1,
  Long: 10,
  Int32: 10,
  Double: 10,
  Binary: 30,
  UUID: 30,
  ObjectId: 35,
  Timestamp: 47,
  MaxKey: 127,
};
const PRIMITIVE_RANKS: Readonly<Record<string, number>> = {
  undefined: 0,
  number: 10,
  bigint: 10,
  string: 15,
  boolean: 40,
};

/** Where the type of the value stands in the order of BSON types; undefined is a missing field. */
export function typeRank(value: unknown): number {
  if (value === null) return 5;
  const primitive = PRIMITIVE_RANKS[typeof value];
  if (primitive !== undefined) return primitive;
  if (Array.isArray(value)) return 25;
  if (value instanceof Date) return 45;
  if (value instanceof RegExp) return 50;
  if (isDocument(value)) return 20;
  const rank = BSON_RANKS[(value as { readonly _bsontype?: string })._bsontype ?? ''];
  if (rank === undefined) throw new NotBuiltError(`comparison of ${Object.prototype.toString.call(value)}`);
  return rank;
}

/** Compares as expressions do: each value has a place, a missing field the first. Negative, 0 or positive. */
export function compareValues(one: unknown, other: unknown): number {
  const rank = typeRank(one);
  const difference = rank - typeRank(other);
  if (difference !== 0) return difference;
  return COMPARE[rank]?.(one as never, other as never) ?? 0;
}

export const areEqual = (one: unknown, other: unknown): boolean => compareValues(one, other) === 0;

const byNumber = (one: unknown, other: unknown): number => Number(one) - Number(other);

const COMPARE: Readonly<Record<number, (one: never, other: never) => number>> = {
  10: byNumber,
  15: (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other)),
  20: compareDocuments,
  25: compareArrays,
  30: (one: mongo.Binary, other: mongo.Binary) => Buffer.compare(one.buffer, other.buffer),
  35: (one: mongo.ObjectId, other: mongo.ObjectId) => Buffer.compare(one.id, other.id),
  40: byNumber,
  45: byNumber,
  47: (one: mongo.Timestamp, other: mongo.Timestamp) => one.compare(other),
  50: (one: RegExp, other: RegExp) => Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other))),
};

function compareDocuments(one: Document, other: Document): number {
  const [own, others] = [Object.entries(one), Object.entries(other)];
  for (const [index, [name, value]] of own.entries()) {
    const opposite = others[index];
    if (opposite === undefined) return 1;
    const difference =
      typeRank(value) - typeRank(opposite[1]) ||
      Buffer.compare(Buffer.from(name), Buffer.from(opposite[0])) ||
      compareValues(value, opposite[1]);
    if (difference !== 0) return difference;
  }
  return own.length - others.length;
}

function compareArrays(one: readonly unknown[], other: readonly unknown[]): number {
  for (const [index, value] of one.entries()) {
    if (index >= other.length) return 1;
    const difference = compareValues(value, other[index]);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** A copy that shares nothing with `document`, as the server would give it back. */
export function copyOf(document: Document): Document {
  return BSON.deserialize(BSON.serialize(document));
}

/** Whether two documents are the same bytes: an update between them writes nothing. */
export function areSameBytes(one: Document, other: Document): boolean {
  return Buffer.compare(BSON.serialize(one), BSON.serialize(other)) === 0;
}

/** A text that two values share only if an index has one key for both. */
export function indexKey(values: readonly unknown[]): string {
  const keys = values.map((value) => (value === undefined ? null : value));
  return Buffer.from(BSON.serialize({ keys })).toString('base64');
}
