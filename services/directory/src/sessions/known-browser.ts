/** How long a browser is known after the last session that began in it, in milliseconds. Browsers keep no cookie for longer than 400 days. */
export const KNOWN_BROWSER_LIFETIME_MS = 365 * 86_400_000;

/** The cookie: an id, and the proof that a session of the user name has begun in this browser. */
const COOKIE = /^([\w-]{43})\.([\da-f]{64})$/;

/** Proves texts by a key of the installation, as the code hasher does. */
interface Hasher {
  hash(subject: string, text: string): string;
  fits(subject: string, text: string, hash: string): boolean;
}

/**
 * Tells the browsers in which a session of a user name has begun from all others (K20). Nothing is stored: the cookie is signed with a key of
 * the installation.
 */
export class KnownBrowsers {
  readonly #hasher: Hasher;

  constructor(hasher: Hasher) {
    this.#hasher = hasher;
  }

  /** The cookie of a browser in which a session of the user name begins. */
  cookieOf(username: string, browserId: string): string {
    return `${browserId}.${this.#hasher.hash(username, browserId)}`;
  }

  /** The id of a browser in which a session of the user name has begun, by its cookie; undefined of any other. */
  idOf(username: string, cookie: string | undefined): string | undefined {
    const [, id = '', proof = ''] = COOKIE.exec(cookie ?? '') ?? [];
    return id !== '' && this.#hasher.fits(username, id, proof) ? id : undefined;
  }
}
