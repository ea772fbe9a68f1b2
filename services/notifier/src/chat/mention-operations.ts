import { withTimeout } from '@tocsin/core';
import type { WebhookEvent } from '../messages/delivery.ts';
import type { ChatChannel, OnCallChatClients } from './chat-client.ts';
import type { AccountsByMail } from './on-call/accounts.ts';

/** Users who are mentioned in one post. */
const MAX_MENTIONED = 10;
/** For how long a post waits for the look-ups of accounts, real time. */
const LOOK_UPS_MS = 1_000;
/** For how long no account is looked up for an integration after a look-up that failed: as long as a call may take. */
const FAILED_MS = 10_000;

export interface MentionRespondersPorts {
  readonly clients: OnCallChatClients;
  readonly accounts: AccountsByMail;
  readonly lookUpsMs?: number;
  /** Milliseconds of a clock that is never set back. */
  readonly nowMs?: () => number;
}

/** Finds the accounts by which a post mentions the responders of its alert. */
export class MentionResponders {
  readonly #ports: MentionRespondersPorts;
  /** Until when no account is looked up, by integration: calls that get no answer do not pile up. The oldest come first. */
  readonly #failedUntilMs = new Map<string, number>();

  constructor(ports: MentionRespondersPorts) {
    this.#ports = ports;
  }

  /**
   * The accounts of the responders that are users, 10 at most; none where the integration mentions no user. One that is not found within a
   * second is left out, and one that is not known for 10 s after a look-up that failed. Never rejects.
   */
  async of(
    integrationId: string,
    channel: ChatChannel,
    { responders }: Pick<WebhookEvent['alert'], 'responders'>,
  ): Promise<readonly string[]> {
    if (channel.chat.mention !== 'responders') return [];
    const users = responders.filter(({ type }) => type === 'user').slice(0, MAX_MENTIONED);
    const mails = users.flatMap(({ name }) => name ?? []);
    const { nowMs = () => performance.now() } = this.#ports;
    const mayAsk = (this.#failedUntilMs.get(integrationId) ?? -Infinity) <= nowMs();
    const found = await Promise.all(mails.map((mail) => this.#accountOf(channel, mail, mayAsk)));
    if (found.includes(undefined)) this.#keepFailure(integrationId, nowMs());
    return found.flatMap((each) => each?.account ?? []);
  }

  #keepFailure(integrationId: string, nowMs: number): void {
    for (const [id, untilMs] of this.#failedUntilMs) {
      if (untilMs > nowMs) break;
      this.#failedUntilMs.delete(id);
    }
    this.#failedUntilMs.delete(integrationId);
    this.#failedUntilMs.set(integrationId, nowMs + FAILED_MS);
  }

  /** Undefined where a look-up has failed. */
  async #accountOf(channel: ChatChannel, mail: string, mayAsk: boolean): Promise<MentionedAccount | undefined> {
    const { accounts, clients, lookUpsMs = LOOK_UPS_MS } = this.#ports;
    const { provider } = channel.chat;
    if (provider !== 'slack' && provider !== 'mattermost') return NOT_MENTIONED;
    const known = accounts.find(channel, mail);
    if (known !== undefined || !mayAsk) return known ?? NOT_MENTIONED;
    const asked = await withTimeout(accounts.ask(clients[provider], channel, mail), lookUpsMs, () => undefined);
    return asked?.kind === 'found' ? asked : undefined;
  }
}

interface MentionedAccount {
  readonly account: string | undefined;
}

const NOT_MENTIONED: MentionedAccount = { account: undefined };
