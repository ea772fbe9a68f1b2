import type { OutgoingAnswer, OutgoingCaller } from '@tocsin/http';
import { abbreviated } from '@tocsin/rules';
import { fieldsOf, refusal, unansweredOutside, urlSecrets, words } from '../../channels/http/outgoing.ts';
import type { ChatChannel, ChatResult, PostReference, ShowingClient } from '../chat-client.ts';
import type { ChatPost, ChatReply } from '../post.ts';
import { teamsCard, teamsEventCard } from './render.ts';

const MAX_ERROR_LENGTH = 100;

/** What a user can do about an answer of a workflow. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'the workflow is switched off, or takes no cards',
  401: 'the URL is wrong, or the workflow does not let anyone call it',
  403: 'the URL is wrong, or the workflow does not let anyone call it',
  404: 'the workflow was deleted: make another, and set its URL',
  413: 'the card is too large',
};

/**
 * Posts cards in Microsoft Teams by the URL of a workflow. Its answer has no id, so nothing is edited or removed. It says that the workflow
 * has begun, and not that the card was posted.
 */
export class TeamsClient implements ShowingClient {
  readonly abilities = { changes: false, paceMs: 1_000 };
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;

  constructor(outgoing: Pick<OutgoingCaller, 'call'>) {
    this.#outgoing = outgoing;
  }

  post(channel: ChatChannel, post: ChatPost): Promise<ChatResult> {
    return this.#send(channel, teamsCard(post));
  }

  edit(): Promise<ChatResult> {
    return Promise.resolve({ kind: 'gone' });
  }

  reply(channel: ChatChannel, _: PostReference, reply: ChatReply): Promise<ChatResult> {
    return this.#send(channel, teamsEventCard(reply));
  }

  remove(): Promise<ChatResult> {
    return Promise.resolve({ kind: 'gone' });
  }

  async #send({ url }: ChatChannel, card: object): Promise<ChatResult> {
    const answer = await this.#outgoing.call({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(card),
    });
    if (answer.kind !== 'answered') return unansweredOutside(answer);
    if (answer.status >= 200 && answer.status < 300) return { kind: 'done', reference: { channel: '', post: '' } };
    return refused(answer, url);
  }
}

/** The code of an error of a workflow says what is wrong, such as `WorkflowNotFound`. Its text may repeat the URL, which is a secret. */
function refused(answer: OutgoingAnswer, url: string): ChatResult {
  const { error } = fieldsOf(answer);
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  const said = typeof code === 'string' ? abbreviated(words(code, urlSecrets(url)), MAX_ERROR_LENGTH) : '';
  const meaning = MEANINGS[answer.status];
  return refusal(answer, meaning === undefined ? said : `${said} (${meaning})`.trim());
}
