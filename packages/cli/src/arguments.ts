import { InvalidArgumentError, Option } from 'commander';
import { isDeepStrictEqual } from 'node:util';
import { reference } from './identifiers.ts';
import { plusDays, type Day } from './output/calendar.ts';

const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { d: 24 * HOUR_MS, h: HOUR_MS, m: 60_000, s: 1_000 };

/** `90m`, `1h30m`, `2d` in milliseconds. @throws InvalidArgumentError for any other text. */
export function duration(text: string): number {
  if (!/^(\d{1,6}(d|h|m|s))+$/i.test(text)) throw new InvalidArgumentError('Write it as 90m, 2h, 1h30m or 1d.');
  const parts = text.toLowerCase().match(/\d+[a-z]/g) ?? [];
  return parts.reduce((sum, part) => sum + Number(part.slice(0, -1)) * (UNITS[part.slice(-1)] ?? 0), 0);
}

/** An instant as ISO 8601 writes it; without an offset it is local time. @throws InvalidArgumentError for any other text. */
export function instant(text: string): Date {
  const [, date = '', time = 'T00:00'] = /^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}\S*)?$/.exec(text) ?? [];
  // A date alone would be read as one of UTC.
  const found = new Date(existingDay(date) === undefined ? '' : date + time.replace(' ', 'T'));
  if (!Number.isNaN(found.getTime())) return found;
  throw new InvalidArgumentError('Write it as 2026-03-02T18:00, or with an offset: 2026-03-02T18:00Z.');
}

/** A day as ISO 8601 writes it. @throws InvalidArgumentError for any other text, or a day that there is not. */
export function day(text: string): Day {
  const found = existingDay(text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError('Write it as 2026-12-21.');
}

/** Undefined for any other text, also for a day after the end of its month, which would be read as a day of the next month. */
function existingDay(text: string): Day | undefined {
  const [year = 0, month = 0, ofMonth = 0] = text.split('-').map(Number);
  const found: Day = { year, month, day: ofMonth };
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && year >= 1900 && isDeepStrictEqual(plusDays(found, 0), found)
    ? found
    : undefined;
}

/** A whole number from `least` to `most`. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };

/** Each occurrence of an option adds to its list. */
export const repeated = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const RESPONDER = /^(user|team|schedule|escalation):(.+)$/is;

/** A responder such as `team:Ops` or `user:ada@example.com`, by name or id; each occurrence adds one. */
export function responders(text: string, before: readonly object[] = []): readonly object[] {
  const [, type = '', called] = RESPONDER.exec(text) ?? [];
  if (called === undefined)
    throw new InvalidArgumentError('Write it as user:NAME, team:NAME, schedule:NAME or escalation:NAME.');
  const named = reference(called);
  const user = 'name' in named && type.toLowerCase() === 'user' ? { username: named.name } : named;
  return [...before, { type: type.toLowerCase(), ...user }];
}

/** A custom property `key=value`; each occurrence adds one. */
export function details(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as KEY=VALUE.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** An option that takes one of a few words, in any letter case. */
export function oneOf(flags: string, description: string, words: readonly string[]): Option {
  return new Option(flags, description).choices(words).argParser((text: string) => {
    const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
    if (found === undefined) throw new InvalidArgumentError(`Allowed are ${words.join(', ')}.`);
    return found;
  });
}
