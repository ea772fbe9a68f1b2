import type { OutgoingAnswer, OutgoingCaller, OutgoingOutcome } from '@tocsin/http';
import { abbreviated } from '@tocsin/rules';
import { fieldsOf, type NotAccepted, refusal, words } from '../../channels/http/outgoing.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A bot of Telegram. */
export interface TelegramBot {
  /** The root of the Bot API. */
  readonly url: string;
  /** A part of each URL, which no reason has. */
  readonly token: string;
}

/** What a user can do about a refusal. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/chat not found/i, 'there is no such chat, or the bot is not in it'],
  [/bot was kicked|not a member/i, 'add the bot to the chat'],
  [/bot was blocked/i, 'its user blocked the bot'],
  [/not enough rights|need administrator rights/i, 'the bot may not post: in a channel it has to be an administrator'],
  [/message thread not found/i, 'there is no such topic'],
  [/TOPIC_CLOSED/i, 'the topic is closed'],
  [/terminated by other getUpdates/i, 'another program reads the updates of the bot too'],
  [/webhook is active/i, 'the bot has a webhook: remove it by deleteWebhook'],
];
/** Without a name of its own: a token of the wrong form is a path that Telegram does not know. */
const WRONG_TOKEN: ReadonlySet<number> = new Set([401, 404]);

const NOT_MODIFIED = /message is not modified/i;

const MAX_ERROR_LENGTH = 200;

/** Calls a method of the Bot API. Never rejects. */
export const callBot = (
  outgoing: Pick<OutgoingCaller, 'call'>,
  { token, url }: TelegramBot,
  method: string,
  fields: Fields,
  signal?: AbortSignal,
): Promise<OutgoingOutcome> =>
  outgoing.call({
    method: 'POST',
    url: `${url.replace(/\/+$/, '')}/bot${token}/${method}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
    ...(signal && { signal }),
  });

export const isOk = (answer: OutgoingAnswer): boolean => answer.status === 200 && fieldsOf(answer)['ok'] === true;

/** The words of a refusal, as Telegram has them. */
export function descriptionOf(answer: OutgoingAnswer): string {
  const { description } = fieldsOf(answer);
  return typeof description === 'string' ? description : '';
}

/** Whether an edit was refused because the message has that content already. */
export const isUnchanged = (answer: OutgoingAnswer): boolean => NOT_MODIFIED.test(descriptionOf(answer));

/** An answer that is no success, without the token. */
export function refusedByBot(answer: OutgoingAnswer, { token }: Pick<TelegramBot, 'token'>): NotAccepted {
  if (answer.status === 200) return { kind: 'unknown', reason: 'its answer cannot be read' };
  const description = descriptionOf(answer);
  const { migrate_to_chat_id: movedTo, retry_after: waitSeconds } = (fieldsOf(answer)['parameters'] ??
    {}) as ResponseParameters;
  const error = abbreviated(words(description, [token]), MAX_ERROR_LENGTH);
  const meaning = typeof movedTo === 'number' ? `the id of the chat is ${movedTo} now` : meaningOf(answer, description);
  const retryAfterMs = typeof waitSeconds === 'number' && waitSeconds > 0 ? waitSeconds * 1_000 : undefined;
  return refusal(
    { ...answer, ...(retryAfterMs !== undefined && { retryAfterMs }) },
    meaning === undefined ? error : `${error} (${meaning})`,
  );
}

interface ResponseParameters {
  readonly migrate_to_chat_id?: unknown;
  readonly retry_after?: unknown;
}

const meaningOf = ({ status }: OutgoingAnswer, description: string): string | undefined =>
  WRONG_TOKEN.has(status)
    ? 'the token is wrong, or was revoked'
    : MEANINGS.find(([error]) => error.test(description))?.[1];
