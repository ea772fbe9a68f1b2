import { createHmac } from 'node:crypto';
import { TWILIO_ACCOUNT, type TwilioMessage } from './twilio-double.ts';

/** How a receipt is sent. */
export interface ReceiptOptions {
  /** Replaces scheme and host of the URL that came with the message, where a test has the gateway elsewhere. */
  readonly at?: string;
  /** By default that of {@link TWILIO_ACCOUNT}. */
  readonly authToken?: string;
  readonly errorCode?: number;
}

/**
 * Sends the receipt of a text message or call that the double of Twilio accepted, as Twilio writes and signs it, to the URL that came
 * with it. Resolves with the status of the answer. A test sends receipts late, twice and in any order.
 *
 * @throws Error where the message came without such a URL.
 */
export async function sendTwilioReceipt(
  { kind, parameters, sid }: TwilioMessage,
  status: string,
  { at, authToken = TWILIO_ACCOUNT.token, errorCode }: ReceiptOptions = {},
): Promise<number> {
  const url = parameters['StatusCallback'];
  if (url === undefined) throw new Error('No receipt of this message was asked for.');
  const fields: Readonly<Record<string, string>> = {
    AccountSid: TWILIO_ACCOUNT.sid,
    ...(kind === 'message' ? { MessageSid: sid, MessageStatus: status } : { CallSid: sid, CallStatus: status }),
    ...(errorCode !== undefined && { ErrorCode: String(errorCode) }),
  };
  return postForm(movedTo(url, at), fields, { 'x-twilio-signature': twilioSignature(url, fields, authToken) });
}

/** Twilio's signature of a call at `url`, for its header `X-Twilio-Signature`. */
export function twilioSignature(
  url: string,
  fields: Readonly<Record<string, string>>,
  authToken: string = TWILIO_ACCOUNT.token,
): string {
  const sorted = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHmac('sha1', authToken)
    .update(`${url}${sorted.flat().join('')}`)
    .digest('base64');
}

/** Sends a form, as a gateway of messages does for a callback. Resolves with the status of the answer. */
export async function postForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) });
  await answer.arrayBuffer();
  return answer.status;
}

/** The URL, with scheme and host of `at` where it is given. */
export function movedTo(url: string, at: string | undefined): string {
  const { pathname, search } = new URL(url);
  return at === undefined ? url : `${at}${pathname}${search}`;
}
