import { createHmac } from 'node:crypto';
import { isEqualInConstantTime } from './constant-time.ts';
import { derivedKeysOf, type SigningKeys } from './signing-keys.ts';

export type SignedLink =
  | { readonly kind: 'valid'; readonly subject: string }
  | { readonly kind: 'expired' }
  /** Not signed by us for this purpose, or changed. */
  | { readonly kind: 'forged' };

/** Each purpose has its own signing key, so that a link for one purpose is not valid for another. */
const PURPOSES = {
  /** Opens an attached file (A13). */
  file: 'tocsin link v1',
  /** Acknowledges an alert, for a person that was paged (U9). */
  acknowledge: 'tocsin acknowledge link v1',
  /** The provider's callback about one attempt to send a message (U18). */
  callback: 'tocsin callback link v1',
  /** The provider's callback about the key that a person pressed in a call (U20). */
  'call-key': 'tocsin call key link v1',
  /** A button below a post about an alert in a channel of chat (C7). */
  'chat-button': 'tocsin chat button v1',
  /** The cookie of a browser in which a session of a user began (K20). */
  browser: 'tocsin known browser v2',
} as const;
export type LinkPurpose = keyof typeof PURPOSES;

const FORM = /^([\w-]{1,2000})\.(\d{1,12})\.([\w-]{43})$/;

/**
 * Signs links, and a cookie, that give their holder access to one thing until an instant (A13): HMAC-SHA256 with a key derived from the signing
 * key of the installation and the purpose.
 */
export class LinkSigner {
  readonly #keys: SigningKeys;

  /** @param keys one or two: the first signs, both are accepted, for a rotation */
  constructor(keys: readonly string[], purpose: LinkPurpose) {
    this.#keys = derivedKeysOf(keys, PURPOSES[purpose]);
  }

  /**
   * @param subject 1 to 2000 letters, digits, `_` and `-`; readable for the holder of the link
   * @param expiresAt exclusive, cut to whole seconds
   */
  sign(subject: string, expiresAt: Date): string {
    const said = `${subject}.${String(Math.floor(expiresAt.getTime() / 1_000))}`;
    return `${said}.${signature(said, this.#keys[0]).toString('base64url')}`;
  }

  read(token: string, now: Date): SignedLink {
    const [, subject = '', expires = '', given = ''] = FORM.exec(token) ?? [];
    const bytes = Buffer.from(given, 'base64url');
    const isSigned = this.#keys.some((key) => isEqualInConstantTime(bytes, signature(`${subject}.${expires}`, key)));
    if (!isSigned) return { kind: 'forged' };
    return now.getTime() < Number(expires) * 1_000 ? { kind: 'valid', subject } : { kind: 'expired' };
  }
}

function signature(said: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(said).digest();
}
