import { evaluate, isTrue } from './expressions.ts';
import { areEqual, compareValues, type Document, isDocument, NotBuiltError, operatorOf, typeRank } from './values.ts';

type Test = (document: Document, now: Date) => boolean;

/** Whether a document matches a filter of `find`, `update` or `$match`. `now` is the value of `$$NOW` in `$expr`. */
export function matches(filter: Document, document: Document, now: Date): boolean {
  return Object.entries(filter).every(([name, condition]) => testOf(name, condition)(document, now));
}

function testOf(name: string, condition: unknown): Test {
  if (!name.startsWith('$')) return pathTest(name, condition);
  if (name === '$expr') return (document, now) => isTrue(evaluate(condition, { root: document, now }));
  if (name === '$comment') return () => true;
  const filters = condition as readonly Document[];
  if (name === '$or') return (document, now) => filters.some((each) => matches(each, document, now));
  if (name === '$and') return (document, now) => filters.every((each) => matches(each, document, now));
  throw new NotBuiltError(`filter ${name}`);
}

function pathTest(path: string, condition: unknown): Test {
  const parts = path.split('.');
  const conditions: readonly (readonly [string, unknown])[] =
    operatorOf(condition) === undefined ? [['$eq', condition]] : Object.entries(condition as Document);
  return (document) => conditions.every(([operator, operand]) => isMet(operator, operand, document, parts));
}

function isMet(operator: string, operand: unknown, document: Document, path: readonly string[]): boolean {
  if (operator === '$not') {
    const inner = operatorOf(operand) === undefined ? { $regex: operand } : (operand as Document);
    return !Object.entries(inner).every(([name, value]) => isMet(name, value, document, path));
  }
  if (operator === '$ne') return !isMet('$eq', operand, document, path);
  if (operator === '$nin') return !isMet('$in', operand, document, path);
  if (operator === '$exists')
    return valuesAt(document, path, false).some((value) => value !== undefined) === isTrue(operand);
  const test = TESTS[operator];
  if (test === undefined) throw new NotBuiltError(`filter ${operator}`);
  return valuesAt(document, path, true).some((value) => test(value, operand));
}

const equals = (value: unknown, operand: unknown): boolean =>
  operand instanceof RegExp
    ? typeof value === 'string' && operand.test(value)
    : areEqual(value, operand) || (operand === null && value === undefined);

/** Values of another type are neither greater nor less. */
const bracketed = (isWanted: (order: number) => boolean) => (value: unknown, operand: unknown) =>
  typeRank(value === undefined && operand === null ? null : value) === typeRank(operand) &&
  isWanted(value === undefined ? 0 : compareValues(value, operand));

const TYPES: Readonly<Record<string, number>> = { string: 15, object: 20, array: 25, objectId: 35, bool: 40, date: 45 };

const TESTS: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
  $eq: equals,
  $in: (value, operand) => (operand as readonly unknown[]).some((each) => equals(value, each)),
  $gt: bracketed((order) => order > 0),
  $gte: bracketed((order) => order >= 0),
  $lt: bracketed((order) => order < 0),
  $lte: bracketed((order) => order <= 0),
  $regex: (value, operand) => {
    const pattern = operand instanceof RegExp ? operand : new RegExp(operand as string, 'u');
    return typeof value === 'string' && pattern.test(value);
  },
  $type: (value, operand) => {
    const rank = TYPES[operand as string];
    if (rank === undefined) throw new NotBuiltError(`$type ${String(operand)}`);
    return typeRank(value) === rank;
  },
};

/**
 * What a filter compares at a path: the value and, where that is an array, each of its elements. A missing field is undefined. Where
 * the path goes through an array, it goes on in each of the array's documents, and at the position that it names.
 */
function valuesAt(value: unknown, [part, ...rest]: readonly string[], withElements: boolean): readonly unknown[] {
  if (part === undefined)
    return withElements && Array.isArray(value) ? [...(value as readonly unknown[]), value] : [value];
  if (Array.isArray(value)) {
    const items = value as readonly unknown[];
    const inside = items.filter(isDocument).flatMap((item) => valuesAt(item, [part, ...rest], withElements));
    const at =
      /^\d+$/.test(part) && Number(part) < items.length ? valuesAt(items[Number(part)], rest, withElements) : [];
    return [...at, ...inside];
  }
  if (isDocument(value) && Object.hasOwn(value, part)) return valuesAt(value[part], rest, withElements);
  return [undefined];
}
