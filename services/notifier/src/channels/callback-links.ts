import { z } from 'zod';
import type { CalledBack, CallbackUrls } from '../ports/callback-provider.ts';
import { callbackUrl, SignedCallbackUrls, type SignedCallbackUrlsParts } from './signed-callback-urls.ts';

const Subject = z.tuple([z.string(), z.enum(['sms', 'voice']), z.int(), z.string()]);

/** The URLs at which providers send receipts: each is signed for one attempt at one provider. */
export class CallbackLinks implements CallbackUrls {
  readonly #baseUrl: string;
  readonly #urls: SignedCallbackUrls<z.infer<typeof Subject>>;

  constructor(parts: SignedCallbackUrlsParts) {
    this.#baseUrl = parts.baseUrl;
    this.#urls = new SignedCallbackUrls(parts, Subject);
  }

  /** The URL for one attempt at `provider`. */
  urlOf(provider: string, { attempt, deliveryId, method }: CalledBack): string {
    return this.#urls.urlOf([provider, method, attempt, deliveryId]);
  }

  urlWith(provider: string, token: string | undefined): string {
    return callbackUrl(this.#baseUrl, provider, token);
  }

  read(provider: string, token: string): CalledBack | 'expired' | 'forged' {
    const subject = this.#urls.read(provider, token);
    if (typeof subject === 'string') return subject;
    const [, method, attempt, deliveryId] = subject;
    return { method, attempt, deliveryId };
  }
}
