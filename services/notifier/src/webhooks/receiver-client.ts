import { createHmac } from 'node:crypto';
import type { Clock } from '@tocsin/core';
import type { WebhookSettings } from '@tocsin/events';
import type { OutgoingCaller } from '@tocsin/http';
import { redact } from '@tocsin/service';
import { abbreviated } from '@tocsin/rules';
import {
  CONNECTION_HEADERS,
  refusal,
  requestSecrets,
  unansweredOutside,
  urlSecrets,
  words,
} from '../channels/http/outgoing.ts';
import type { SendResult } from '../messages/attempts.ts';
import type { WebhookDelivery } from '../messages/delivery.ts';
import { webhookPayload } from './payload.ts';

/** How many characters of a receiver's answer the log has. */
const MAX_WORDS_LENGTH = 200;

/** Calls a receiver by a signed POST of JSON (P12, docs/subjects/sending.md). */
export class ReceiverClient {
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;
  readonly #clock: Clock;

  constructor(outgoing: Pick<OutgoingCaller, 'call'>, clock: Clock) {
    this.#outgoing = outgoing;
    this.#clock = clock;
  }

  /** Resolves within seconds and never rejects. A reason has no secrets. */
  async call(
    { deliveryId, webhook }: Pick<WebhookDelivery, 'deliveryId' | 'webhook'>,
    settings: WebhookSettings,
  ): Promise<SendResult> {
    const body = JSON.stringify(webhookPayload(webhook, settings));
    const headers = {
      ...allowedHeaders(settings.headers),
      'x-tocsin-delivery': deliveryId,
      ...(settings.signingSecrets.length > 0 && {
        'x-tocsin-signature': signature(body, settings.signingSecrets, this.#clock.now()),
      }),
    };
    const outcome = await this.#outgoing.call({ method: 'POST', url: settings.url, headers, body });
    if (outcome.kind !== 'answered') return unansweredOutside(outcome);
    const { status } = outcome;
    if (status >= 200 && status < 300) return { kind: 'accepted', response: `it answered ${status}` };
    return refusal(outcome, abbreviated(redact(words(outcome.body, secretsOf(settings))), MAX_WORDS_LENGTH));
  }
}

/** In lower case. Headers of an integration replace our own, but not those that follow from the request itself. */
function allowedHeaders(headers: WebhookSettings['headers']): Readonly<Record<string, string>> {
  const named = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    'content-type': 'application/json',
    ...Object.fromEntries(named.filter(([name]) => !CONNECTION_HEADERS.has(name))),
  };
}

/** Texts that may be a password or a key. */
function secretsOf({ headers, signingSecrets, url }: WebhookSettings): readonly string[] {
  const headerValues = headers.map(([, value]) => value);
  return [...urlSecrets(url), ...requestSecrets({ headerValues, query: [], text: '' }), ...signingSecrets];
}

/**
 * The value of the header `X-Tocsin-Signature`: when it was signed, in seconds, and an HMAC-SHA256 of that, a dot and the body under
 * each secret, the present one first. A receiver accepts a body if one signature is valid and the time is recent.
 */
function signature(body: string, secrets: readonly string[], now: Date): string {
  const at = Math.floor(now.getTime() / 1_000);
  const signed = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`);
  return [`t=${at}`, ...signed].join(',');
}
