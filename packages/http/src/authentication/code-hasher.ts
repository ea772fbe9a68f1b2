import { createHmac } from 'node:crypto';
import { isEqualInConstantTime } from './constant-time.ts';
import { derivedKeysOf, type SigningKeys } from './signing-keys.ts';

/** Of what the keys of the hashes are made. */
const PURPOSE = 'tocsin sign-in code v1';

/**
 * Hashes short codes for storage: HMAC-SHA256 with a key derived from the signing key of the installation. Who reads the database, and does
 * not have that key, cannot find a code by trying all (K20).
 */
export class CodeHasher {
  readonly #keys: SigningKeys;

  /** @param keys one or two: the first hashes, both are accepted, for a rotation */
  constructor(keys: readonly string[]) {
    this.#keys = derivedKeysOf(keys, PURPOSE);
  }

  /** @returns 64 lower-case hex digits; `subject` makes equal codes have different hashes */
  hash(subject: string, code: string): string {
    return hashed(this.#keys[0], subject, code).toString('hex');
  }

  /** Whether `hash` is that of the code, found out in constant time. */
  fits(subject: string, code: string, hash: string): boolean {
    const given = Buffer.from(hash, 'hex');
    return this.#keys.some((key) => isEqualInConstantTime(hashed(key, subject, code), given));
  }
}

const hashed = (key: Uint8Array, subject: string, code: string): Buffer =>
  createHmac('sha256', key).update(`${subject}:${code}`).digest();
