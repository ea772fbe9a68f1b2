import type { Phrase } from './query.ts';

const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

/** Texts longer than this are collected up to here, in UTF-16 units: what lies beyond is not found. */
const MOST_TEXT = 20_000;

/** Letters, digits and `_` in a row, in lower case and one Unicode form; everything else parts words. */
export function wordsOf(text: string): readonly string[] {
  const folded = text.slice(0, MOST_TEXT).normalize('NFKC').toLowerCase().normalize('NFKC');
  return folded.match(WORD) ?? [];
}

/** What is searched by words in an alert. */
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

/** The words of an alert: the same for the same texts, whenever and wherever they are collected (A11). */
export function collectWords({ message, description, alias, entity, source, tags }: SearchableText): CollectedWords {
  const texts = [message, description, alias, entity, source, ...tags].map(wordsOf);
  const [ofMessage = '', ofDescription = '', ...others] = texts.map(spaced);
  return { words: [...new Set(texts.flat())], message: ofMessage, description: ofDescription, others };
}

const spaced = (words: readonly string[]): string => ` ${words.join(' ')} `;

/** What a collected text holds where `phrase` is in it. */
export function soughtIn({ words, prefix }: Phrase): string {
  return prefix ? ` ${words.join(' ')}` : spaced(words);
}
