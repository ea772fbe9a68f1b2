import type { Answerable } from '../answers/answer.ts';
import type { Receipt } from '../receipts/receipt.ts';
import type { AttemptReference } from './channel.ts';

/** The methods whose providers send receipts. */
export type CallbackMethod = 'sms' | 'voice';

/** Names and values of a form, in the order in which they came. */
export type FormFields = readonly (readonly [name: string, value: string])[];

/** A call of a provider, as it came. */
export interface Callback {
  /** The URL that the provider was given to call. */
  readonly url: string;
  readonly fields: FormFields;
  /** The header `X-Twilio-Signature`. */
  readonly signature: string | undefined;
}

/** What a provider is answered that does something by it. */
export interface CallbackAnswer {
  /** As in `Content-Type`. */
  readonly type: string;
  readonly content: string;
}

/** How one provider calls back. */
export interface CallbackProvider {
  /** Whether the provider has made the call, as far as it says so; the URL is signed by Tocsin besides. */
  isGenuine(callback: Callback): boolean;
  /** The receipt that the call has; undefined where that is no end yet. */
  receiptOf(method: CallbackMethod, fields: FormFields): Pick<Receipt, 'outcome' | 'said'> | undefined;
  /** The keys that are pressed during its calls; absent where it has none. */
  readonly keys?: ProviderKeys;
  /** The text messages that people send; absent where it reports none. */
  readonly replies?: ProviderReplies;
}

/** How a provider reports keys. */
export interface ProviderKeys {
  /** The key that was pressed; empty where none was. */
  pressedIn(fields: FormFields): string;
  /** Says `text`, and asks for a key again where there is a URL to report it to; the call ends otherwise. */
  answer(text: string, askAt?: string): CallbackAnswer;
}

/** How a provider reports text messages that people send. */
export interface ProviderReplies {
  /** Whether a call with this token comes at the URL that is for replies. No URL that we signed does. */
  isAt(token: string | undefined, signature: string | undefined): boolean;
  /** Who has sent what; undefined where the call reports no text message. */
  replyIn(fields: FormFields): IncomingText | undefined;
  /** Sends `text` back, or nothing; undefined where the provider sends nothing back. */
  answer(text: string | undefined): CallbackAnswer | undefined;
}

/** A text message that was sent to us. */
export interface IncomingText {
  /** In any form that begins with its country code. */
  readonly from: string;
  readonly text: string;
}

/** Which attempt a callback is about, as we wrote it down ourselves: the id of the provider may never have been written. */
export interface CalledBack extends Pick<AttemptReference, 'deliveryId' | 'attempt'> {
  readonly method: CallbackMethod;
}

/** A user is asked for a key during a call. */
export interface KeyQuestion {
  /** What the key will answer. */
  readonly about: Answerable;
  /** How often they were asked during the call, this time included. */
  readonly asked: number;
}

/** The first value under a name. */
export const valueOf = (fields: FormFields, name: string): string | undefined =>
  fields.find(([each]) => each === name)?.[1];

/** The text message in a form, by the fields that have its sender and its text. */
export function textIn(fields: FormFields, fromField: string, textField: string): IncomingText | undefined {
  const [from, text] = [valueOf(fields, fromField), valueOf(fields, textField)];
  return from === undefined || text === undefined ? undefined : { from, text };
}
