import { z } from 'zod';
import type { KeyQuestion, KeyUrls } from '../ports/callback-provider.ts';
import { SignedCallbackUrls, type SignedCallbackUrlsParts } from './signed-callback-urls.ts';

const Subject = z.tuple([z.string(), z.int(), z.string(), z.string(), z.string(), z.string(), z.string()]);

/** The URLs at which providers tell which key was pressed during a call: each is signed for one question. */
export class KeyLinks implements KeyUrls {
  readonly #urls: SignedCallbackUrls<z.infer<typeof Subject>>;

  constructor(parts: SignedCallbackUrlsParts) {
    this.#urls = new SignedCallbackUrls(parts, Subject);
  }

  urlOf(provider: string, { about, asked }: KeyQuestion): string {
    const { alertId, page, tinyId, to, userId } = about;
    return this.#urls.urlOf([provider, asked, alertId, page, userId, tinyId, to]);
  }

  read(provider: string, token: string): KeyQuestion | 'expired' | 'forged' {
    const subject = this.#urls.read(provider, token);
    if (typeof subject === 'string') return subject;
    const [, asked, alertId, page, userId, tinyId, to] = subject;
    return { about: { alertId, page, userId, tinyId, to }, asked };
  }
}
