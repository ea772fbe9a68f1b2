import { codePoints } from '@tocsin/events';

/** A value cut to its limits, and one sentence for each cut (E8). */
export interface Fit<T> {
  readonly kept: T;
  readonly cut: readonly string[];
}

/** The first `max` code points. */
export function fittingText(field: string, text: string, max: number): Fit<string> {
  const kept = shortened(text, max);
  return { kept, cut: kept === text ? [] : [`${field}: was cut to ${max} characters.`] };
}

/** The first `max` items. */
export function clipped<T>(field: string, items: readonly T[], max: number): Fit<T[]> {
  if (items.length <= max) return { kept: [...items], cut: [] };
  return {
    kept: items.slice(0, max),
    cut: [`${field}: ${items.length - max} of ${items.length} items were left out.`],
  };
}

/** The first `max` words, each at most `maxLength` code points long. */
export function fittingWords(field: string, words: readonly string[], max: number, maxLength: number): Fit<string[]> {
  const { kept, cut } = clipped(field, words, max);
  const short = kept.map((word) => shortened(word, maxLength));
  const shortenedCount = short.filter((word, index) => word !== kept[index]).length;
  if (shortenedCount === 0) return { kept, cut };
  return { kept: short, cut: [...cut, `${field}: ${shortenedCount} items were cut to ${maxLength} characters.`] };
}

/** The entries that fit into `max` code points, keys and values together, taken in their order. */
export function fittingDetails(details: Readonly<Record<string, string>>, max: number): Fit<Record<string, string>> {
  const kept: [string, string][] = [];
  const left: string[] = [];
  let room = max;
  for (const [key, value] of Object.entries(details)) {
    // A character is at most two units, so a text that is far too long need not be counted.
    if (value.length > 2 * room || codePoints(key) + codePoints(value) > room) {
      left.push(key);
      continue;
    }
    kept.push([key, value]);
    room -= codePoints(key) + codePoints(value);
  }
  return {
    kept: Object.fromEntries(kept),
    cut: left.length === 0 ? [] : [`details: ${named(left)} left out, over ${max} characters.`],
  };
}

const NAMED = 5;

/** Names only the first few keys, so that the sentence is bounded. */
function named(keys: readonly string[]): string {
  const some = keys.slice(0, NAMED).map((key) => `[${shortened(key, 50)}]`);
  const others = keys.length - some.length;
  return `${some.join(', ')}${others > 0 ? ` and ${others} more` : ''} ${keys.length === 1 ? 'was' : 'were'}`;
}

/** At most `max` code points of `text`. A code point takes one or two units, so most texts need no count. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  return Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join('');
}
