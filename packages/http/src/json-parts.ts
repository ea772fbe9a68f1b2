import { setImmediate } from 'node:timers/promises';
import { longWork } from '@tocsin/core';

/** Characters of a value that is written at once, about. */
const SMALL = 4_096;
/** About what the name and the marks of a value take. */
const CHARACTERS_OF_VALUE = 8;

/**
 * `value` as JSON in UTF-8, as `JSON.stringify` writes it; an iterator is written as a list, and its items are made one by one. A
 * value that is large is written in parts, between which the event loop runs.
 *
 * @param value what `JSON.stringify` has a form for
 * @throws the error of an iterator.
 */
export async function jsonBytes(value: unknown, work = longWork): Promise<Buffer> {
  if (isSmall(value)) return Buffer.from(JSON.stringify(value));
  // The content of the answer may have been read in this turn.
  await setImmediate();
  const parts: Buffer[] = [];
  let pieces: string[] = [];
  for (const piece of piecesOf(value)) {
    pieces.push(piece);
    if (!work.isPauseDue()) continue;
    parts.push(Buffer.from(pieces.join('')));
    pieces = [];
    await work.pause();
  }
  parts.push(Buffer.from(pieces.join('')));
  if (parts.length > 1) await work.pause();
  return Buffer.concat(parts);
}

function* piecesOf(value: unknown): Generator<string> {
  if (isIterable(value)) yield* list(value);
  else if (isSmall(value)) yield JSON.stringify(value);
  else yield* object(value as Readonly<Record<string, unknown>>);
}

function* list(values: Iterable<unknown>): Generator<string> {
  let mark = '[';
  for (const value of values) {
    yield mark;
    yield* isWritten(value) ? piecesOf(value) : ['null'];
    mark = ',';
  }
  yield mark === '[' ? '[]' : ']';
}

function* object(fields: Readonly<Record<string, unknown>>): Generator<string> {
  let mark = '{';
  for (const [name, value] of Object.entries(fields)) {
    if (!isWritten(value)) continue;
    yield `${mark}${JSON.stringify(name)}:`;
    yield* piecesOf(value);
    mark = ',';
  }
  yield mark === '{' ? '{}' : '}';
}

/** Values without a form in JSON are left out of objects, and `null` in lists. */
const isWritten = (value: unknown): boolean => value !== undefined && typeof value !== 'function';

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

/** Whether `value` takes few characters. Looks at no more than that. */
function isSmall(value: unknown): boolean {
  let left = SMALL;
  const waiting = [value];
  while (waiting.length > 0 && left > 0) {
    const next = waiting.pop();
    left -= CHARACTERS_OF_VALUE;
    if (typeof next === 'string') left -= next.length;
    if (hasParts(next) && !addParts(next, waiting)) return false;
  }
  return left > 0 || typeof value !== 'object';
}

const hasParts = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value);

/** Adds the parts of `value` to `parts`; false where they are too many or not made yet. */
function addParts(value: object, parts: unknown[]): boolean {
  if (isIterable(value) && !Array.isArray(value)) return false;
  for (const name in value) {
    parts.push((value as Readonly<Record<string, unknown>>)[name]);
    if (parts.length > SMALL / CHARACTERS_OF_VALUE) return false;
  }
  return true;
}
