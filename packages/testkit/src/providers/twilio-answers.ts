import { TWILIO_ACCOUNT } from './twilio-double.ts';
import { movedTo, twilioSignature, type ReceiptOptions } from './receipts.ts';

/** The answer to Twilio's report of a key or a text message. */
export interface TwimlAnswer {
  readonly status: number;
  /** The value of `Content-Type`. */
  readonly type: string;
  /** The next step of the call, as TwiML; or a refusal. */
  readonly content: string;
}

/**
 * Presses a key during a call: Twilio reports it to the URL in the last TwiML, with a signature. Resolves with the next TwiML, which
 * may have a question again.
 *
 * @throws Error where the TwiML asks for no key.
 */
export async function pressKey(
  { content }: Pick<TwimlAnswer, 'content'>,
  key: string,
  options: ReceiptOptions = {},
): Promise<TwimlAnswer> {
  const [, action] = /<Gather [^>]*action="([^"]+)"/.exec(content) ?? [];
  if (action === undefined) throw new Error('No key was asked for.');
  const url = action.replaceAll('&amp;', '&');
  return report(url, { AccountSid: TWILIO_ACCOUNT.sid, CallSid: `CA${'0'.repeat(32)}`, Digits: key }, options);
}

/** A text message that a user sends. */
export interface SentText {
  /** `+` and digits. */
  readonly from: string;
  readonly text: string;
  /** Twilio's id of the message; the same id again is a repeat. */
  readonly sid?: string;
}

/** Sends a text message: Twilio reports it to `url` of its settings, with a signature. Resolves with the answer. */
export const sendText = (
  url: string,
  { from, sid = `SM${'0'.repeat(32)}`, text }: SentText,
  options: ReceiptOptions = {},
): Promise<TwimlAnswer> =>
  report(
    url,
    { AccountSid: TWILIO_ACCOUNT.sid, MessageSid: sid, From: from, To: TWILIO_ACCOUNT.number, Body: text },
    options,
  );

/** Sends a report to `url` as Twilio does, with its signature. */
async function report(
  url: string,
  fields: Readonly<Record<string, string>>,
  { at, authToken }: ReceiptOptions,
): Promise<TwimlAnswer> {
  const answer = await fetch(movedTo(url, at), {
    method: 'POST',
    headers: { 'x-twilio-signature': twilioSignature(url, fields, authToken) },
    body: new URLSearchParams(fields),
  });
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', content: await answer.text() };
}
