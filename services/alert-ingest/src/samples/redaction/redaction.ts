import type { Steps } from '@tocsin/core';
import { objectIn } from '../../hooks/reading/payload.ts';
import { type IsKey, isSecretName, REDACTED, withoutSecrets } from './secrets.ts';

/** So many characters beyond the limit are read, so that a secret that the limit cuts is seen. */
const MARGIN = 4_096;
/** A text that holds JSON is read as such, and so is one in that. */
const MAX_NESTED_TEXTS = 3;
const LOOKS_LIKE_JSON = /^\s*[{[]/;
/** The fields by which an entry of a list names its value. */
const NAMES = ['name', 'key', 'field', 'header', 'label'] as const;
const VALUES: ReadonlySet<string> = new Set(['value', 'values', 'val', 'content']);

/** Writes the parts of one request without their secrets, up to a length in all. */
export class Redaction {
  readonly #isKey: IsKey;
  #left: number;
  #isTruncated = false;

  /** `maxLength` is in characters. */
  constructor(maxLength: number, isKey: IsKey) {
    this.#left = maxLength;
    this.#isKey = isKey;
  }

  /** Whether anything was left out for want of space. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /** The value as JSON, in steps. Entries that do not fit are left out, so that it is JSON in any case. */
  *json(value: unknown, nestedTexts = 0): Steps<string> {
    if (typeof value === 'string') return yield* this.#string(value, nestedTexts);
    if (Array.isArray(value)) return yield* this.#list(value, nestedTexts);
    if (typeof value === 'object' && value !== null) return yield* this.#object(value, nestedTexts);
    return this.#take(JSON.stringify(value ?? null));
  }

  /** A text as it is. */
  text(text: string): string {
    const redacted = withoutSecrets(text.slice(0, this.#left + MARGIN), this.#isKey);
    const kept = redacted.slice(0, this.#left).toWellFormed();
    if (text.length > this.#left + MARGIN || kept.length < redacted.length) this.#isTruncated = true;
    return this.#take(kept);
  }

  /** A name or a value of a form, a query or a header, in steps; one that holds JSON stays JSON. */
  *textOrJson(text: string): Steps<string> {
    const inner = LOOKS_LIKE_JSON.test(text) ? yield* objectIn(text) : undefined;
    return inner === undefined ? this.text(text) : yield* this.json(inner, 1);
  }

  /** The value of a field, in steps. */
  *field(name: string, value: string): Steps<string> {
    return value !== '' && isSecretName(name) ? REDACTED : yield* this.textOrJson(value);
  }

  /** Whether another entry has space; else that entries are left out is remembered. */
  hasSpace(): boolean {
    if (this.#left > 0) return true;
    this.#isTruncated = true;
    return false;
  }

  *#string(value: string, nestedTexts: number): Steps<string> {
    yield;
    const inner = nestedTexts < MAX_NESTED_TEXTS && LOOKS_LIKE_JSON.test(value) ? yield* objectIn(value) : undefined;
    // What the JSON in it takes was counted as it was written.
    if (inner !== undefined) return JSON.stringify(yield* this.json(inner, nestedTexts + 1));
    const redacted = withoutSecrets(value.slice(0, this.#left + MARGIN), this.#isKey);
    let kept = redacted.slice(0, this.#left);
    let written = JSON.stringify(kept.toWellFormed());
    while (written.length > this.#left + 2) {
      kept = kept.slice(0, Math.floor((kept.length * this.#left) / written.length));
      written = JSON.stringify(kept.toWellFormed());
    }
    if (value.length > this.#left + MARGIN || kept.length < redacted.length) this.#isTruncated = true;
    return this.#take(written);
  }

  *#list(list: readonly unknown[], nestedTexts: number): Steps<string> {
    yield;
    const [name, value] = list;
    const isSecretPair = list.length === 2 && typeof value === 'string' && isSecretText(name);
    const items: string[] = [];
    this.#take('[]');
    for (const item of isSecretPair ? [name, REDACTED] : list) {
      if (!this.hasSpace()) break;
      this.#take(',');
      items.push(yield* this.json(item, nestedTexts));
    }
    return `[${items.join(',')}]`;
  }

  *#object(object: object, nestedTexts: number): Steps<string> {
    yield;
    const named = NAMES.some((name) => isSecretText((object as Readonly<Record<string, unknown>>)[name]));
    const members: string[] = [];
    this.#take('{}');
    for (const [name, value] of Object.entries(object) as readonly (readonly [string, unknown])[]) {
      if (!this.hasSpace()) break;
      const isSecret = isSecretName(name) || (named && VALUES.has(name.toLowerCase()));
      const key = yield* this.#string(name, nestedTexts);
      this.#take(':,');
      const written =
        isSecret && isFilled(value) ? this.#take(JSON.stringify(REDACTED)) : yield* this.json(value, nestedTexts);
      members.push(`${key}:${written}`);
    }
    return `{${members.join(',')}}`;
  }

  #take(written: string): string {
    this.#left = Math.max(0, this.#left - written.length);
    return written;
  }
}

/** A sentence is no name. */
const isSecretText = (value: unknown): boolean => typeof value === 'string' && !/\s/.test(value) && isSecretName(value);

/** Whether the value may hold a secret. */
const isFilled = (value: unknown): boolean =>
  value !== null && value !== '' && typeof value !== 'boolean' && value !== undefined;
