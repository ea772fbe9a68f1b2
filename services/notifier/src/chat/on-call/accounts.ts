import { createHash } from 'node:crypto';
import type { Clock } from '@tocsin/core';
import type { ChatChannel, FoundByMail, OnCallChatClient } from '../chat-client.ts';

const FOUND_MS = 4 * 3_600_000;
/** An account may be made at any time. */
const NOT_FOUND_MS = 3_600_000;
const MAX_KNOWN = 10_000;

interface Known {
  readonly account: string | undefined;
  readonly untilMs: number;
}

/** Accounts of products by the mail address of their users. What was found is known for 4 h, that there is none for 1 h. */
export class AccountsByMail {
  readonly #clock: Clock;
  /** By a digest, so that no token is kept. The oldest come first. */
  readonly #known = new Map<string, Known>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined where the product has to be asked. */
  find(channel: ChatChannel, mail: string): { readonly account: string | undefined } | undefined {
    const known = this.#known.get(keyOf(channel, mail));
    return known !== undefined && known.untilMs > this.#clock.now().getTime() ? known : undefined;
  }

  /** Asks the product. */
  async ask(client: Pick<OnCallChatClient, 'accountWith'>, channel: ChatChannel, mail: string): Promise<FoundByMail> {
    const found = await client.accountWith(channel, mail);
    if (found.kind === 'found') this.#keep(channel, mail, found.account);
    return found;
  }

  #keep(channel: ChatChannel, mail: string, account: string | undefined): void {
    const key = keyOf(channel, mail);
    this.#known.delete(key);
    const untilMs = this.#clock.now().getTime() + (account === undefined ? NOT_FOUND_MS : FOUND_MS);
    this.#known.set(key, { account, untilMs });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

const keyOf = ({ chat, url }: ChatChannel, mail: string): string =>
  createHash('sha256')
    .update(JSON.stringify([url, chat.token, mail.toLowerCase()]))
    .digest('base64url');
