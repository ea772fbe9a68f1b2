import type { Receipt } from '../domain/receipt.ts';
import type { CallbackMethod, CallbackProvider, FormFields } from '../ports/callback-provider.ts';
import type { GatewayTemplates } from './gateway-settings.ts';

/** The longest word of a gateway that is read, in UTF-16 units. */
const LONGEST = 60;
/** What is no plain word may be the address, or more, and is not told. */
const PLAIN = /^[a-z][a-z _-]*$/i;

type Receipts = Pick<GatewayTemplates, 'receiptField' | 'receiptDelivered' | 'receiptFailed'>;
type Gateways = Readonly<Record<CallbackMethod, Receipts | undefined>>;

/** Callbacks of gateways with an API of their own. Nobody but who was given the URL can know it, and it vouches for the caller. */
export class GatewayCallbacks implements CallbackProvider {
  readonly #gateways: Gateways;

  constructor(gateways: Gateways) {
    this.#gateways = gateways;
  }

  isGenuine(): boolean {
    return true;
  }

  receiptOf(method: CallbackMethod, fields: FormFields): Pick<Receipt, 'outcome' | 'said'> | undefined {
    const gateway = this.#gateways[method];
    const word = fields
      .find(([name]) => name === gateway?.receiptField)?.[1]
      .trim()
      .slice(0, LONGEST);
    if (gateway === undefined || word === undefined) return undefined;
    const outcome = outcomeOf(gateway, word);
    return outcome && { outcome, said: `its receipt says ${PLAIN.test(word) ? word : outcome}` };
  }
}

function outcomeOf({ receiptDelivered, receiptFailed }: Receipts, word: string): Receipt['outcome'] | undefined {
  if (receiptDelivered.matches(word)) return 'delivered';
  return receiptFailed.matches(word) ? 'failed' : undefined;
}
