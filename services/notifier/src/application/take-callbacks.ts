import { ForbiddenError, NotFoundError } from '@tocsin/errors';
import type { Callback, CallbackProvider, CallbackUrls, FormFields } from '../ports/callback-provider.ts';
import type { ReceiptOutcome, TakeReceipts } from './take-receipts.ts';

/** What came of a callback. `ignored`: it tells of no end; `expired`: its URL does not work any more; `refused`: it is forged. */
export type CallbackOutcome = ReceiptOutcome | 'ignored' | 'expired' | 'refused';

/** A call at the URL that a provider was given. */
export interface IncomingCallback extends Pick<Callback, 'signature'> {
  /** The name of the provider, as the path has it. */
  readonly provider: string;
  readonly token: string;
  /** Reads the form, which costs far more than the token: asked of URLs of ours alone. */
  readonly readFields: () => Promise<FormFields>;
}

export interface TakeCallbacksPorts {
  readonly urls: CallbackUrls;
  /** The providers that are told where to call, by their names. */
  readonly providers: ReadonlyMap<string, CallbackProvider>;
  readonly receipts: Pick<TakeReceipts, 'take'>;
  /** Hears what came of each call. */
  readonly onCallback: (outcome: CallbackOutcome) => void;
}

/** Takes what providers tell of messages some time after they took them. Who calls needs no key: signatures vouch for them. */
export class TakeCallbacks {
  readonly #ports: TakeCallbacksPorts;

  constructor(ports: TakeCallbacksPorts) {
    this.#ports = ports;
  }

  /**
   * @throws NotFoundError where no such provider is told to call, or the URL has expired; ForbiddenError where the call is not
   *   the provider's, or its URL not ours; what the store and `readFields` throw.
   */
  async take(call: IncomingCallback): Promise<CallbackOutcome> {
    const { onCallback, providers } = this.#ports;
    const provider = providers.get(call.provider);
    if (provider === undefined) throw new NotFoundError('There is no such provider.');
    const outcome = await this.#outcomeOf(call, provider);
    onCallback(outcome);
    if (outcome === 'refused') throw new ForbiddenError('The call is not signed as it should be.');
    if (outcome === 'expired') throw new NotFoundError('The URL has expired.');
    return outcome;
  }

  async #outcomeOf(
    { provider: name, readFields, signature, token }: IncomingCallback,
    provider: CallbackProvider,
  ): Promise<CallbackOutcome> {
    const { receipts, urls } = this.#ports;
    const about = urls.read(name, token);
    if (about === 'forged') return 'refused';
    if (about === 'expired') return 'expired';
    const fields = await readFields();
    if (!provider.isGenuine({ url: urls.urlWith(name, token), fields, signature })) return 'refused';
    const { attempt, deliveryId, method } = about;
    const told = provider.receiptOf(method, fields);
    return told === undefined ? 'ignored' : receipts.take({ deliveryId, attempt, provider: name, ...told });
  }
}
