import type { Clock } from '@tocsin/clock';
import type { WebhookSettings } from '@tocsin/contracts';
import type { OutgoingCaller } from '@tocsin/http';
import { abbreviated } from '@tocsin/rules';
import type { SendResult } from '../../domain/delivery.ts';
import type { WebhookDelivery } from '../../domain/webhooks/webhook-delivery.ts';
import type { WebhookCaller } from '../../ports/webhook-receivers.ts';
import { refusedBy, unanswered, words } from '../answers.ts';
import { webhookPayload } from './payload.ts';
import { signature } from './signature.ts';

/** So much of a receiver's words is told. */
const LONGEST = 200;
const SHORTEST_SECRET = 6;
/** Long words of a path are mostly keys. */
const SHORTEST_KEY = 16;
/** These are about the connection, or say what the body is: they are ours. */
const OURS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'keep-alive',
  'te',
  'expect',
]);

/** Tells a receiver by a signed POST of JSON (P12, decision 0070). */
export class HttpWebhookCaller implements WebhookCaller {
  readonly #outgoing: Pick<OutgoingCaller, 'call'>;
  readonly #clock: Clock;

  constructor(outgoing: Pick<OutgoingCaller, 'call'>, clock: Clock) {
    this.#outgoing = outgoing;
    this.#clock = clock;
  }

  async call({ deliveryId, told }: WebhookDelivery, settings: WebhookSettings): Promise<SendResult> {
    const body = JSON.stringify(webhookPayload(told, settings));
    const headers = {
      ...withoutOurs(settings.headers),
      'x-tocsin-delivery': deliveryId,
      ...(settings.signingSecrets.length > 0 && {
        'x-tocsin-signature': signature(body, settings.signingSecrets, this.#clock.now()),
      }),
    };
    const outcome = await this.#outgoing.call({ method: 'POST', url: settings.url, headers, body });
    if (outcome.kind === 'refused') return unanswered({ ...outcome, reason: withoutAddress(outcome.reason) });
    if (outcome.kind !== 'answered') return unanswered(outcome);
    const { status } = outcome;
    if (status >= 200 && status < 300) return { kind: 'accepted', response: `it answered ${status}` };
    return refusedBy(status, abbreviated(words(outcome.body, secretsOf(settings)), LONGEST));
  }
}

/** The log does not tell which address is behind a name of our own network. */
const withoutAddress = (reason: string): string => reason.replace(/^[\da-f.:]+ is /i, 'its host has ');

/** Names are compared without regard to case: what an integration says goes before our own, but for what is ours alone. */
function withoutOurs(headers: WebhookSettings['headers']): Readonly<Record<string, string>> {
  const named = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    'content-type': 'application/json',
    ...Object.fromEntries(named.filter(([name]) => !OURS.has(name))),
  };
}

/** What may be a password or a key, as it is meant and as the URL writes it. */
function secretsOf({ headers, signingSecrets, url }: WebhookSettings): readonly string[] {
  const { pathname, search, searchParams } = URL.parse(url) ?? NOWHERE;
  const keys = pathname.split(/[^\w.~+=-]+/).filter((word) => word.length >= SHORTEST_KEY);
  const written = search.split(/[?&]/).map((pair) => pair.slice(pair.indexOf('=') + 1));
  const values = headers.flatMap(([, value]) => [value, ...value.split(/\s+/)]);
  const long = [...values, ...searchParams.values(), ...written, ...keys].filter(
    (value) => value.length >= SHORTEST_SECRET,
  );
  return [url, ...long, ...signingSecrets];
}

const NOWHERE = { pathname: '', search: '', searchParams: new URLSearchParams() };
