import type { Clock } from '@tocsin/clock';
import type { LinkSigner } from '@tocsin/key-auth';
import type { z } from 'zod';

export interface SignedCallbackUrlsParts {
  /** Scheme, host and perhaps a path at which providers reach the gateway; no slash at its end. */
  readonly baseUrl: string;
  /** Signs for no other purpose. */
  readonly links: Pick<LinkSigner, 'sign' | 'read'>;
  readonly clock: Clock;
}

/** Carriers try for up to three days to reach a phone that is off. */
const WORKS_FOR_MS = 3 * 86_400_000;

export const callbackUrl = (baseUrl: string, provider: string, token: string | undefined): string =>
  `${baseUrl}/callbacks/${provider}${token === undefined ? '' : `?token=${token}`}`;

/** URLs at which providers call back, signed for one subject, which begins with the provider. Each works for three days. */
export class SignedCallbackUrls<S extends readonly [provider: string, ...unknown[]]> {
  readonly #parts: SignedCallbackUrlsParts;
  readonly #subject: z.ZodType<S>;

  constructor(parts: SignedCallbackUrlsParts, subject: z.ZodType<S>) {
    this.#parts = parts;
    this.#subject = subject;
  }

  urlOf(subject: S): string {
    const { baseUrl, clock, links } = this.#parts;
    const written = Buffer.from(JSON.stringify(subject)).toString('base64url');
    const expiresAt = new Date(clock.now().getTime() + WORKS_FOR_MS);
    return callbackUrl(baseUrl, subject[0], links.sign(written, expiresAt));
  }

  /** The subject of a token; `forged` where it is none of `provider`. */
  read(provider: string, token: string): S | 'expired' | 'forged' {
    const { clock, links } = this.#parts;
    const link = links.read(token, clock.now());
    if (link.kind !== 'valid') return link.kind;
    // We have signed it, so it is as we write it.
    const subject = this.#subject.parse(JSON.parse(Buffer.from(link.subject, 'base64url').toString()));
    return subject[0] === provider ? subject : 'forged';
  }
}
