import { withTimeout } from '@tocsin/core';
import type { WebhookEvent } from '../messages/delivery.ts';
import type { ChatChannel, OnCallChatClients } from './chat-client.ts';
import type { AccountsByMail } from './on-call/accounts.ts';

/** Users who are mentioned in one post. */
const MAX_MENTIONED = 10;
/** For how long a post waits for the look-ups of accounts, real time. */
const LOOK_UPS_MS = 1_000;

export interface MentionRespondersPorts {
  readonly clients: OnCallChatClients;
  readonly accounts: AccountsByMail;
  readonly lookUpsMs?: number;
}

/** Finds the accounts by which a post mentions the responders of its alert. */
export class MentionResponders {
  readonly #ports: MentionRespondersPorts;

  constructor(ports: MentionRespondersPorts) {
    this.#ports = ports;
  }

  /**
   * The accounts of the responders that are users, 10 at most; none where the integration mentions no user. One that is not found within a
   * second is left out. Never rejects.
   */
  async of(
    channel: ChatChannel,
    { responders }: Pick<WebhookEvent['alert'], 'responders'>,
  ): Promise<readonly string[]> {
    if (channel.chat.mention !== 'responders') return [];
    const users = responders.filter(({ type }) => type === 'user').slice(0, MAX_MENTIONED);
    const mails = users.flatMap(({ name }) => name ?? []);
    const found = await Promise.all(mails.map((mail) => this.#accountOf(channel, mail)));
    return found.filter((account) => account !== undefined);
  }

  async #accountOf(channel: ChatChannel, mail: string): Promise<string | undefined> {
    const { accounts, clients, lookUpsMs = LOOK_UPS_MS } = this.#ports;
    const { provider } = channel.chat;
    if (provider !== 'slack' && provider !== 'mattermost') return undefined;
    const known = accounts.find(channel, mail);
    if (known !== undefined) return known.account;
    const asked = await withTimeout(accounts.ask(clients[provider], channel, mail), lookUpsMs, () => undefined);
    return asked?.kind === 'found' ? asked.account : undefined;
  }
}
