import { TWILIO_ACCOUNT } from './twilio-double.ts';
import { movedTo, twilioSignature, type ReceiptOptions } from './receipts.ts';

/** What Twilio is answered that reports a key or a text message. */
export interface TwimlAnswer {
  readonly status: number;
  /** As in `Content-Type`. */
  readonly type: string;
  /** What is to be done, as TwiML; or a refusal. */
  readonly content: string;
}

/**
 * Presses a key during a call: Twilio reports it where the TwiML says that was said last, and signs that. Answers what it is
 * to do next, in which there may be a question again.
 *
 * @throws Error where the TwiML asks for no key
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
  /** What Twilio calls it; the same again is the same message. */
  readonly sid?: string;
}

/** Sends a text message: Twilio reports it at `url`, which stands in its settings, and signs that. Answers what it is to do. */
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

/** Reports something at `url` as Twilio does, and signs it. */
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
