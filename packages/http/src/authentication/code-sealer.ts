import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { derivedKeysOf, type SigningKeys } from './signing-keys.ts';

/** Of what the keys are made. */
const PURPOSE = 'tocsin sealed code v1';
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals codes on their way to the service that mails them: AES-256-GCM with a key derived from the signing key of the installation. Who reads a
 * topic, a database or a dead letter, and does not have that key, reads no code (K20).
 */
export class CodeSealer {
  readonly #keys: SigningKeys;

  /** @param keys one or two: the first seals, both open, for a rotation */
  constructor(keys: readonly string[]) {
    this.#keys = derivedKeysOf(keys, PURPOSE);
  }

  /** @param subject of what the code is; it opens for no other */
  seal(subject: string, code: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#keys[0], nonce).setAAD(Buffer.from(subject));
    const sealed = Buffer.concat([cipher.update(code, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** @throws RangeError where it was sealed for another subject or by other keys */
  open(subject: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    for (const key of this.#keys) {
      const code = opened(key, subject, bytes);
      if (code !== undefined) return code;
    }
    throw new RangeError('The code cannot be read: the signing key is another one than it was sealed with.');
  }
}

function opened(key: Uint8Array, subject: string, bytes: Buffer): string | undefined {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(subject)).setAuthTag(tag);
    const code = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(code).toString('utf8');
  } catch {
    return undefined;
  }
}
