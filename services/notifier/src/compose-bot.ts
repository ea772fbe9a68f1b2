import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { pid } from 'node:process';
import { OutgoingCaller } from '@tocsin/http';
import { type Connection, Leases } from '@tocsin/mongo';
import { internalClient, type ServiceContext } from '@tocsin/service';
import { BotClient } from './bot/client.ts';
import { LinkClient } from './bot/link-client.ts';
import { TakeUpdates } from './bot/operations.ts';
import { addBotTasks, LEASE_MS, ReadBot } from './bot/task.ts';
import type { Config } from './config.ts';

/** Longer than Telegram holds an answer back. */
const CALL_TIMEOUT_MS = 35_000;
/** Ten updates, each with a message and the one to which it replies. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** Reads what people tell the bot of the installation in Telegram until the stop, where there is one. */
export function openBot(context: ServiceContext<Config>, connection: Connection): void {
  const { config, lifecycle, logger } = context;
  const { outgoingAllowedRanges: allowedRanges, telegramBotToken: token, telegramUrl: url } = config;
  if (token === undefined) return;
  const outgoing = new OutgoingCaller({ allowedRanges, timeoutMs: CALL_TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES });
  const client = new BotClient({ url, token }, outgoing);
  const links = new LinkClient(internalClient(context, 'directory'));
  const holder = `${hostname()}/${pid}/${randomUUID()}`;
  const leases = new Leases({ connection, group: 'telegram', holder, durationMs: LEASE_MS });
  const lease = leases.lease('updates');
  lifecycle.add('lease of the bot', () => lease.release());
  let failure: string | undefined;
  const bot = new ReadBot({
    client,
    updates: new TakeUpdates({ bot: client, links }),
    isLeased: () => lease.isHeld,
    onRead: (reason) => {
      if (reason !== failure) {
        if (reason === undefined) logger.info({}, 'the updates of the bot of Telegram are read again');
        else logger.error({ reason }, 'The updates of the bot of Telegram cannot be read: no account is linked.');
      }
      failure = reason;
      return Promise.resolve();
    },
  });
  addBotTasks(context, { bot, lease });
}
