import { z } from 'zod';
import type { OutgoingAnswer, OutgoingCaller } from '@tocsin/http';
import type { SendResult } from '../../messages/attempts.ts';
import type { Provider } from '../channel.ts';
import { acceptedCutOff, fieldsOf, refusal, unanswered, words } from '../http/outgoing.ts';
import { type Push, sequenceOf } from './message.ts';
import type { PushedPages } from './pushed-page-store.ts';

export interface NtfySettings {
  /** The root of an ntfy server. */
  readonly url: string;
  /** For a server that takes messages with a token only. */
  readonly token?: string;
}

/** A longer text would become a file. */
const MAX_TEXT_BYTES = 4_000;

/** Pushes by an ntfy server. Only the registered device knows the topic (U13). */
export class Ntfy implements Provider<Push> {
  readonly name = 'ntfy';
  readonly #settings: NtfySettings;
  readonly #outgoing: OutgoingCaller;
  readonly #pages: Pick<PushedPages, 'newest'>;

  constructor(settings: NtfySettings, outgoing: OutgoingCaller, pages: Pick<PushedPages, 'newest'>) {
    this.#settings = settings;
    this.#outgoing = outgoing;
    this.#pages = pages;
  }

  takes({ browser, service }: Push): boolean {
    return browser === undefined && service === undefined;
  }

  async send(push: Push): Promise<SendResult> {
    const { acknowledgeUrl, priority, text, title, topic } = push;
    const { token, url } = this.#settings;
    const sequence_id = await this.#sequenceOf(push);
    const outcome = await this.#outgoing.call({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({
        topic,
        title,
        message: withinBytes(text),
        priority,
        sequence_id,
        ...acknowledging(acknowledgeUrl),
      }),
    });
    return outcome.kind === 'answered' ? this.#result(outcome) : unanswered(outcome);
  }

  /** A status update replaces the page that it makes out of date. */
  async #sequenceOf({ outdates, sequence, topic }: Push): Promise<string> {
    const page = outdates && (await this.#pages.newest({ ...outdates, to: topic }));
    return page === undefined ? sequence : sequenceOf(page.deliveryId);
  }

  #result(answer: OutgoingAnswer): SendResult {
    const { id, error } = fieldsOf(answer);
    const isTaken = answer.status >= 200 && answer.status < 300;
    const { token = '' } = this.#settings;
    if (!isTaken) return refusal(answer, words(typeof error === 'string' ? error : '', [token]));
    if (typeof id === 'string') return { kind: 'accepted', response: words(id, [token]) };
    if (answer.isTruncated) return acceptedCutOff(answer);
    return { kind: 'unknown', reason: `it answered ${answer.status}, but not as ntfy does` };
  }
}

/** A tap opens the page that acknowledges; the button acknowledges by a POST, and then the message goes (U14). */
const acknowledging = (url: string | undefined) =>
  url !== undefined && {
    click: url,
    actions: [{ action: 'http', label: 'Acknowledge', url, method: 'POST', clear: true }],
  };

function withinBytes(text: string): string {
  if (Buffer.byteLength(text) <= MAX_TEXT_BYTES) return text;
  let bytes = 0;
  const characters = Array.from(text);
  const end = characters.findIndex((character) => (bytes += Buffer.byteLength(character)) > MAX_TEXT_BYTES - 3);
  return `${characters.slice(0, end).join('')}…`;
}

/** The settings of pushes. */
export const PUSH_SETTINGS = {
  /** The root of an ntfy server. Unset: nothing is pushed. */
  PUSH_URL: z.url({ protocol: /^https?$/, error: 'should be a URL such as https://push.example.com' }).optional(),
  /** For a server that takes messages with a token only. */
  PUSH_TOKEN: z.string().optional(),
} as const;
