import { codePoints } from '@tocsin/events';
import { fieldOf, nearestField, type Field } from './fields.ts';
import { depthOf, MAX_DEPTH, MAX_LENGTH, type Query } from './query.ts';
import { Refusal, Scanner, type Sign, type Written } from './scanner.ts';
import { comparison, freeText, nullTest } from './values.ts';

/** A parsed query. `query` is undefined for an empty text, which finds every alert. */
export type ParsedQuery =
  | { readonly kind: 'query'; readonly query: Query | undefined }
  /** `position` is in code points from 1. `reason` is a clause that says what is wrong or expected there. */
  | { readonly kind: 'refused'; readonly position: number; readonly reason: string };

/**
 * Reads the grammar of wire facts 4.2 (A11); never throws. `AND` binds tighter than `OR`, `NOT` tighter than both, and
 * terms beside each other are joined by `AND`. All three may be in lower case; `not` before a plain word is refused, as it may be
 * a word of a text. At most {@link MAX_LENGTH} code points, terms at most {@link MAX_DEPTH} deep.
 */
export function parseQuery(text: string): ParsedQuery {
  const tooLong = {
    kind: 'refused',
    position: MAX_LENGTH + 1,
    reason: `expected at most ${MAX_LENGTH} characters`,
  } as const;
  if (codePoints(text) > MAX_LENGTH) return tooLong;
  try {
    return { kind: 'query', query: new Parser(text).query() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: 'refused', position: codePoints(text.slice(0, error.at)) + 1, reason: error.message };
  }
}

const TOO_DEEP = `terms can lie at most ${MAX_DEPTH} deep in one another`;

class Parser {
  readonly #scanner: Scanner;
  #depth = 0;

  constructor(text: string) {
    this.#scanner = new Scanner(text);
  }

  query(): Query | undefined {
    if (this.#scanner.isAtEnd()) return undefined;
    const query = this.#either(() => this.#term());
    if (!this.#scanner.isAtEnd()) throw new Refusal(this.#scanner.at, `expected a term, found ${this.#scanner.next()}`);
    if (depthOf(query) > MAX_DEPTH) throw new Refusal(0, TOO_DEEP);
    return query;
  }

  /** Terms joined by `OR`. Whole terms and the values of one field have the same grammar. */
  #either(one: () => Query): Query {
    const parts = [this.#all(one)];
    while (this.#scanner.takesWord('or')) parts.push(this.#all(one));
    return joined('or', parts);
  }

  #all(one: () => Query): Query {
    const parts = [this.#one(one)];
    while (!this.#endsAll()) {
      this.#scanner.takesWord('and');
      parts.push(this.#one(one));
    }
    return joined('and', parts);
  }

  #endsAll(): boolean {
    const { at } = this.#scanner;
    const ends = this.#scanner.isAtEnd() || this.#scanner.sees(')') || this.#scanner.takesWord('or');
    this.#scanner.rewind(at);
    return ends;
  }

  #one(one: () => Query): Query {
    const { at } = this.#scanner;
    if (this.#takesNot()) return { kind: 'not', part: this.#deeper(at, () => this.#one(one)) };
    if (!this.#scanner.takes('(')) return one();
    return this.#deeper(at, () => {
      const query = this.#either(one);
      if (!this.#scanner.takes(')')) throw new Refusal(this.#scanner.at, `expected [)], found ${this.#scanner.next()}`);
      return query;
    });
  }

  #takesNot(): boolean {
    const { at } = this.#scanner;
    const isPlain = this.#scanner.next() !== '[NOT]';
    if (!this.#scanner.takesWord('not')) return false;
    if (isPlain && !this.#scanner.sees('(') && !this.#seesComparison())
      throw new Refusal(at, 'write [NOT] to exclude what follows, or put [not] into quotes to search for it');
    return true;
  }

  #seesComparison(): boolean {
    const { at } = this.#scanner;
    const isField = this.#scanner.term()?.quoted === false && this.#scanner.sign() !== undefined;
    this.#scanner.rewind(at);
    return isField;
  }

  #deeper(at: number, read: () => Query): Query {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Refusal(at, TOO_DEEP);
    const query = read();
    this.#depth -= 1;
    return query;
  }

  #term(): Query {
    this.#refuseKeyword();
    const written = this.#scanner.term();
    if (written === undefined) throw new Refusal(this.#scanner.at, `expected a term, found ${this.#scanner.next()}`);
    const sign = written.quoted || written.prefix ? undefined : this.#scanner.sign();
    if (sign !== undefined) return this.#compared(knownField(written), sign);
    return (written.quoted ? undefined : (this.#nullWords(written) ?? this.#listWords(written))) ?? freeText(written);
  }

  #refuseKeyword(): void {
    const { at } = this.#scanner;
    const found = this.#scanner.next();
    if (this.#scanner.takesWord('and') || this.#scanner.takesWord('or'))
      throw new Refusal(at, `expected a term, found ${found}`);
  }

  #compared(field: Field, sign: Sign): Query {
    const value = (): Query => {
      this.#refuseKeyword();
      const written = this.#scanner.value();
      if (written === undefined) throw new Refusal(this.#scanner.at, `expected a value, found ${this.#scanner.next()}`);
      return comparison(field, { ...sign, negated: false }, written);
    };
    const compared = this.#scanner.sees('(') ? this.#one(value) : value();
    return sign.negated ? { kind: 'not', part: compared } : compared;
  }

  /** `field is null` and `field is not null`; other words after a field are words to search for. */
  #nullWords(written: Written): Query | undefined {
    const field = fieldIn(written);
    const { at } = this.#scanner;
    if (field === undefined || !this.#scanner.takesWord('is')) return undefined;
    const negated = this.#scanner.takesWord('not');
    if (this.#scanner.takesWord('null')) {
      const test = nullTest(field, written.at);
      return negated ? { kind: 'not', part: test } : test;
    }
    this.#scanner.rewind(at);
    return undefined;
  }

  /** `field in (a, b)` and `field not in (a, b)`; commas or `OR` separate the values. */
  #listWords(written: Written): Query | undefined {
    const field = fieldIn(written);
    const { at } = this.#scanner;
    const negated = field !== undefined && this.#scanner.takesWord('not');
    if (field === undefined || !this.#scanner.takesWord('in') || !this.#scanner.takes('(')) {
      this.#scanner.rewind(at);
      return undefined;
    }
    const sign = { at, operator: '=', negated: false } as const;
    const parts: Query[] = [];
    do {
      const value = this.#scanner.item();
      if (value === undefined) throw new Refusal(this.#scanner.at, `expected a value, found ${this.#scanner.next()}`);
      parts.push(comparison(field, sign, value));
    } while (this.#scanner.takes(',') || this.#scanner.takesWord('or'));
    if (!this.#scanner.takes(')')) throw new Refusal(this.#scanner.at, `expected [)], found ${this.#scanner.next()}`);
    const listed = joined('or', parts);
    return negated ? { kind: 'not', part: listed } : listed;
  }
}

function joined(kind: 'and' | 'or', parts: readonly Query[]): Query {
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : { kind, parts };
}

function fieldIn({ text, key }: Written): Field | undefined {
  return key === undefined ? fieldOf(text) : { kind: 'detail', key };
}

function knownField(written: Written): Field {
  const field = fieldIn(written);
  const { text, at } = written;
  if (field !== undefined) return field;
  throw new Refusal(
    at,
    `unknown field [${text}]; did you mean [${nearestField(text)}]? Put text with a sign in it into quotes`,
  );
}
