import type { OutgoingAnswer, OutgoingCaller, OutgoingOutcome } from '@tocsin/http';
import { abbreviated } from '@tocsin/rules';
import { fieldsOf, type NotAccepted, refusal, words } from '../../channels/http/outgoing.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An app of Slack with the token of its bot. */
export interface SlackApp {
  /** The root of the Web API. */
  readonly url: string;
  /** In a header of each call, and in no reason. */
  readonly token: string;
}

/** A message of Slack: the id of its channel, and its time there, which is its id. */
export interface PostedMessage {
  readonly channel: string;
  readonly ts: string;
}

/** Errors after which a new message is made: there is none to change. */
const GONE: ReadonlySet<string> = new Set([
  'message_not_found',
  'cant_update_message',
  'cant_delete_message',
  'edit_window_closed',
  'thread_not_found',
]);

/** Errors of Slack itself, which may pass. */
const TEMPORARY: ReadonlySet<string> = new Set([
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

/** What a user can do about an error. */
const MEANINGS: Readonly<Record<string, string>> = {
  channel_not_found: 'there is no such channel, or it is private and the bot is not in it',
  not_in_channel: 'invite the bot to the channel',
  is_archived: 'the channel is archived',
  invalid_auth: 'the token is wrong',
  not_authed: 'the token is missing',
  token_revoked: 'the token was revoked: install the app again, and set its new token',
  token_expired: 'the token has expired',
  account_inactive: 'the app was removed, or its workspace',
  missing_scope: 'the app needs the scope chat:write',
  restricted_action: 'a setting of the workspace forbids posts in the channel',
  msg_too_long: 'the post is too long',
};

const MAX_ERROR_LENGTH = 100;

/** Calls a method of the Web API. Never rejects. */
export const callSlack = (
  outgoing: Pick<OutgoingCaller, 'call'>,
  { token, url }: SlackApp,
  method: string,
  fields: Fields,
): Promise<OutgoingOutcome> =>
  outgoing.call({
    method: 'POST',
    url: `${url.replace(/\/+$/, '')}/${method}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(fields),
  });

/** The message that a call has made or changed; undefined of a refusal, and of an answer that cannot be read. */
export function messageIn(answer: OutgoingAnswer): PostedMessage | undefined {
  const { channel, ok, ts } = fieldsOf(answer);
  if (answer.status !== 200 || ok !== true) return undefined;
  return typeof channel === 'string' && typeof ts === 'string' ? { channel, ts } : undefined;
}

/** Whether there is no message to change, or it may not be changed. */
export const isGone = (answer: OutgoingAnswer): boolean => answer.status === 200 && GONE.has(errorOf(answer));

/** An answer without a message, without the token. `meanings` of errors stand in place of those of posts in channels. */
export function refusedBySlack(
  answer: OutgoingAnswer,
  { token }: Pick<SlackApp, 'token'>,
  meanings: Readonly<Record<string, string>> = {},
): NotAccepted {
  const error = errorOf(answer);
  const said = abbreviated(words(error, [token]), MAX_ERROR_LENGTH);
  if (answer.status !== 200) return refusal(answer, said);
  if (error === '') return { kind: 'unknown', reason: 'its answer cannot be read' };
  const known = { ...MEANINGS, ...meanings };
  const meaning = Object.hasOwn(known, error) ? ` (${known[error] ?? ''})` : '';
  return { kind: TEMPORARY.has(error) ? 'temporary' : 'permanent', reason: `it answered ${said}${meaning}` };
}

function errorOf(answer: OutgoingAnswer): string {
  const { error } = fieldsOf(answer);
  return typeof error === 'string' ? error : '';
}
