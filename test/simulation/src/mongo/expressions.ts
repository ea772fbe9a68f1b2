import { mongo } from 'mongoose';
import {
  compareValues,
  type Document,
  isDocument,
  NotBuiltError,
  operatorOf,
  ServerFault,
  typeRank,
} from './values.ts';

/** What an expression may refer to. */
export interface Scope {
  readonly root: Document;
  /** The value of `$$NOW`. */
  readonly now: Date;
  /** The value of `$$this`. */
  readonly item?: unknown;
}

/** The value of an expression of an aggregation; undefined where that is a missing field. */
export function evaluate(expression: unknown, scope: Scope): unknown {
  if (typeof expression === 'string' && expression.startsWith('$')) return valueAt(expression, scope);
  if (Array.isArray(expression)) return expression.map((item) => evaluate(item, scope) ?? null);
  if (!isDocument(expression)) return expression;
  const operator = operatorOf(expression);
  if (operator === undefined) return evaluateFields(expression, scope);
  const [name, argument] = operator;
  const lazy = LAZY[name];
  if (lazy !== undefined) return lazy(argument, scope);
  const eager = EAGER[name];
  if (eager === undefined) throw new NotBuiltError(`expression ${name}`);
  return eager((Array.isArray(argument) ? argument : [argument]).map((item) => evaluate(item, scope)));
}

function evaluateFields(fields: Document, scope: Scope): Document {
  const values = Object.entries(fields).map(([name, value]) => [name, evaluate(value, scope)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Anything but false, null, 0 and a missing field. */
export const isTrue = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== 0;

const isNullish = (value: unknown): value is null | undefined => value === null || value === undefined;

function valueAt(path: string, scope: Scope): unknown {
  const [first = '', ...parts] = path.startsWith('$$')
    ? path.slice(2).split('.')
    : ['ROOT', ...path.slice(1).split('.')];
  return descend(variable(first, scope), parts);
}

function variable(name: string, { item, now, root }: Scope): unknown {
  if (name === 'ROOT' || name === 'CURRENT') return root;
  if (name === 'NOW') return now;
  if (name === 'this') return item;
  if (name === 'REMOVE') return undefined;
  throw new NotBuiltError(`variable $$${name}`);
}

/** As paths of expressions do: an array gives the array of what its documents have there. Numbers are no positions. */
function descend(value: unknown, [part, ...rest]: readonly string[]): unknown {
  if (part === undefined) return value;
  if (Array.isArray(value))
    return value.map((item) => descend(item, [part, ...rest])).filter((item) => item !== undefined);
  return isDocument(value) ? descend(Object.hasOwn(value, part) ? value[part] : undefined, rest) : undefined;
}

type Lazy = (argument: unknown, scope: Scope) => unknown;

/** Operators that evaluate not all of their arguments, or some for each element of an array. */
const LAZY: Readonly<Record<string, Lazy>> = {
  $literal: (argument) => argument,
  $cond: (argument, scope) => {
    if (!Array.isArray(argument)) throw new NotBuiltError('$cond without an array');
    const [condition, whenTrue, otherwise] = argument as readonly unknown[];
    return evaluate(isTrue(evaluate(condition, scope)) ? whenTrue : otherwise, scope);
  },
  $and: (argument, scope) => (argument as readonly unknown[]).every((item) => isTrue(evaluate(item, scope))),
  $or: (argument, scope) => (argument as readonly unknown[]).some((item) => isTrue(evaluate(item, scope))),
  $map: (argument, scope) => {
    const { input, in: each } = argument as { readonly input: unknown; readonly in: unknown };
    return overArray(input, scope, (items) => items.map((item) => evaluate(each, { ...scope, item }) ?? null));
  },
  $filter: (argument, scope) => {
    const { input, cond } = argument as { readonly input: unknown; readonly cond: unknown };
    return overArray(input, scope, (items) => items.filter((item) => isTrue(evaluate(cond, { ...scope, item }))));
  },
};

function overArray(input: unknown, scope: Scope, change: (items: readonly unknown[]) => unknown): unknown {
  const items = evaluate(input, scope);
  if (isNullish(items)) return null;
  if (!Array.isArray(items)) throw new ServerFault([28651, 'Location28651'], 'input must be an array');
  return change(items);
}

const comparison =
  (isWanted: (order: number) => boolean) =>
  ([one, other]: readonly unknown[]) =>
    isWanted(compareValues(one, other));

/** The least or greatest value by `sign`. Missing and null values do not count. */
const extreme = (sign: 1 | -1) => (values: readonly unknown[]) => {
  const all = values.length === 1 && Array.isArray(values[0]) ? (values[0] as readonly unknown[]) : values;
  const known = all.filter((value) => !isNullish(value));
  return known.length === 0
    ? null
    : known.reduce((best, value) => (sign * compareValues(value, best) > 0 ? value : best));
};

type Eager = (values: readonly unknown[]) => unknown;

const EAGER: Readonly<Record<string, Eager>> = {
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $not: ([value]) => !isTrue(value),
  $ifNull: (values) => values.find((value) => !isNullish(value)) ?? values.at(-1),
  $max: extreme(1),
  $min: extreme(-1),
  $add: (values) => {
    if (values.some(isNullish)) return null;
    const dates = values.filter((value) => value instanceof Date);
    const sum = values.reduce<number>((total, value) => total + numberOf(value, '$add'), 0);
    if (dates.length > 1)
      throw new ServerFault([16612, 'Location16612'], 'only one date allowed in an $add expression');
    return dates.length === 1 ? new Date(sum) : sum;
  },
  $subtract: ([from, subtracted]) => {
    if (isNullish(from) || isNullish(subtracted)) return null;
    const difference = numberOf(from, '$subtract') - numberOf(subtracted, '$subtract');
    return from instanceof Date && !(subtracted instanceof Date) ? new Date(difference) : difference;
  },
  $toDate: ([value]) => toDate(value),
  $concatArrays: (values) => {
    if (values.some(isNullish)) return null;
    if (!values.every((value) => Array.isArray(value)))
      throw new ServerFault([28664, 'Location28664'], '$concatArrays only supports arrays');
    return values.flat() as readonly unknown[];
  },
  $slice: ([value, count]) => {
    if (isNullish(value)) return null;
    const [items, size] = [value as readonly unknown[], count as number];
    return size < 0 ? items.slice(size) : items.slice(0, size);
  },
  $first: ([value]) => element(value, 0),
  $last: ([value]) => element(value, -1),
  $arrayElemAt: ([value, index]) => element(value, index as number),
  $split: ([value, by]) => (isNullish(value) ? null : (value as string).split(by as string)),
  $mergeObjects: (values) => Object.assign({}, ...values.filter((value) => !isNullish(value))) as Document,
  $bsonSize: ([value]) => (isNullish(value) ? null : mongo.BSON.calculateObjectSize(value)),
};

function numberOf(value: unknown, operator: string): number {
  if (typeRank(value) !== 10 && !(value instanceof Date))
    throw new ServerFault([14, 'TypeMismatch'], `${operator} only supports numeric or date types`);
  return Number(value);
}

function element(value: unknown, index: number): unknown {
  if (isNullish(value)) return null;
  if (!Array.isArray(value)) throw new ServerFault([28689, 'Location28689'], 'The argument must be an array');
  return (value as readonly unknown[]).at(index);
}

function toDate(value: unknown): unknown {
  if (isNullish(value)) return null;
  if (value instanceof mongo.Timestamp) return new Date(value.t * 1_000);
  if (value instanceof Date) return value;
  throw new NotBuiltError('$toDate of this type');
}
