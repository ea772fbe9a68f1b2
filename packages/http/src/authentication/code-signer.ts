import { createHmac } from 'node:crypto';
import { derivedKeysOf } from './signing-keys.ts';

/** Of what the key of codes is made. */
const PURPOSE = 'tocsin reply code v1';
/** Letters that make no words, and that no phone mends or shows like another one. */
const LETTERS = 'bcdfghjkmnpqrstvwxz';
const LENGTH = 5;

/**
 * Makes short codes that a user can type on a phone: five letters, the same for the same subject and signing key. Who does not have the signing
 * key of the installation guesses one in 2.4 million tries (U21).
 */
export class CodeSigner {
  readonly #key: Uint8Array;

  /** @param keys one or two: the first signs */
  constructor(keys: readonly string[]) {
    [this.#key] = derivedKeysOf(keys, PURPOSE);
  }

  codeOf(subject: string): string {
    const bytes = createHmac('sha256', this.#key).update(subject).digest();
    // 48 bits for a code of 22: letters differ in likelihood by less than one in ten million.
    let rest = bytes.readUIntBE(0, 6);
    let code = '';
    while (code.length < LENGTH) {
      code += LETTERS.charAt(rest % LETTERS.length);
      rest = Math.floor(rest / LETTERS.length);
    }
    return code;
  }
}
