import { createHmac } from 'node:crypto';
import { TWILIO_ACCOUNT, type TwilioMessage } from './twilio-double.ts';

/** How a receipt is sent. */
export interface ReceiptOptions {
  /** What stands in place of scheme and host of the URL that came with the message: where the gateway is for tests. */
  readonly at?: string;
  /** By default that of {@link TWILIO_ACCOUNT}. */
  readonly authToken?: string;
  readonly errorCode?: number;
}

/**
 * Sends the receipt of a text message or call that the double of Twilio took, in Twilio's words, at the URL that came with it and
 * signed as Twilio signs; answers the status of the answer. A test sends receipts late, twice and in any order.
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

/** How Twilio signs a call at `url`, as its header `X-Twilio-Signature` says it. */
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

/** Sends a form, as a gateway of messages does that calls back; answers the status of the answer. */
export async function postForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) });
  await answer.arrayBuffer();
  return answer.status;
}

/** The URL with another scheme and host, where `at` says so. */
export function movedTo(url: string, at: string | undefined): string {
  const { pathname, search } = new URL(url);
  return at === undefined ? url : `${at}${pathname}${search}`;
}
