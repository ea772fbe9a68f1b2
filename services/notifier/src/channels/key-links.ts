import { z } from 'zod';
import type { KeyQuestion, KeyUrls } from '../ports/callback-provider.ts';
import { callbackUrl, WORKS_FOR_MS, type CallbackLinksParts } from './callback-links.ts';

const Subject = z.tuple([z.string(), z.int(), z.string(), z.string(), z.string(), z.string(), z.string()]);

/** The URLs at which keys are told that are pressed during a call: each is signed for one question, and works for three days. */
export class KeyLinks implements KeyUrls {
  readonly #parts: CallbackLinksParts;

  /** @param parts its links are signed for no other purpose */
  constructor(parts: CallbackLinksParts) {
    this.#parts = parts;
  }

  urlOf(provider: string, { about, asked }: KeyQuestion): string {
    const { baseUrl, clock, links } = this.#parts;
    const { alertId, page, tinyId, to, userId } = about;
    const subject: z.infer<typeof Subject> = [provider, asked, alertId, page, userId, tinyId, to];
    const word = Buffer.from(JSON.stringify(subject)).toString('base64url');
    return callbackUrl(baseUrl, provider, links.sign(word, new Date(clock.now().getTime() + WORKS_FOR_MS)));
  }

  read(provider: string, token: string): KeyQuestion | 'expired' | 'forged' {
    const { clock, links } = this.#parts;
    const link = links.read(token, clock.now());
    if (link.kind !== 'valid') return link.kind;
    // We have signed it, so it is as we write it.
    const said = Subject.parse(JSON.parse(Buffer.from(link.subject, 'base64url').toString()));
    const [asker, asked, alertId, page, userId, tinyId, to] = said;
    return asker === provider ? { about: { alertId, page, userId, tinyId, to }, asked } : 'forged';
  }
}
