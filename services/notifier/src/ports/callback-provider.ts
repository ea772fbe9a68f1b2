import type { Answerable } from '../domain/answerable.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { AttemptReference } from './provider.ts';

/** The methods whose providers tell what became of a message. */
export type CallbackMethod = 'sms' | 'voice';

/** Names and values of a form, in the order in which they came. */
export type FormFields = readonly (readonly [name: string, value: string])[];

/** A call of a provider, as it came. */
export interface Callback {
  /** The URL that the provider was told to call. */
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
  /** Whether the provider has made the call, as far as it says so; the URL has a signature of ours besides. */
  isGenuine(callback: Callback): boolean;
  /** What the call tells of a message; undefined where that is no end yet. */
  receiptOf(method: CallbackMethod, fields: FormFields): Pick<Receipt, 'outcome' | 'said'> | undefined;
  /** The keys that are pressed during its calls; absent where it has none. */
  readonly keys?: ProviderKeys;
  /** The text messages that people send; absent where it tells of none. */
  readonly replies?: ProviderReplies;
}

/** How a provider tells of keys. */
export interface ProviderKeys {
  /** The key that was pressed; empty where none was. */
  pressedIn(fields: FormFields): string;
  /** Says `text`, and asks for a key again where there is a URL to tell it to; the call ends otherwise. */
  answer(text: string, askAt?: string): CallbackAnswer;
}

/** How a provider tells of text messages that people send. */
export interface ProviderReplies {
  /** Whether a call with this token comes at the URL that is for replies. No URL that we signed does. */
  isAt(token: string | undefined, signature: string | undefined): boolean;
  /** Who has sent what; undefined where the call tells of no text message. */
  replyIn(fields: FormFields): IncomingText | undefined;
  /** Sends `text` back, or nothing; undefined where the provider sends nothing back. */
  answer(text: string | undefined): CallbackAnswer | undefined;
}

/** A text message that somebody sent us. */
export interface IncomingText {
  /** In any form that begins with its country code. */
  readonly from: string;
  readonly text: string;
}

/** Which attempt a callback is about, as we wrote it down ourselves: the id of the provider may never have been written. */
export interface CalledBack extends Pick<AttemptReference, 'deliveryId' | 'attempt'> {
  readonly method: CallbackMethod;
}

/** The URLs at which providers call back. */
export interface CallbackUrls {
  /** The URL with a token in it, or without one: what a provider signs that calls it. */
  urlWith(provider: string, token: string | undefined): string;
  /** Which attempt at `provider` a token is for; `forged` where it is for none of it. */
  read(provider: string, token: string): CalledBack | 'expired' | 'forged';
}

/** Somebody is asked for a key during a call. */
export interface KeyQuestion {
  /** What the key will answer. */
  readonly about: Answerable;
  /** How often they were asked during the call, this time included. */
  readonly asked: number;
}

/** The URLs at which keys are told. None of them tells of receipts, nor the other way round. */
export interface KeyUrls {
  /** The URL for the answer to one question in a call of `provider`. */
  urlOf(provider: string, question: KeyQuestion): string;
  /** Which question of `provider` a token is for; `forged` where it is for none of it. */
  read(provider: string, token: string): KeyQuestion | 'expired' | 'forged';
}
