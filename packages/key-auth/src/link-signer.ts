import { createHmac, timingSafeEqual } from 'node:crypto';
import { signingKeysOf, type SigningKeys } from './signing-keys.ts';

/** What a signed link says. */
export type SignedLink =
  | { readonly kind: 'valid'; readonly subject: string }
  | { readonly kind: 'expired' }
  /** Not signed by us for this purpose, or not as it was signed. */
  | { readonly kind: 'forged' };

/** What links are for: each kind has a key of its own, so that a link to a file never passes for another. */
const PURPOSES = {
  /** Opens an attached file (A13). */
  file: 'tocsin link v1',
  /** Lets whoever was told of an alert acknowledge it (U9). */
  acknowledge: 'tocsin acknowledge link v1',
  /** Tells what became of one attempt to hand a message over (U7). */
  callback: 'tocsin callback link v1',
  /** Tells which key somebody pressed who was called to an alert (U9). */
  'call-key': 'tocsin call key link v1',
} as const;
export type LinkPurpose = keyof typeof PURPOSES;

const FORM = /^([\w-]{1,2000})\.(\d{1,12})\.([\w-]{43})$/;

/**
 * Signs links that open one thing, until an instant, to whoever holds them (A13): HMAC-SHA256 with a key made of the signing
 * key of the installation and of what the links are for. Nobody who holds a link learns from it how to make another.
 */
export class LinkSigner {
  readonly #keys: SigningKeys;

  /** @param keys one or two: the first signs, during a rotation both are accepted */
  constructor(keys: readonly string[], purpose: LinkPurpose) {
    const [first, ...others] = signingKeysOf(keys);
    const linkKey = (key: Uint8Array) => createHmac('sha256', key).update(PURPOSES[purpose]).digest();
    this.#keys = [linkKey(first), ...others.map(linkKey)];
  }

  /**
   * @param subject letters, digits, `_` and `-`; 1 to 2000 of them. Whoever holds the link can read it.
   * @param expiresAt exclusive, cut to whole seconds
   */
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

function signature(said: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(said).digest();
}

function matches(given: Buffer, made: Buffer): boolean {
  return given.length === made.length && timingSafeEqual(given, made);
}
