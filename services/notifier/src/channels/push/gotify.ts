import { z } from 'zod';
import type { OutgoingAnswer, OutgoingCaller } from '@tocsin/http';
import type { SendResult } from '../../messages/attempts.ts';
import type { Provider } from '../channel.ts';
import { acceptedCutOff, fieldsOf, refusal, unanswered, words } from '../http/outgoing.ts';
import type { Push } from './message.ts';

/** From 8 on an app of Gotify rings and shows the message at once; from 4 on it rings. */
const PRIORITIES = { 1: 1, 2: 3, 3: 5, 4: 8, 5: 10 } as const satisfies Record<Push['priority'], number>;

/** Pushes by a server of Gotify, each by an application of its user (U13). */
export class Gotify implements Provider<Push> {
  readonly name = 'gotify';
  readonly #url: string;
  readonly #outgoing: OutgoingCaller;

  /** `url`: the root of the server. */
  constructor(url: string, outgoing: OutgoingCaller) {
    this.#url = url;
    this.#outgoing = outgoing;
  }

  takes({ service }: Push): boolean {
    return service?.name === 'gotify';
  }

  async send({ acknowledgeUrl, priority, service, text, title }: Push): Promise<SendResult> {
    const token = service?.key ?? '';
    const outcome = await this.#outgoing.call({
      method: 'POST',
      url: `${this.#url.replace(/\/+$/, '')}/message`,
      headers: { 'content-type': 'application/json', 'x-gotify-key': token },
      body: JSON.stringify({ title, message: text, priority: PRIORITIES[priority], ...opening(acknowledgeUrl) }),
    });
    return outcome.kind === 'answered' ? resultOf(outcome, token) : unanswered(outcome);
  }
}

/** A tap opens the page that acknowledges. */
const opening = (url: string | undefined) =>
  url !== undefined && { extras: { 'client::notification': { click: { url } } } };

function resultOf(answer: OutgoingAnswer, token: string): SendResult {
  const { errorDescription, id } = fieldsOf(answer);
  const said = words(typeof errorDescription === 'string' ? errorDescription : '', [token]);
  if (answer.status < 200 || answer.status >= 300) return refusal(answer, said);
  if (typeof id === 'number') return { kind: 'accepted', response: String(id) };
  if (answer.isTruncated) return acceptedCutOff(answer);
  return { kind: 'unknown', reason: `it answered ${answer.status}, but not as Gotify does` };
}

export const GOTIFY_SETTINGS = {
  /** The root of a server of Gotify. Unset: nothing is pushed by Gotify. */
  GOTIFY_URL: z.url({ protocol: /^https?$/, error: 'should be a URL such as https://gotify.example.com' }).optional(),
} as const;
