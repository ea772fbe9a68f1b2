import type { OutgoingAnswer, OutgoingOutcome } from '@tocsin/http';
import type { SendResult } from '../../messages/attempts.ts';
import { oneLine } from '../../messages/safe-text.ts';

type Unanswered = Exclude<OutgoingOutcome, OutgoingAnswer>;

/** A message that was not accepted, or may not have been. */
export type NotAccepted = Exclude<SendResult, { readonly kind: 'accepted' }>;

/** Statuses of refusals that say for how long the provider takes no requests. */
const LIMITED: ReadonlySet<number> = new Set([429, 503]);
/** No provider keeps messages waiting for longer, whatever it says. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/** Statuses of refusals that are tried again: too slow a request, too early a one, too many of them. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429]);

/** Another process may have claimed the queue before this one has sent the message. */
export const LEASE_LOST = {
  kind: 'temporary',
  reason: 'it was held up before it was sent',
} as const satisfies SendResult;

/**
 * A call without an answer: nothing was sent, or that is not known (U17). An address that may not be called now may not be
 * called later.
 */
export function unanswered({ kind, reason }: Unanswered): NotAccepted {
  if (kind === 'refused') return { kind: 'permanent', reason: `it may not be called: ${reason}` };
  return { kind: kind === 'silent' ? 'unknown' : 'temporary', reason };
}

/** An answer of success that broke off before the id of the message: the message was accepted. */
export const acceptedCutOff = ({ status }: Pick<OutgoingAnswer, 'status'>): SendResult => ({
  kind: 'accepted',
  response: `it answered ${status}, and broke off`,
});

/** An answer that is no success: a refusal for now, or for good (U7). `words` are the provider's own. */
export function refusal(answer: Pick<OutgoingAnswer, 'status' | 'retryAfterMs'>, words: string): NotAccepted {
  const { status } = answer;
  if (status >= 300 && status < 400)
    return { kind: 'permanent', reason: `it answered ${status}: no redirect is followed` };
  const isForGood = status >= 400 && status < 500 && !TRANSIENT.has(status);
  const said = words === '' ? '' : `: ${words}`;
  if (isForGood) return { kind: 'permanent', reason: `it answered ${status}${said}` };
  if (answer.retryAfterMs === undefined || !LIMITED.has(status))
    return { kind: 'temporary', reason: `it answered ${status}${said}` };
  const retryAfterMs = Math.min(answer.retryAfterMs, MAX_RETRY_AFTER_MS);
  const reason = `it answered ${status} and asks to wait for ${seconds(retryAfterMs)}${said}`;
  return { kind: 'temporary', reason, retryAfterMs };
}

/** As a log has it: `42 s`. */
export const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;

/**
 * The token of a signed link in any notation of its URL. A caller who has one may send a receipt, or acknowledge.
 */
const LINK_TOKEN = /(?<![\w-])[\w-]+\.\d{1,12}\.[\w-]{43}/g;

/**
 * The text of a provider, on one line, without the secrets and links of the request. It is not shortened, because half an address
 * could not be recognised and removed.
 */
export function words(said: string, secrets: readonly string[]): string {
  const text = secrets
    .filter((secret) => secret !== '')
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), said);
  return oneLine(text).replaceAll(LINK_TOKEN, '[secret]');
}

/** {@link unanswered} of an address that users choose: the log does not show the address of a name in the internal network. */
export const unansweredOutside = ({ kind, reason }: Unanswered): NotAccepted =>
  unanswered({ kind, reason: kind === 'refused' ? reason.replace(/^[\da-f.:]+ is /i, 'its host has ') : reason });

/** The fields of an answer that is a JSON object; none of any other. */
export function fieldsOf({ body }: OutgoingAnswer): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(body);
    return typeof read === 'object' && read !== null ? (read as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** Headers about the request and its connection, which no setting may name. In lower case. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
]);

/** Shorter values may stand anywhere. */
const MIN_SECRET_LENGTH = 6;
/** Long words of a path or a body are mostly keys. */
const MIN_KEY_LENGTH = 16;

const NOWHERE = { pathname: '', search: '', searchParams: new URLSearchParams() };

/** A URL, and the parts of it that may be a password or a key, plain and as the URL encodes them. */
export function urlSecrets(url: string): readonly string[] {
  const { pathname, search, searchParams } = URL.parse(url) ?? NOWHERE;
  const written = search.split(/[?&]/).map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [url, ...requestSecrets({ headerValues: [], query: [...searchParams.values(), ...written], text: pathname })];
}

/** Texts of a request that may be a password or a key: values of headers and of the query, and long words of `text`. */
export function requestSecrets({
  headerValues,
  query,
  text,
}: {
  readonly headerValues: readonly string[];
  readonly query: readonly string[];
  readonly text: string;
}): readonly string[] {
  const keys = text.split(/[^\w.~+=-]+/).filter((word) => word.length >= MIN_KEY_LENGTH);
  // The secret of `Bearer …` is its second word.
  const values = headerValues.flatMap((value) => [value, ...value.split(/\s+/)]);
  return [...values, ...query, ...keys].filter((value) => value.length >= MIN_SECRET_LENGTH);
}
