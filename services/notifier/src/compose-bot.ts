import { OutgoingCaller } from '@tocsin/http';
import type { Connection } from '@tocsin/mongo';
import { internalClient, type ServiceContext } from '@tocsin/service';
import { BotClient } from './bot/client.ts';
import { LinkClient } from './bot/link-client.ts';
import { TakeUpdates } from './bot/operations.ts';
import { TakePresses, type TakePressesPorts } from './bot/press-operations.ts';
import type { BotFailure } from './bot/readiness.ts';
import { BotFailures } from './bot/store.ts';
import { addBotTasks, ReadBot } from './bot/task.ts';
import { PushedPages } from './channels/push/pushed-page-store.ts';
import { ChatPosts } from './chat/store.ts';
import { botOf, type Chats } from './compose-chat.ts';
import type { Config } from './config.ts';
import { workLeases } from './compose-leases.ts';

/** Longer than Telegram holds an answer back. */
const CALL_TIMEOUT_MS = 35_000;
/** Ten updates, each with a message and the one to which it replies. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** What readiness knows of the bot; nothing where there is none. */
export function botReadiness(
  connection: Connection,
  config: Config,
): { botFailure?: () => Promise<BotFailure | undefined> } {
  const failures = new BotFailures(connection);
  return botOf(config) === undefined ? {} : { botFailure: () => failures.find() };
}

/** What presses of buttons need. */
interface BotParts extends Pick<TakePressesPorts, 'users' | 'roles' | 'alerts' | 'answers' | 'integrations'> {
  readonly connection: Connection;
  readonly chats: Chats;
}

/** Reads what people tell the bot of the installation in Telegram until the stop, where there is one. */
export function openBot(context: ServiceContext<Config>, { chats, connection, ...parts }: BotParts): void {
  const { clock, config, lifecycle, logger, metrics } = context;
  const { outgoingAllowedRanges: allowedRanges } = config;
  const trusted = botOf(config);
  if (trusted === undefined) return;
  const outgoing = new OutgoingCaller({ allowedRanges, timeoutMs: CALL_TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES });
  const client = new BotClient(trusted, outgoing);
  const links = new LinkClient(internalClient(context, 'directory'));
  const lease = workLeases(connection, 'telegram').lease('updates');
  lifecycle.add('lease of the bot', () => lease.release());
  const pages = new PushedPages(connection, () => undefined);
  const failures = new BotFailures(connection);
  let failure: string | undefined;
  const bot = new ReadBot({
    client,
    updates: new TakeUpdates({
      bot: client,
      links,
      presses: new TakePresses({ ...chats, ...parts, pages, posts: new ChatPosts(connection), clock }),
      onPress: (outcome) => {
        metrics.callback(outcome);
      },
      onFailure: (error) => {
        logger.error(
          { err: error },
          'A press of a button in Telegram could not be taken; its user was asked to press again.',
        );
      },
    }),
    isLeased: () => lease.isHeld,
    onRead: (reason) => {
      if (reason !== failure) {
        if (reason === undefined) logger.info({}, 'the updates of the bot of Telegram are read again');
        else logger.error({ reason }, 'The updates of the bot of Telegram cannot be read: no account is linked.');
      }
      failure = reason;
      return failures.note(reason, clock.now());
    },
  });
  addBotTasks(context, { bot, lease });
}
