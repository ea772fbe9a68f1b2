import { DEFAULT_LIMIT, instant, midnightOf, text } from '@tocsin/events';
import { z } from 'zod';

/** The fields by which users can be searched (part 3, 4.1), as they are documented. */
const FIELDS = [
  'username',
  'fullName',
  'blocked',
  'verified',
  'role',
  'locale',
  'timeZone',
  'userAddress',
  'createdAt',
] as const;
type Field = (typeof FIELDS)[number];
type FlagField = 'blocked' | 'verified';

/** A field whose text is compared: as a whole, or as the beginning that stands before a `*`. */
export interface UserTextCondition {
  readonly field: Exclude<Field, FlagField | 'createdAt'>;
  readonly match: 'is' | 'starts-with';
  /** In lower case. */
  readonly value: string;
}

/** One condition of a search for users. */
export type UserCondition =
  | UserTextCondition
  | { readonly field: FlagField; readonly value: boolean }
  /** `from` is inclusive, `before` exclusive. */
  | { readonly field: 'createdAt'; readonly from?: Date; readonly before?: Date };

/** A search for users: what was written, and the conditions that hold for each user that is found. */
export interface UserQuery {
  readonly text: string;
  readonly conditions: readonly UserCondition[];
}

type Comparison = ':' | '=' | '<' | '<=' | '>' | '>=';

interface Pair {
  readonly field: Field;
  readonly comparison: Comparison;
  readonly value: string;
  readonly quoted: boolean;
}

/** The error in a search, as a sentence about the query. */
class Refusal extends Error {}

const PAIR = /\s*(?<field>[a-z]+)\s*(?<comparison>:|<=|>=|<|>|=)\s*(?:"(?<quoted>[^"]*)"|(?<bare>[^\s"]\S*))(?=\s|$)/iy;
const CONJUNCTION = /\s+and(?=\s)/iy;

/** Month and day as JSON Schema patterns know them: without the 29th of February, which not every year has. */
const MONTH_DAY = '((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)';
const TIME = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?Z';
const PLAIN_PAIR = [
  '(username|fullName|role|locale|timeZone|userAddress)[:=]("[^"]*"|[^\\s"]\\S*)',
  '(blocked|verified)[:=](true|false)',
  `createdAt(:|=|<=?|>=?)([0-9]{9,15}|[0-9]{4}-${MONTH_DAY}(T${TIME})?)`,
].join('|');

/** Searches in the spelling that is documented; others are understood too. */
const DOCUMENTED = `^(${PLAIN_PAIR})?((\\s+AND)?\\s+(${PLAIN_PAIR}))*$`;

/**
 * `field:value` pairs, all of which hold (part 3, 4.1). Values with white space stand in quotes; `AND` between pairs may be
 * left out; names of fields, texts and booleans are read in any case. A `*` at the end of a text without quotes stands for
 * any ending. `createdAt` takes days, instants and milliseconds, and `<`, `<=`, `>`, `>=` beside `:`.
 */
export const UserQuery: z.ZodType<UserQuery, string | undefined> = text(DEFAULT_LIMIT)
  .optional()
  .transform((written = '', context) => {
    try {
      return { text: written, conditions: pairsOf(written).map(conditionOf) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  })
  .meta({
    pattern: DOCUMENTED,
    description:
      'Pairs of a field and a value, all of which hold. Values with spaces stand in quotes; a `*` at the end of a text stands for any ending. Days of `createdAt` may also be written as 31-01-2026.',
    examples: ['role:admin AND createdAt>2026-01-31'],
  });

function pairsOf(written: string): readonly Pair[] {
  const pairs: Pair[] = [];
  const end = written.trimEnd().length;
  let at = 0;
  while (at < end) {
    if (pairs.length > 0) at = after(CONJUNCTION, written, at) ?? at;
    PAIR.lastIndex = at;
    const groups = PAIR.exec(written)?.groups;
    if (groups === undefined)
      throw new Refusal(`should be pairs such as role:admin, which character ${at + 1} begins no`);
    at = PAIR.lastIndex;
    const { field = '', comparison, quoted, bare = '' } = groups;
    pairs.push({
      field: fieldNamed(field),
      comparison: comparison as Comparison,
      value: (quoted ?? bare).trim(),
      quoted: quoted !== undefined,
    });
  }
  return pairs;
}

function after(pattern: RegExp, written: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(written) ? pattern.lastIndex : undefined;
}

function fieldNamed(name: string): Field {
  const field = FIELDS.find((known) => known.toLowerCase() === name.toLowerCase());
  if (field === undefined) throw new Refusal(`has the unknown field [${name}]; known are [ ${FIELDS.join(', ')} ]`);
  return field;
}

function conditionOf({ field, comparison, value, quoted }: Pair): UserCondition {
  if (field === 'createdAt') return { field, ...spanOf(comparison, value) };
  if (comparison !== ':' && comparison !== '=') throw new Refusal(`can compare createdAt alone by ${comparison}`);
  if (field === 'blocked' || field === 'verified') return { field, value: flagOf(field, value) };
  const folded = value.toLowerCase();
  return !quoted && folded.endsWith('*')
    ? { field, match: 'starts-with', value: folded.slice(0, -1) }
    : { field, match: 'is', value: folded };
}

function flagOf(field: string, value: string): boolean {
  const word = value.toLowerCase();
  if (word !== 'true' && word !== 'false') throw new Refusal(`needs true or false for ${field}`);
  return word === 'true';
}

function spanOf(comparison: Comparison, value: string): { readonly from?: Date; readonly before?: Date } {
  const [start, end] = momentsOf(value);
  switch (comparison) {
    case ':':
    case '=':
      return { from: start, before: end };
    case '<':
      return { before: start };
    case '<=':
      return { before: end };
    case '>':
      return { from: end };
    case '>=':
      return { from: start };
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The span of a written time: a day of UTC, or one millisecond; its start is inclusive, its end exclusive. */
function momentsOf(value: string): readonly [Date, Date] {
  const day = dayOf(value);
  if (day !== undefined) return [day, new Date(day.getTime() + DAY_MS)];
  const at = /^\d{9,15}$/.test(value) ? new Date(Number(value)) : instant.safeParse(value).data;
  if (at === undefined)
    throw new Refusal('needs a time such as 31-01-2026, 2026-01-31T08:00:00Z or milliseconds for createdAt');
  return [at, new Date(at.getTime() + 1)];
}

/** Midnight of `31-01-2026` or `2026-01-31`. */
function dayOf(value: string): Date | undefined {
  const [, day = '', month = '', year = ''] = /^(\d\d?)-(\d\d?)-(\d{4})$/.exec(value) ?? [];
  const written = year === '' ? value : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!/^\d{4}-\d\d-\d\d$/.test(written)) return undefined;
  return midnightOf(written);
}
