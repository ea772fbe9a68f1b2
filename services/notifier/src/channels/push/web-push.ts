import type { OutgoingAnswer, OutgoingCaller, OutgoingRequest } from '@tocsin/http';
import webPush from 'web-push';
import type { SendResult } from '../../messages/attempts.ts';
import type { Provider } from '../channel.ts';
import { refusal, unanswered } from '../http/outgoing.ts';
import type { Push, Subscription } from './message.ts';
import type { VapidKeys } from './vapid.ts';

/** For how long a push service keeps a message for a browser that is offline: the page of an hour ago has gone to others. */
const TTL_SECONDS = 3_600;
/** One encrypted record has at most 4096 bytes, 103 of which are its own. */
const MAX_PAYLOAD_BYTES = 3_993;
/** From this priority on a phone is woken that saves its battery. */
const URGENT = 4;
/** A push service answers so once a browser has unsubscribed or its permission was taken back (RFC 8030, 7.3). */
const UNSUBSCRIBED: ReadonlySet<number> = new Set([404, 410]);
/** A push service has the message (RFC 8030, 5). */
const TAKEN: ReadonlySet<number> = new Set([201, 202]);

/** Sends pushes to browsers by the push services of their vendors, encrypted so that these can not read them (U22; RFC 8030, 8291, 8292). */
export class WebPush implements Provider<Push> {
  readonly name = 'web-push';
  readonly #keys: VapidKeys;
  readonly #outgoing: OutgoingCaller;

  constructor(keys: VapidKeys, outgoing: OutgoingCaller) {
    this.#keys = keys;
    this.#outgoing = outgoing;
  }

  takes({ browser }: Push): boolean {
    return browser !== undefined;
  }

  async send(push: Push): Promise<SendResult> {
    const { key = '', subscription } = push.browser ?? {};
    if (subscription === undefined) return { kind: 'permanent', reason: 'the browser is no longer registered' };
    const request = this.#request(push, key, subscription);
    if (request === undefined) return { kind: 'permanent', reason: 'its keys can not encrypt a message' };
    const outcome = await this.#outgoing.call(request);
    if (outcome.kind === 'answered') return resultOf(outcome);
    return outcome.kind === 'refused' ? NOT_PUBLIC : unanswered(outcome);
  }

  /** Undefined where directory let keys pass that are none. */
  #request(push: Push, topic: string, { auth, endpoint, p256dh }: Subscription): OutgoingRequest | undefined {
    try {
      const { body, headers } = webPush.generateRequestDetails({ endpoint, keys: { auth, p256dh } }, payloadOf(push), {
        vapidDetails: this.#keys,
        TTL: TTL_SECONDS,
        urgency: push.priority >= URGENT ? 'high' : 'normal',
        topic,
      });
      // The caller sets the length itself.
      const sent = Object.entries(headers).filter(([name]) => name !== 'Content-Length');
      return {
        method: 'POST',
        url: endpoint,
        headers: Object.fromEntries(sent),
        body,
      };
    } catch {
      return undefined;
    }
  }
}

/** What the service worker of the console shows: `packages/console/src/worker/message.ts` reads it. */
export function payloadOf({ acknowledgeUrl, browser, text, title }: Push): string {
  const rest = {
    title,
    key: browser?.key,
    ...(browser?.alertId !== undefined && { alertId: browser.alertId }),
    ...(acknowledgeUrl !== undefined && { acknowledgeUrl }),
  };
  const room = MAX_PAYLOAD_BYTES - Buffer.byteLength(JSON.stringify({ ...rest, text: '' }));
  return JSON.stringify({ ...rest, text: fitting(text, room) });
}

/** As much of a text as its JSON may have bytes, never cut within a character. */
function fitting(text: string, maxBytes: number): string {
  const bytesOf = (part: string): number => Buffer.byteLength(JSON.stringify(part)) - 2;
  if (bytesOf(text) <= maxBytes) return text;
  let bytes = bytesOf('…');
  const characters = Array.from(text);
  const end = characters.findIndex((character) => (bytes += bytesOf(character)) > maxBytes);
  return `${characters.slice(0, end).join('')}…`;
}

/** Any user can register any name: what it leads to in this network is not said to them. */
const NOT_PUBLIC = {
  kind: 'permanent',
  reason: 'it may not be called: its address is not public',
} as const satisfies SendResult;

/** The body is not repeated: it may have the address and the keys of the browser, and any user can name the server that wrote it. */
function resultOf(answer: OutgoingAnswer): SendResult {
  const { status } = answer;
  if (TAKEN.has(status)) return { kind: 'accepted', response: `it answered ${status}` };
  if (UNSUBSCRIBED.has(status))
    return {
      kind: 'permanent',
      reason: `it answered ${status}: the browser is no longer subscribed`,
      isUnsubscribed: true,
    };
  if (status >= 200 && status < 300)
    return { kind: 'unknown', reason: `it answered ${status}, but not as a push service does` };
  const refused = refusal(answer, '');
  // A push service limits the messages to one subscription, and any user can name a service that limits all.
  return refused.kind === 'temporary' && refused.retryAfterMs !== undefined
    ? { ...refused, isLimitOfRecipient: true }
    : refused;
}
