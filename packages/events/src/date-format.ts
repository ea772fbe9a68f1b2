import { Temporal } from 'temporal-polyfill';
import { isTimeZone } from './primitives.ts';

/** Formats a timestamp; undefined for a text that is no timestamp. */
type DateFormat = (timestamp: string) => string | undefined;

type Letter = (at: Temporal.ZonedDateTime, count: number) => string;

const padded =
  (number: (at: Temporal.ZonedDateTime) => number): Letter =>
  (at, count) =>
    String(number(at)).padStart(count, '0');

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');

/** The whole name from four letters on, otherwise its first three letters. */
const named = (name = '', count: number): string => (count > 3 ? name : name.slice(0, 3));

const year: Letter = (at, count) =>
  count === 2 ? padded(({ year: of }) => of % 100)(at, 2) : padded((of) => of.year)(at, count);

/** `+hh:mm`, `+hhmm` or, where there are no minutes, `+hh`. */
const isoOffset: Letter = ({ offset }, count) => {
  if (offset === '+00:00') return 'Z';
  return [offset.slice(0, 3), offset.replace(':', ''), offset][count - 1] ?? offset;
};

/** The supported letters of Java's SimpleDateFormat. Names are English. */
const LETTERS: Readonly<Record<string, Letter>> = {
  y: year,
  u: padded(({ dayOfWeek }) => dayOfWeek),
  M: (at, count) => (count > 2 ? named(MONTHS[at.month - 1], count) : padded(({ month }) => month)(at, count)),
  d: padded(({ day }) => day),
  D: padded(({ dayOfYear }) => dayOfYear),
  E: (at, count) => named(DAYS[at.dayOfWeek - 1], count),
  a: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  H: padded(({ hour }) => hour),
  k: padded(({ hour }) => (hour === 0 ? 24 : hour)),
  K: padded(({ hour }) => hour % 12),
  h: padded(({ hour }) => hour % 12 || 12),
  m: padded(({ minute }) => minute),
  s: padded(({ second }) => second),
  S: padded(({ millisecond }) => millisecond),
  z: ({ offset }) => (offset === '+00:00' ? 'GMT' : `GMT${offset}`),
  Z: ({ offset }) => offset.replace(':', ''),
  X: isoOffset,
};

const DEFAULT_FORMAT = 'yyyy-MM-dd HH:mm:ss ZZZ';
/** A quoted text, a run of one letter, or any other character. */
const TOKEN = /'((?:[^']|'')*)'|(([A-Za-z])\3*)|[^A-Za-z']/gy;

/**
 * Compiles a format of Java's SimpleDateFormat, in GMT unless `zone` is given. Undefined for an unknown letter or an unknown
 * zone.
 */
export function dateFormat(format: string = DEFAULT_FORMAT, zone = 'GMT'): DateFormat | undefined {
  const tokens = [...format.matchAll(TOKEN)];
  const parts = tokens.map(([token, quoted, letters, letter]) => partOf(token, quoted, letters, letter));
  const isWhole = tokens.map(([token]) => token).join('') === format;
  if (!isWhole || !parts.every((part) => part !== undefined) || !isTimeZone(zone)) return undefined;
  return (timestamp) => {
    const at = instantOf(timestamp)?.toZonedDateTimeISO(zone);
    return at && parts.map((part) => part(at)).join('');
  };
}

type Part = (at: Temporal.ZonedDateTime) => string;

function partOf(token: string, quoted?: string, letters?: string, letter = ''): Part | undefined {
  if (quoted !== undefined) return () => quoted.replaceAll("''", "'") || "'";
  if (letters === undefined) return () => token;
  const format = Object.hasOwn(LETTERS, letter) ? LETTERS[letter] : undefined;
  return format && ((at) => format(at, letters.length));
}

/** Smaller numbers are seconds, because as milliseconds they would lie before 1973. */
const MIN_MILLISECONDS = 100_000_000_000;

/** The instant of milliseconds or seconds since 1970, or of a date and time with a zone. */
function instantOf(timestamp: string): Temporal.Instant | undefined {
  const written = timestamp.slice(0, 100).trim();
  try {
    if (!/^\d{1,16}(\.\d+)?$/.test(written)) return Temporal.Instant.from(written);
    const number = Number(written);
    return Temporal.Instant.fromEpochMilliseconds(Math.floor(number < MIN_MILLISECONDS ? number * 1_000 : number));
  } catch {
    return undefined;
  }
}
