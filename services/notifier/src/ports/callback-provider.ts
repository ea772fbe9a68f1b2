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

/** How one provider calls back. */
export interface CallbackProvider {
  /** Whether the provider has made the call, as far as it says so; the URL has a signature of ours besides. */
  isGenuine(callback: Callback): boolean;
  /** What the call tells of a message; undefined where that is no end yet. */
  receiptOf(method: CallbackMethod, fields: FormFields): Pick<Receipt, 'outcome' | 'said'> | undefined;
}

/** Which attempt a callback is about, as we wrote it down ourselves: the id of the provider may never have been written. */
export interface CalledBack extends Pick<AttemptReference, 'deliveryId' | 'attempt'> {
  readonly method: CallbackMethod;
}

/** The URLs at which providers call back. */
export interface CallbackUrls {
  /** The URL that has a token in it: what a provider signs that calls it. */
  urlWith(provider: string, token: string): string;
  /** Which attempt at `provider` a token is for; `forged` where it is for none of it. */
  read(provider: string, token: string): CalledBack | 'expired' | 'forged';
}
