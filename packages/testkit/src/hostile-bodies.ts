import fc from 'fast-check';
import { anyCodePoint } from './any-code-point.ts';

type Path = readonly (string | number)[];

/** The places of a body whose value can be replaced, the body itself first. */
function placesIn(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const parts: readonly (readonly [string, unknown])[] = Object.entries(value);
  return [at, ...parts.flatMap(([key, part]) => placesIn(part, [...at, Array.isArray(value) ? Number(key) : key]))];
}

/** The body with `other` at that place. */
function changed(value: unknown, [first, ...rest]: Path, other: unknown): unknown {
  if (first === undefined) return other;
  if (Array.isArray(value))
    return value.map((part: unknown, index) => (index === first ? changed(part, rest, other) : part));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [first]: changed(fields[first], rest, other) };
}

/** Lists within lists, so many levels deep. */
export const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

const SCALARS = [null, '', ' ', 0, -1, 1.5, 1e300, true, 'ALL', '__proto__', 'constructor', 'P1', 'UTC', 'en_US'];
const INSTANTS = ['1900-01-01T00:00:00Z', '9998-12-31T23:59:59Z', '0000-01-01T00:00:00Z', '2026-02-30T00:00:00Z'];
const TEXTS = [
  ...['\u0000', 'a\ud800b', '\u{1f600}'.repeat(1_001), 'x'.repeat(20_000), 'a\r\nBcc: eve@example.com', '(a+)+$', '['],
];
const OBJECTS: readonly unknown[] = [
  ...[{}, { id: null }, { $gt: '' }, { 'a\u0000b': ['x'] }, JSON.parse('{"__proto__": {"a": 1}}') as unknown],
];
const LISTS: readonly unknown[] = [
  ...[[], [null], [[]], [{}], nested(100)],
  ...[Array.from({ length: 1_001 }, () => 'x'), Array.from({ length: 1_001 }, () => ({}))],
];

const hostile = fc.oneof(
  fc.constantFrom<unknown>(...SCALARS, ...INSTANTS, ...TEXTS, ...OBJECTS, ...LISTS),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: anyCodePoint, maxLength: 200 }),
);

/** The valid `body` with an unexpected value in one place. */
export const hostileBody = (body: object): fc.Arbitrary<unknown> =>
  fc.tuple(fc.constantFrom(...placesIn(body)), hostile).map(([place, other]) => changed(body, place, other));
