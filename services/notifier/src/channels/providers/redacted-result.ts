import { domainToASCII } from 'node:url';
import { redact } from '@tocsin/service';
import { abbreviated } from '@tocsin/rules';
import { isBundle, type Outgoing } from '../../messages/bundle.ts';
import type { SendResult } from '../../messages/attempts.ts';
import { isNotice } from '../../messages/delivery.ts';
import { oneLine } from '../../messages/safe-text.ts';

const MAX_LENGTH = 250;
/** Fewer digits without their country code may mean anything. */
const MIN_NATIONAL_DIGITS = 6;
const PHONE = /^(\d+)-(\d+)$/;
/** The beginning of a sentence of Tocsin about an answer by HTTP. */
const STATUS = /^it answered \d{3}\b/;
const OWN_WORDS = {
  accepted: 'it was taken',
  temporary: 'it was not taken for now',
  unknown: 'it may have been taken',
  permanent: 'it was refused for good',
} as const satisfies Record<SendResult['kind'], string>;

/**
 * A provider's result as the log may have it: short, on one line, and without the address of the message or any other. A provider may repeat a
 * code in any form. So the result of a message with a code, or with several alerts, contains nothing of the provider's text but the
 * status of its answer.
 */
export function redactedResult(outgoing: Outgoing, result: SendResult): SendResult {
  if (isSecret(outgoing)) return withoutProviderWords(result);
  return withText(result, abbreviated(redact(withoutAddress(providerWords(result), outgoing.to)), MAX_LENGTH));
}

/** A result without the provider's text: only the status of its answer is left. */
export const withoutProviderWords = (result: SendResult): SendResult => withText(result, ownWords(result));

const withText = (result: SendResult, text: string): SendResult =>
  result.kind === 'accepted' ? { ...result, response: text } : { ...result, reason: text };

/** The text of a provider, in a result of any kind. */
export const providerWords = (result: SendResult): string =>
  result.kind === 'accepted' ? result.response : result.reason;

/** The result of a bundle is in the log of each of its alerts, and could contain texts of the other alerts. */
const isSecret = (outgoing: Outgoing): boolean =>
  isBundle(outgoing) || (isNotice(outgoing) && 'code' in outgoing.notice);

function ownWords(result: SendResult): string {
  const [status] = STATUS.exec(providerWords(result)) ?? [];
  return status === undefined ? OWN_WORDS[result.kind] : `${OWN_WORDS[result.kind]} (${status})`;
}

const withoutAddress = (said: string, to: string): string =>
  to === '' ? oneLine(said) : oneLine(said).replaceAll(addressPattern(to), '[address]');

/** A phone number with or without `+` and its country code, however its digits are set apart; any other address in any case. */
function addressPattern(to: string): RegExp {
  const [, country, national] = PHONE.exec(to) ?? [];
  if (country === undefined || national === undefined) return new RegExp(`${literal(to)}|${literal(asSent(to))}`, 'gi');
  const isDistinct = national.length >= MIN_NATIONAL_DIGITS;
  return new RegExp(String.raw`(?:\+?${spread(country)}\D{0,3})${isDistinct ? '?' : ''}${spread(national)}`, 'g');
}

const spread = (digits: string): string => digits.replaceAll(/\d(?=\d)/g, String.raw`$&\D{0,3}`);

const literal = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** A mail address as servers see it: its domain in ASCII. */
const asSent = (to: string): string => to.replace(/(?<=@)[^@]+$/, (domain) => domainToASCII(domain));
