/** How long a browser is known after the last session that began in it, in milliseconds. Sessions are shorter, so each sign-in renews it. */
export const KNOWN_BROWSER_LIFETIME_MS = 90 * 86_400_000;

/** The signed text of a cookie: the id of the browser, then that of the user. */
const SUBJECT = /^([\w-]{43})([\w-]+)$/;

/** Signs texts until an instant by a key of the installation, as the signer of links does. */
interface Signer {
  sign(subject: string, expiresAt: Date): string;
  read(
    token: string,
    now: Date,
  ): { readonly kind: 'valid'; readonly subject: string } | { readonly kind: 'expired' | 'forged' };
}

/**
 * Tells the browsers in which a session of a user has begun from all others (K20). Nothing is stored: the cookie has the ids of the browser
 * and of the user and the instant at which it expires, signed with a key of the installation.
 */
export class KnownBrowsers {
  readonly #signer: Signer;

  constructor(signer: Signer) {
    this.#signer = signer;
  }

  /** The cookie of a browser in which a session of the user begins. The id of the browser has 43 letters, digits, `_` and `-`. */
  cookieOf(userId: string, browserId: string, now: Date): string {
    return this.#signer.sign(`${browserId}${userId}`, new Date(now.getTime() + KNOWN_BROWSER_LIFETIME_MS));
  }

  /** The id of a browser in which a session of the user has begun, by its cookie; undefined of any other, and of one that has expired. */
  idOf(userId: string, cookie: string | undefined, now: Date): string | undefined {
    const known = this.#read(cookie, now);
    return known?.userId === userId ? known.browserId : undefined;
  }

  /** The id of the user of whom a session has begun in a browser, by its cookie. Undefined as for `idOf`. */
  userOf(cookie: string | undefined, now: Date): string | undefined {
    return this.#read(cookie, now)?.userId;
  }

  #read(cookie: string | undefined, now: Date): { readonly browserId: string; readonly userId: string } | undefined {
    const read = this.#signer.read(cookie ?? '', now);
    if (read.kind !== 'valid') return undefined;
    const [, browserId, userId] = SUBJECT.exec(read.subject) ?? [];
    return browserId === undefined || userId === undefined ? undefined : { browserId, userId };
  }
}
