import { TokenBuckets, UnavailableError } from '@tocsin/core';
import type { CallbackOutcome } from '../channels/operations.ts';
import type { BotClient } from './client.ts';
import type { LinkAnswer, LinkClient } from './link-client.ts';
import type { Press, TakePresses } from './press-operations.ts';
import type { Update } from './update.ts';

/** Of one account: 20 updates at once, and 10 a minute. Further ones have no effect and no answer. */
const UPDATES = { perSecond: 10 / 60, burst: 20 };
/** Accounts that are remembered; the one that wrote longest ago is forgotten first. */
const MAX_ACCOUNTS = 10_000;

export interface TakeUpdatesPorts {
  readonly bot: Pick<BotClient, 'say' | 'answer' | 'keepButtons'>;
  readonly links: Pick<LinkClient, 'remove' | 'use'>;
  readonly presses: Pick<TakePresses, 'take'>;
  /** Called with the result of each press. */
  readonly onPress: (outcome: CallbackOutcome) => void;
  /** Called where a press could not be taken, and its user was asked to press again. */
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
}

/** Does what people want of the bot of the installation (U13, C7). */
export class TakeUpdates {
  readonly #ports: TakeUpdatesPorts;
  readonly #limit = new TokenBuckets(UPDATES, MAX_ACCOUNTS);

  constructor(ports: TakeUpdatesPorts) {
    this.#ports = ports;
  }

  /** Once this resolves, the effect of an update survives any crash. A repeat has no further effect. @throws errors of the stores. */
  async take(update: Update): Promise<void> {
    if (update.kind === 'other') return;
    const { bot, now = () => performance.now() } = this.#ports;
    if (this.#limit.take(update.account, now()) > 0) return;
    if (update.kind === 'press') await this.#press(update);
    else if (update.kind === 'group-start') await bot.say(update.chat, IN_PRIVATE);
    else if (update.kind === 'stop') await bot.say(update.account, await this.#stop(update.account));
    else await bot.say(update.account, await this.#start(update.account, update.code));
  }

  async #press(press: Press): Promise<void> {
    const { bot, onFailure, onPress, presses } = this.#ports;
    try {
      const { left, outcome, says } = await presses.take(press);
      onPress(outcome);
      await bot.answer(press.pressId, says, outcome !== 'acted');
      if (left !== undefined) await bot.keepButtons(press, left);
    } catch (error) {
      // The same button, pressed again, is the same act.
      onFailure(error);
      await bot.answer(press.pressId, PRESS_AGAIN, true);
    }
  }

  async #start(account: string, code: string | undefined): Promise<string> {
    if (code === undefined) return HINT;
    return unlessUnavailable(async () => linkText(await this.#ports.links.use(code, account)), AGAIN);
  }

  #stop(account: string): Promise<string> {
    return unlessUnavailable(async () => stopText(await this.#ports.links.remove(account)), STOP_AGAIN);
  }
}

/** What is said, or `otherwise` where directory does not answer. */
async function unlessUnavailable(say: () => Promise<string>, otherwise: string): Promise<string> {
  try {
    return await say();
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return otherwise;
  }
}

const WHERE = 'in the console, at Me, Devices';
const HINT = `To be paged here, add a device of Telegram ${WHERE}, and open its link.`;
const IN_PRIVATE = 'Write to me in a private chat to link your account.';
const PRESS_AGAIN = 'Perhaps nothing was changed, because a part of Tocsin does not answer. Please press again.';
const AGAIN = 'Nothing was changed, because a part of Tocsin does not answer. Please open the link again in a minute.';
const STOP_AGAIN =
  'Perhaps nothing was changed, because a part of Tocsin does not answer. Please write /stop again in a minute.';

const stopText = (username: string | undefined): string =>
  username === undefined
    ? 'Nothing was changed: this account is no device of a user.'
    : `This account is no device of ${username} any more: Tocsin sends no more pages here.`;

function linkText({ result, username = '' }: LinkAnswer): string {
  switch (result) {
    case 'linked':
      return `This account is a device of ${username} now. Tocsin pages ${username} here once a notification rule has a step for it: in the console, at Me, Notification rules. /stop ends that.`;
    case 'expired':
      return `Nothing was changed: this link has expired, or was used. Ask for another one ${WHERE}.`;
    case 'elsewhere':
      return 'Nothing was changed: this account is a device of another user. That user or an admin of Tocsin can delete it. Then open the link again.';
    case 'full':
      return `Nothing was changed: ${username} has as many devices as a user may have. Delete one, and open the link again.`;
  }
}
