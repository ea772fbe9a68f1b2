import type { Clock } from '@tocsin/clock';
import type { LinkSigner } from '@tocsin/key-auth';
import { z } from 'zod';
import type { CalledBack, CallbackUrls } from '../ports/callback-provider.ts';

export interface CallbackLinksParts {
  /** Scheme, host and perhaps a path at which providers reach the gateway; no slash at its end. */
  readonly baseUrl: string;
  readonly links: Pick<LinkSigner, 'sign' | 'read'>;
  readonly clock: Clock;
}

/** Carriers try for up to three days to reach a phone that is off. */
export const WORKS_FOR_MS = 3 * 86_400_000;

const Subject = z.tuple([z.string(), z.enum(['sms', 'voice']), z.int(), z.string()]);

export const callbackUrl = (baseUrl: string, provider: string, token: string | undefined): string =>
  `${baseUrl}/callbacks/${provider}${token === undefined ? '' : `?token=${token}`}`;

/** The URLs at which providers call back: each is signed for one attempt at one provider, and works for three days. */
export class CallbackLinks implements CallbackUrls {
  readonly #parts: CallbackLinksParts;

  constructor(parts: CallbackLinksParts) {
    this.#parts = parts;
  }

  /** The URL for one attempt at `provider`. */
  urlOf(provider: string, { attempt, deliveryId, method }: CalledBack): string {
    const { clock, links } = this.#parts;
    const subject: z.infer<typeof Subject> = [provider, method, attempt, deliveryId];
    const word = Buffer.from(JSON.stringify(subject)).toString('base64url');
    return this.urlWith(provider, links.sign(word, new Date(clock.now().getTime() + WORKS_FOR_MS)));
  }

  urlWith(provider: string, token: string | undefined): string {
    return callbackUrl(this.#parts.baseUrl, provider, token);
  }

  read(provider: string, token: string): CalledBack | 'expired' | 'forged' {
    const { clock, links } = this.#parts;
    const link = links.read(token, clock.now());
    if (link.kind !== 'valid') return link.kind;
    const [asked, method, attempt, deliveryId] = subjectOf(link.subject);
    return asked === provider ? { method, attempt, deliveryId } : 'forged';
  }
}

/** We have signed it, so it is as we write it. */
const subjectOf = (word: string): z.infer<typeof Subject> =>
  Subject.parse(JSON.parse(Buffer.from(word, 'base64url').toString()));
