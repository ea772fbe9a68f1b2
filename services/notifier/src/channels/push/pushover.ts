import { z } from 'zod';
import type { OutgoingAnswer, OutgoingCaller, OutgoingOutcome } from '@tocsin/http';
import type { SendResult } from '../../messages/attempts.ts';
import type { Provider } from '../channel.ts';
import { acceptedCutOff, fieldsOf, refusal, unanswered, words } from '../http/outgoing.ts';
import type { Push } from './message.ts';

export interface PushoverSettings {
  /** The root of the API. */
  readonly url: string;
  /** Of the application of this installation. */
  readonly token: string;
}

/** The longest texts that Pushover takes, in characters. */
const [MAX_TITLE, MAX_TEXT, MAX_URL] = [250, 1_024, 512];
const PRIORITIES = { 1: -1, 2: -1, 3: 0, 4: 1, 5: 1 } as const satisfies Record<Push['priority'], number>;
/** The priority of a message that rings again until its user has seen it: each minute for half an hour. */
const EMERGENCY = { priority: 2, retry: 60, expire: 1_800 } as const;
/** The priority of a push about an alert of P1. */
const PRIORITY_OF_P1 = 5;

/**
 * Pushes by Pushover (U13). A page about a P1 rings until its user acknowledges it in the app, which acknowledges the alert by its link, or
 * until a status update of the alert goes out.
 */
export class Pushover implements Provider<Push> {
  readonly name = 'pushover';
  readonly #settings: PushoverSettings;
  readonly #outgoing: OutgoingCaller;

  constructor(settings: PushoverSettings, outgoing: OutgoingCaller) {
    this.#settings = settings;
    this.#outgoing = outgoing;
  }

  takes({ service }: Push): boolean {
    return service?.name === 'pushover';
  }

  async send(push: Push): Promise<SendResult> {
    const alertKey = push.service?.alertKey;
    // The alert is acknowledged or closed: devices that still ring about it end that. It ends by itself otherwise.
    if (push.outdates !== undefined && alertKey !== undefined)
      await this.#post(`receipts/cancel_by_tag/${alertKey}.json`, {});
    const outcome = await this.#post('messages.json', messageOf(push));
    return outcome.kind === 'answered' ? this.#result(outcome, push.service?.key ?? '') : unanswered(outcome);
  }

  #post(path: string, fields: Readonly<Record<string, unknown>>): Promise<OutgoingOutcome> {
    const { token, url } = this.#settings;
    return this.#outgoing.call({
      method: 'POST',
      url: `${url.replace(/\/+$/, '')}/1/${path}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, ...fields }),
    });
  }

  #result(answer: OutgoingAnswer, key: string): SendResult {
    const { errors, request, status } = fieldsOf(answer);
    const secrets = [this.#settings.token, key];
    const said = words(Array.isArray(errors) ? errors.join(', ') : '', secrets);
    if (answer.status < 200 || answer.status >= 300) return refusal(answer, said);
    if (status === 1 && typeof request === 'string') return { kind: 'accepted', response: words(request, secrets) };
    if (answer.isTruncated) return acceptedCutOff(answer);
    return { kind: 'unknown', reason: `it answered ${answer.status}, but not as Pushover does` };
  }
}

function messageOf(push: Push): Readonly<Record<string, unknown>> {
  const { acknowledgeUrl, priority, service, text, title } = push;
  const ringsUntilAcknowledged = priority === PRIORITY_OF_P1 && push.asksForAction === true;
  return {
    user: service?.key,
    title: fitting(title, MAX_TITLE),
    // A message without a text is refused.
    message: text === '' ? title : fitting(text, MAX_TEXT),
    ...(acknowledgeUrl !== undefined &&
      acknowledgeUrl.length <= MAX_URL && { url: acknowledgeUrl, url_title: 'Acknowledge' }),
    ...(ringsUntilAcknowledged ? { ...EMERGENCY, ...endings(push) } : { priority: PRIORITIES[priority] }),
  };
}

/** A text with its lines, never cut within a character. */
function fitting(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** By what an emergency ends: Pushover posts to the link once its user has acknowledged the message, and cancels by the tag. */
const endings = ({ acknowledgeUrl, service }: Push) => ({
  ...(acknowledgeUrl !== undefined && { callback: acknowledgeUrl }),
  ...(service?.alertKey !== undefined && { tags: service.alertKey }),
});

export const PUSHOVER_SETTINGS = {
  /** The API of Pushover, https://api.pushover.net. Unset: nothing is pushed by Pushover. */
  PUSHOVER_URL: z.url({ protocol: /^https?$/, error: 'should be a URL such as https://api.pushover.net' }).optional(),
  /** The token of the application of this installation. */
  PUSHOVER_TOKEN: z
    .string()
    .regex(/^[a-zA-Z0-9]{30}$/, 'should be the token of an application of Pushover, 30 letters and digits')
    .optional(),
} as const;
