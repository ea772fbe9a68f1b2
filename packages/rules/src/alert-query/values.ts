import { Priority } from '@tocsin/events';
import { wordsOf } from './collect.ts';
import { isNullable, type Field } from './fields.ts';
import type { ExactField, NumberField, Operator, Query } from './query.ts';
import { Refusal, type Sign, type Written } from './scanner.ts';

/** Only exact values (wire facts 4.2). */
const WITHOUT_PREFIX: ReadonlySet<string> = new Set(['owner', 'acknowledgedBy', 'closedBy', 'status', 'priority']);

/** The test for `field sign value`. @throws Refusal where the field does not allow the value or the sign. */
export function comparison(field: Field, sign: Sign, value: Written): Query {
  const compared = isNull(value) && sign.operator === '=' ? nullTest(field, value.at) : ofField(field, sign, value);
  return sign.negated ? { kind: 'not', part: compared } : compared;
}

/** @throws Refusal where the field cannot be null. */
export function nullTest(field: Field, at: number): Query {
  if (field.kind === 'detail') return { kind: 'no-detail', key: field.key };
  if (isNullable(field.name)) return { kind: 'null', field: field.name };
  throw new Refusal(at, `[${field.name}] can not be asked for null`);
}

/** A search for words in all texts. @throws Refusal where there is neither a letter nor a digit. */
export function freeText(written: Written): Query {
  return { kind: 'text', words: wordsIn(written), prefix: written.prefix };
}

const isNull = ({ text, quoted, prefix }: Written): boolean => !quoted && !prefix && text.toLowerCase() === 'null';

function ofField(field: Field, sign: Sign, written: Written): Query {
  if (field.kind === 'number') return number(field.name, sign.operator, written);
  const name = field.kind === 'detail' ? `details.${field.key}` : field.name;
  if (sign.operator !== '=')
    throw new Refusal(sign.at, `[${name}] can not be compared by [${sign.operator}]; expected [:]`);
  const { text: value, prefix } = written;
  if (field.kind === 'words') return { kind: 'words', field: field.name, words: wordsIn(written), prefix };
  if (field.kind === 'detail') return { kind: 'detail', key: field.key, value, prefix };
  if (field.kind === 'exact' && !WITHOUT_PREFIX.has(name)) return { kind: 'exact', field: field.name, value, prefix };
  if (prefix) throw new Refusal(written.at, `[${name}] is compared with whole values; expected no [*]`);
  return ofWhole(field, written);
}

function ofWhole(field: Exclude<Field, { readonly kind: 'number' | 'words' | 'detail' }>, written: Written): Query {
  if (field.kind === 'name') return { kind: 'name', field: field.name, value: written.text };
  if (field.kind === 'flag') return { kind: 'flag', field: field.name, value: flag(field.name, written) };
  return { kind: 'exact', field: field.name, value: enumerated(field.name, written), prefix: false };
}

function wordsIn({ text, at }: Written): readonly string[] {
  const words = wordsOf(text);
  if (words.length === 0) throw new Refusal(at, 'expected a letter or a digit to search for');
  return words;
}

function flag(name: string, { text, at }: Written): boolean {
  const lower = text.toLowerCase();
  if (lower !== 'true' && lower !== 'false') throw new Refusal(at, `[${name}] should be true or false`);
  return lower === 'true';
}

/** Enum values match in any letter case (E5), other values exactly. */
function enumerated(field: ExactField, { text, at }: Written): string {
  if (field === 'status') {
    const status = text.toLowerCase();
    if (status !== 'open' && status !== 'closed') throw new Refusal(at, '[status] should be open or closed');
    return status;
  }
  if (field !== 'priority') return text;
  const { data } = Priority.safeParse(text);
  if (data === undefined) throw new Refusal(at, '[priority] should be one of P1, P2, P3, P4, P5');
  return data;
}

function number(field: NumberField, operator: Operator, { text, prefix, at }: Written): Query {
  if (/^\d{1,15}$/.test(text) && !prefix) return { kind: 'number', field, operator, value: Number(text) };
  const isTime = field !== 'count' && field !== 'tinyId';
  const span = isTime && !prefix ? spanOf(text) : undefined;
  if (span !== undefined) return within(field, operator, span);
  const wanted = isTime ? 'milliseconds since 1970 or a date such as 31-01-2026' : 'a whole number';
  throw new Refusal(at, `[${field}] should be ${wanted}`);
}

interface Span {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** A date means the whole day, a minute its 60 seconds. */
function within(field: NumberField, operator: Operator, { from, to }: Span): Query {
  const compared = (by: Operator, value: number): Query => ({ kind: 'number', field, operator: by, value });
  if (operator === '=') return { kind: 'and', parts: [compared('>=', from), compared('<', to)] };
  if (operator === '>' || operator === '<=') return compared(operator === '>' ? '>=' : '<', to);
  return compared(operator, from);
}

const DATE = /^(?<day>\d\d)-(?<month>\d\d)-(?<year>\d{4})(?:[ T](?<minute>\d\d:\d\d)(?<second>:\d\d)?)?$/;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** `DD-MM-YYYY`, with a time or without, in UTC. */
function spanOf(text: string): Span | undefined {
  const groups = DATE.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const written = spelled(groups);
  const from = new Date(written);
  // `Date` takes a day such as 31 February for one in March.
  if (Number.isNaN(from.getTime()) || from.toISOString() !== written) return undefined;
  const { minute, second } = groups;
  const timed = second === undefined ? MINUTE_MS : SECOND_MS;
  return { from: from.getTime(), to: from.getTime() + (minute === undefined ? DAY_MS : timed) };
}

function spelled({ day, month, year, minute, second }: Readonly<Record<string, string | undefined>>): string {
  return `${String(year)}-${String(month)}-${String(day)}T${minute ?? '00:00'}${second ?? ':00'}.000Z`;
}
