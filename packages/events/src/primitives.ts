import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { alsoTaking, USABLE_NAME } from './described.ts';

/** The length of a string in Unicode code points: what every documented limit counts (E8). */
export function codePoints(text: string): number {
  let surrogatePairs = 0;
  for (let index = 0; index < text.length; index += 1) if ((text.codePointAt(index) ?? 0) > 0xffff) surrogatePairs += 1;
  return text.length - surrogatePairs;
}

/** The longest string without a documented limit, in code points, and the longest list, in items (E14). */
export const DEFAULT_LIMIT = 1_000;

/** Whether `text` has at most `max` code points. A code point has two UTF-16 units at most, so a long text is not counted. */
const fits = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= 2 * max && codePoints(text) <= max);

/** The refusal of a longer text. What would be checked next takes time for each character, and is left out. */
const tooLong = (max: number) => ({ error: `should be at most ${max} characters`, abort: true });

/** A string of at most `max` code points (E8, E14). */
export function text(max: number = DEFAULT_LIMIT): z.ZodType<string, string> {
  return z
    .string('should be a string')
    .refine((value) => fits(value, max), tooLong(max))
    .meta({ maxLength: max });
}

/** A string of 1 to `max` code points that is not blank; `name` begins the sentence of the refusal. */
export function requiredText(name: string, max: number = DEFAULT_LIMIT): z.ZodType<string, string> {
  return z
    .string(`${name} can not be empty.`)
    .refine((value) => value.trim() !== '', `${name} can not be empty.`)
    .refine((value) => fits(value, max), tooLong(max))
    .meta({ minLength: 1, maxLength: max, pattern: '\\S' });
}

/** The refusal of more than `max` items. */
export const tooMany = (max: number): string => `should have at most ${max} items`;

/** A list of at most `max` items (E14). */
export function listOf<T extends z.ZodType>(item: T, max: number = DEFAULT_LIMIT): z.ZodArray<T> {
  return z.array(item, 'should be a list').max(max, tooMany(max));
}

/** `list`, of which a list of more than `max` items is refused before any of them is read. */
export function measuredFirst<T>(list: z.ZodType<T>, max: number, refusal: string = tooMany(max)): z.ZodType<T> {
  return z.preprocess((value, context) => {
    if (Array.isArray(value) && value.length > max) context.addIssue({ code: 'custom', message: refusal });
    return value;
  }, list);
}

const isUsable = (name: string): boolean => name !== '__proto__' && !name.includes('\0');

/**
 * A map of at most 1000 names that its caller made up (E14), counted before any value is read. Refused whole with a name that would not
 * arrive: readers of JSON drop `__proto__`, and databases take no name with a NUL character.
 */
export function mapOf<T>(
  value: z.ZodType<T>,
  refusal: string,
  name: z.ZodType<string, string> = z.string(),
): z.ZodType<Record<string, T>> {
  return z.preprocess(
    (map, context) => {
      const names = namesIn(map);
      if (names.length > DEFAULT_LIMIT) context.addIssue({ code: 'custom', message: tooMany(DEFAULT_LIMIT) });
      else if (!names.every(isUsable)) context.addIssue({ code: 'custom', message: UNUSABLE_NAME });
      return map;
    },
    z.record(name.meta({ pattern: USABLE_NAME }), value, refusal).meta({ maxProperties: DEFAULT_LIMIT }),
  );
}
const UNUSABLE_NAME = 'should have no name that is __proto__ or holds a NUL character';

/** The names of a map that was not checked yet. */
export const namesIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

/** An optional field: `null` means absent (E5). */
export function optional<T extends z.ZodType>(schema: T): z.ZodType<z.output<T> | undefined> {
  return schema.nullish().overwrite((value) => value ?? undefined) as z.ZodType<z.output<T> | undefined>;
}

/** An optional reference: an empty string means absent as well (E12). */
export function optionalReference(max: number = DEFAULT_LIMIT): z.ZodType<string | undefined> {
  return blankIsAbsent(text(max));
}

/** As {@link optional}, and an empty string means absent as well (E12). */
export function blankIsAbsent<T extends z.ZodType>(schema: T): z.ZodType<z.output<T> | undefined> {
  return z.preprocess(absentWhenEmpty, optional(schema)).meta(alsoTaking({ const: '' }));
}

/** Undefined for `null` and the empty string, everything else as it is (E5, E12). */
export const absentWhenEmpty = (value: unknown): unknown => (value === '' || value === null ? undefined : value);

/** `true`, `false` or the same as a string in any case (E12). */
export const flexibleBoolean: z.ZodType<boolean> = z.preprocess(
  (value) => (typeof value === 'string' ? (BOOLEAN_WORDS.get(value.toLowerCase()) ?? value) : value),
  z.boolean('should be true or false').meta({ type: ['boolean', 'string'], enum: [true, false, 'true', 'false'] }),
);
const BOOLEAN_WORDS = new Map([
  ['true', true],
  ['false', false],
]);

/** One of `values`, compared without regard to case (E5); the answer is the documented spelling. */
export function oneOf<const V extends readonly string[]>(values: V): z.ZodType<V[number]> {
  const bySpelling = new Map(values.map((value) => [value.toLowerCase(), value]));
  return z.preprocess(
    (value) => (typeof value === 'string' ? (bySpelling.get(value.trim().toLowerCase()) ?? value) : value),
    z.enum(values, `should be one of [ ${values.join(', ')} ]`),
  );
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;

/** An instant with `Z` or any numeric offset, with or without a fraction; a `+` that became a space is understood (E6). */
export const instant: z.ZodType<Date> = z
  .string('should be a date such as 2026-01-31T08:00:00Z')
  .meta({ format: 'date-time', examples: ['2026-01-31T08:00:00Z'] })
  .transform((value, context) => {
    const spelled = value.trim().replace(/ (?=\d\d:?\d\d$)/, '+');
    const isWritten = INSTANT.test(spelled) && midnightOf(spelled.slice(0, 10)) !== undefined;
    const parsed = isWritten ? new Date(spelled.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')) : new Date(NaN);
    if (!Number.isNaN(parsed.getTime())) return parsed;
    context.addIssue({ code: 'custom', message: 'should be a date such as 2026-01-31T08:00:00Z' });
    return z.NEVER;
  });

/** Midnight of a day such as `2026-01-31`, in UTC. Undefined for the 31st of February, which Date takes for a day of March. */
export function midnightOf(day: string): Date | undefined {
  const midnight = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day) ? undefined : midnight;
}

/** UTC, `Z`, up to three decimals with trailing zeros trimmed (E6). */
export function formatInstant(at: Date): string {
  return at.toISOString().replace(/\.(\d*?)0*Z$/, (_, decimals: string) => (decimals === '' ? 'Z' : `.${decimals}Z`));
}

/** A zone by its IANA name, deprecated aliases included, kept as written; offsets such as `+01:00` are none (U2). */
export const timeZone: z.ZodType<string, string> = z
  .string('should be a time zone such as Europe/Rome')
  .max(100, { error: 'should be a time zone such as Europe/Rome', abort: true })
  .refine((value) => /^[a-z]/i.test(value) && isTimeZone(value), 'should be a time zone such as Europe/Rome')
  .meta({ format: 'iana-time-zone', examples: ['Europe/Rome'] });

/**
 * Whether `name` is a zone, or an offset, that can be counted with. It asks Temporal, which counts: Intl also takes names such
 * as `IST`, which are no zones of IANA.
 */
export function isTimeZone(name: string): boolean {
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId !== '';
  } catch {
    return false;
  }
}

/** The same of plain addresses, as a pattern of JSON Schema, whose readers do not all know classes of characters. */
export const PLAIN_EMAIL_ADDRESS =
  '^(?!\\.)(?![^@]*\\.[.@])[^\\s\\ufeff\\u0000-\\u001f\\u007f-\\u009f@<>()\\[\\]\\\\,;:"]{1,64}@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$';

/** One address, with nothing in it that could change the head of a mail. Dots stand between other characters: mail servers refuse `a..b`. */
const EMAIL_ADDRESS = /^(?!\.)(?![^@]*\.[.@])[^\s\p{Cc}\p{Cs}@<>()[\]\\,;:"]{1,64}@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u;

/** Whether `value` is one e-mail address that may stand in the head of a mail as it is: no name, no list, no line break. */
export const isEmailAddress = (value: string): boolean => EMAIL_ADDRESS.test(value);

/** An identifier, whatever its form: clients treat ids as opaque. */
export const id = z.string().min(1).max(100);

/** P1 is the most urgent; read in any letter case (E5). */
export const Priority = oneOf(['P1', 'P2', 'P3', 'P4', 'P5']);
export type Priority = z.infer<typeof Priority>;
