import type { ServiceFinding } from '@tocsin/api';
import { formatInstant } from '@tocsin/events';

/** Why the updates of the bot cannot be read, and since when. */
export interface BotFailure {
  readonly since: Date;
  /** Of the last try, without secrets. */
  readonly reason: string;
}

/** A shorter failure passes by itself, such as the end of a process that has read. */
const SHORTEST_MS = 5 * 60_000;

/** The finding that the updates of the bot cannot be read (S17); undefined where they can, or could a moment ago. */
export function botFinding(failure: BotFailure | undefined, now: Date): ServiceFinding | undefined {
  if (failure === undefined || now.getTime() - failure.since.getTime() < SHORTEST_MS) return undefined;
  return {
    kind: 'bot-unread',
    severity: 'warning',
    teamIds: [],
    entity: { type: 'account', id: 'telegram', name: 'Telegram' },
    path: '/v2/account',
    message: `The updates of the bot of this installation in Telegram cannot be read since ${formatInstant(failure.since)}: ${failure.reason}. Buttons have no effect, and no account can be linked.`,
    remedy:
      'Mend what the reason names: the token of TELEGRAM_BOT_TOKEN, another program that reads the updates of the bot, or a webhook of the bot. The finding ends once they are read.',
  };
}
