import type { Answerable } from '../answers/answer.ts';
import type { Receipt } from '../receipts/receipt.ts';
import type { AttemptReference } from './channel.ts';

/** The methods whose providers send receipts. */
export type CallbackMethod = 'sms' | 'voice';

/** Names and values of a form, in the order in which they came. */
export type FormFields = readonly (readonly [name: string, value: string])[];

/** A request of a provider. */
export interface Callback {
  /** The URL that the provider was given to call. */
  readonly url: string;
  readonly fields: FormFields;
  /** The header `X-Twilio-Signature`. */
  readonly signature: string | undefined;
}

/** An answer that tells a provider what to do. */
export interface CallbackAnswer {
  /** As in `Content-Type`. */
  readonly type: string;
  readonly content: string;
}

/** How one provider calls back. */
export interface CallbackProvider {
  /** Whether the signature of the provider, where it has one, is valid. The URL is signed by Tocsin as well. */
  isGenuine(callback: Callback): boolean;
  /** The receipt in the call; undefined where it reports no final result. */
  receiptOf(method: CallbackMethod, fields: FormFields): Pick<Receipt, 'outcome' | 'said'> | undefined;
  /** Keys during its calls; absent where the provider reports none. */
  readonly keys?: ProviderKeys;
  /** Text messages from users; absent where the provider reports none. */
  readonly replies?: ProviderReplies;
}

/** How a provider reports keys. */
export interface ProviderKeys {
  /** The key that was pressed; empty where none was. */
  pressedIn(fields: FormFields): string;
  /** Says `text`, and asks for a key again if there is a URL at which to report it. Otherwise the call ends. */
  answer(text: string, askAt?: string): CallbackAnswer;
}

/** How a provider reports text messages that people send. */
export interface ProviderReplies {
  /** Whether the token of a call is that of the URL for replies, which Tocsin does not sign. */
  isAt(token: string | undefined, signature: string | undefined): boolean;
  /** The sender and the text; undefined where the call reports no text message. */
  replyIn(fields: FormFields): IncomingText | undefined;
  /** Sends `text` back, or nothing; undefined where the provider sends nothing back. */
  answer(text: string | undefined): CallbackAnswer | undefined;
}

/** A text message from a user. */
export interface IncomingText {
  /** In any form that begins with its country code. */
  readonly from: string;
  readonly text: string;
}

/** The attempt that a callback is about, by the ids of Tocsin: the id that the provider gave may never have been stored. */
export interface CalledBack extends Pick<AttemptReference, 'deliveryId' | 'attempt'> {
  readonly method: CallbackMethod;
}

/** A question for a key during a call. */
export interface KeyQuestion {
  /** The message that the key answers. */
  readonly about: Answerable;
  /** The number of the question in its call, from 1. */
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
