import type { Operator } from './query.ts';

/** A syntax error of a query. `parseQuery` catches it and returns it. */
export class Refusal extends Error {
  /** Position in UTF-16 units from 0. */
  readonly at: number;

  constructor(at: number, reason: string) {
    super(reason);
    this.name = 'Refusal';
    this.at = at;
  }
}

/** A word and its position. A quoted one may contain anything. */
export interface Written {
  readonly at: number;
  readonly text: string;
  readonly quoted: boolean;
  /** With a `*` after it. */
  readonly prefix: boolean;
  /** The key of a detail, where it is written in quotes. */
  readonly key?: string;
}

/** A colon or a sign; `negated` where it is written with a `!`. */
export interface Sign {
  readonly at: number;
  readonly operator: Operator;
  readonly negated: boolean;
}

const SPACE = /\s*/y;
const SIGN = /!?[:=]|[<>]=?/y;
const BARE_TERM = /(?:[^\s()":=<>!]|!(?![:=]))+/y;
const BARE_VALUE = /[^\s()]+/y;
const BARE_ITEM = /[^\s(),]+/y;
const QUOTED = /"((?:[^"\\]|\\[^])*)"/y;

/** The lexer of queries. */
export class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Position of the next token. */
  get at(): number {
    this.#take(SPACE);
    return this.#at;
  }

  isAtEnd(): boolean {
    return this.at === this.#text.length;
  }

  /** Goes back to where it was. */
  rewind(at: number): void {
    this.#at = at;
  }

  /** Takes `piece` if it comes next. */
  takes(piece: '(' | ')' | ','): boolean {
    if (this.#text[this.at] !== piece) return false;
    this.#at += 1;
    return true;
  }

  sees(piece: '(' | ')'): boolean {
    return this.#text[this.at] === piece;
  }

  /** Takes the next word if it is `keyword`, in any case. `keyword` is in lower case. */
  takesWord(keyword: string): boolean {
    const { at } = this;
    if (this.#take(BARE_VALUE)?.toLowerCase() === keyword) return true;
    this.rewind(at);
    return false;
  }

  sign(): Sign | undefined {
    const { at } = this;
    const sign = this.#take(SIGN);
    if (sign === undefined) return undefined;
    const operator = sign.replace('!', '').replace(':', '=') as Operator;
    return { at, operator, negated: sign.startsWith('!') };
  }

  /** A word before an operator, or one to search for; `details."a key"` counts as one word. */
  term(): Written | undefined {
    const { at } = this;
    const bare = this.#take(BARE_TERM);
    if (bare === undefined) return this.#quoted(at);
    if (bare.toLowerCase() === 'details.' && this.#text[this.#at] === '"') {
      const key = this.#unquoted(this.#at);
      return { at, text: bare + key, quoted: false, prefix: false, key };
    }
    return starred(at, bare);
  }

  value(): Written | undefined {
    return this.#valueOf(BARE_VALUE);
  }

  /** A value of a list; a comma ends it. */
  item(): Written | undefined {
    return this.#valueOf(BARE_ITEM);
  }

  #valueOf(bareValue: RegExp): Written | undefined {
    const { at } = this;
    if (this.#text[at] === '"') return this.#quoted(at);
    const bare = this.#take(bareValue);
    return bare === undefined ? undefined : starred(at, bare);
  }

  /** The next token, for an error message. */
  next(): string {
    const { at } = this;
    if (at === this.#text.length) return 'the end';
    const word = this.#take(BARE_VALUE) ?? this.#text[at] ?? '';
    this.rewind(at);
    return `[${word}]`;
  }

  #quoted(at: number): Written | undefined {
    if (this.#text[at] !== '"') return undefined;
    const text = this.#unquoted(at);
    const prefix = this.#text[this.#at] === '*';
    if (prefix) this.#at += 1;
    return { at, text, quoted: true, prefix };
  }

  #unquoted(at: number): string {
    const quoted = this.#take(QUOTED);
    if (quoted === undefined) throw new Refusal(at, 'the quotes that begin here should end');
    return quoted.slice(1, -1).replace(/\\([^])/g, '$1');
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}

function starred(at: number, bare: string): Written {
  const prefix = bare.endsWith('*');
  const text = prefix ? bare.slice(0, -1) : bare;
  const star = text.indexOf('*');
  if (star >= 0)
    throw new Refusal(at + star, '[*] can stand only at the end of a word; put it into quotes to search for it');
  if (text === '') throw new Refusal(at, 'expected a word before [*]');
  return { at, text, quoted: false, prefix };
}
