import type { Phrase } from './query.ts';

const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

/** Only so much of a text is searchable, in UTF-16 units. */
const MAX_TEXT_LENGTH = 20_000;

/**
 * Only so many different words of a description are searchable, because each is an entry of the index. Three hundred alerts with
 * thousands of words each, such as dumps of logs, would take longer than their transaction may last.
 */
const MAX_WORDS = 500;

/** A word is letters, digits and `_` in a row. Words are lower case and in one Unicode form. */
export function wordsOf(text: string): readonly string[] {
  const folded = text.slice(0, MAX_TEXT_LENGTH).normalize('NFKC').toLowerCase().normalize('NFKC');
  return folded.match(WORD) ?? [];
}

/** The texts of an alert that are searched by words. */
export interface SearchableText {
  readonly message: string;
  readonly description: string;
  readonly alias: string;
  readonly entity: string;
  readonly source: string;
  readonly tags: readonly string[];
}

/** The words of an alert, as searches need them. Each text is its words, with a space before, between and after them. */
export interface CollectedWords {
  /** Each once, of all texts. */
  readonly words: readonly string[];
  readonly message: string;
  readonly description: string;
  /** Alias, entity, source and tags. */
  readonly others: readonly string[];
}

/** Deterministic: the same words for the same texts (A11). */
export function collectWords({ message, description, alias, entity, source, tags }: SearchableText): CollectedWords {
  const described = beginning(wordsOf(description));
  const texts = [wordsOf(message), described, ...[alias, entity, source, ...tags].map(wordsOf)];
  const [ofMessage = '', ofDescription = '', ...others] = texts.map(spaced);
  return { words: [...new Set(texts.flat())], message: ofMessage, description: ofDescription, others };
}

const spaced = (words: readonly string[]): string => ` ${words.join(' ')} `;

/** The substring of a collected text that contains `phrase`. */
export function soughtIn({ words, prefix }: Phrase): string {
  return prefix ? ` ${words.join(' ')}` : spaced(words);
}

/** The words before the first that is one too many. */
function beginning(words: readonly string[]): readonly string[] {
  const different = new Set<string>();
  const end = words.findIndex((word) => different.add(word).size > MAX_WORDS);
  return end < 0 ? words : words.slice(0, end);
}
