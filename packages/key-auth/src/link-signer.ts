import { createHmac, timingSafeEqual } from 'node:crypto';
import { signingKeysOf, type SigningKeys } from './signing-keys.ts';

/** What a signed link says. */
export type SignedLink =
  | { readonly kind: 'valid'; readonly subject: string }
  | { readonly kind: 'expired' }
  /** Not signed by us, or not as it was signed. */
  | { readonly kind: 'forged' };

/** Keeps these signatures apart from those of callers, which the same keys sign (K6). */
const PURPOSE = 'tocsin link v1';
const FORM = /^(\d{1,20})\.(\d{1,12})\.([\w-]{43})$/;

/**
 * Signs links that open one thing, until an instant, to whoever holds them (A13): HMAC-SHA256 with a key made of the signing
 * key of the installation. Nobody who holds a link learns from it how to make another.
 */
export class LinkSigner {
  readonly #keys: SigningKeys;

  /** @param keys one or two: the first signs, during a rotation both are accepted */
  constructor(keys: readonly string[]) {
    const [first, ...others] = signingKeysOf(keys);
    this.#keys = [linkKey(first), ...others.map(linkKey)];
  }

  /** @param subject a decimal number @param expiresAt exclusive, cut to whole seconds */
  sign(subject: string, expiresAt: Date): string {
    const said = `${subject}.${String(Math.floor(expiresAt.getTime() / 1_000))}`;
    return `${said}.${signature(said, this.#keys[0]).toString('base64url')}`;
  }

  read(token: string, now: Date): SignedLink {
    const [, subject = '', expires = '', given = ''] = FORM.exec(token) ?? [];
    const bytes = Buffer.from(given, 'base64url');
    if (!this.#keys.some((key) => matches(bytes, signature(`${subject}.${expires}`, key)))) return { kind: 'forged' };
    return now.getTime() < Number(expires) * 1_000 ? { kind: 'valid', subject } : { kind: 'expired' };
  }
}

function linkKey(signingKey: Uint8Array): Uint8Array {
  return createHmac('sha256', signingKey).update(PURPOSE).digest();
}

function signature(said: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(said).digest();
}

function matches(given: Buffer, made: Buffer): boolean {
  return given.length === made.length && timingSafeEqual(given, made);
}
