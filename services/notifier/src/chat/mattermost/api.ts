import type { OutgoingAnswer, OutgoingCaller, OutgoingOutcome, OutgoingRequest } from '@tocsin/http';
import { abbreviated } from '@tocsin/rules';
import { fieldsOf, type NotAccepted, refusal, words } from '../../channels/http/outgoing.ts';

/** A server of Mattermost, and a bot there. */
export interface MattermostBot {
  /** The root of the server. */
  readonly url: string;
  /** In a header of each call, and in no reason. */
  readonly token: string;
}

/** A call of the API 4. */
export interface MattermostCall {
  readonly method: OutgoingRequest['method'];
  /** Below `/api/v4/`. */
  readonly path: string;
  readonly body?: object;
}

/** What a user can do about a refusal of a post in a channel. */
const MEANINGS: Readonly<Record<number, string>> = {
  401: 'the token is wrong, or was revoked',
  403: 'there is no such channel, or the bot is not in it or may not post',
  404: 'there is no such channel',
};

const MAX_ERROR_LENGTH = 200;
/** Setting of a server: for how long posts may be edited. */
const TIME_LIMIT = 'time_limit';

/** Calls the API of a server. Never rejects. */
export const callMattermost = (
  outgoing: Pick<OutgoingCaller, 'call'>,
  { token, url }: MattermostBot,
  { body, method, path }: MattermostCall,
): Promise<OutgoingOutcome> =>
  outgoing.call({
    method,
    url: `${url.replace(/\/+$/, '')}/api/v4/${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

/** The calls that change a post. */
export const patchPost = (id: string, post: object): MattermostCall => ({
  method: 'PUT',
  path: `posts/${encodeURIComponent(id)}/patch`,
  body: post,
});

/** Whether there is no post to change, or it may not be changed. Mattermost answers 403 about a post that is gone. */
export const isPostGone = (answer: OutgoingAnswer): boolean =>
  answer.status === 403 || answer.status === 404 || errorOf(answer).includes(TIME_LIMIT);

/** A refusal, without the token. `meanings` of statuses stand in place of those of posts in channels. */
export function refusedByMattermost(
  answer: OutgoingAnswer,
  { token }: Pick<MattermostBot, 'token'>,
  meanings: Readonly<Record<number, string>> = {},
): NotAccepted {
  const meaning = { ...MEANINGS, ...meanings }[answer.status];
  const error = abbreviated(words(errorOf(answer), [token]), MAX_ERROR_LENGTH);
  return refusal(answer, meaning === undefined ? error : `${error} (${meaning})`);
}

/** The name of an error of Mattermost, such as `api.context.permissions.app_error`. */
function errorOf(answer: OutgoingAnswer): string {
  const { id } = fieldsOf(answer);
  return typeof id === 'string' ? id : '';
}
