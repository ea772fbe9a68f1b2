import { createHash } from 'node:crypto';
import { isEqualInConstantTime } from '@tocsin/http';
import type { Receipt } from '../../receipts/receipt.ts';
import {
  type CallbackMethod,
  type CallbackProvider,
  type FormFields,
  type ProviderReplies,
  textIn,
  valueOf,
} from '../callback-provider.ts';
import type { GatewayTemplates } from './settings.ts';

/** How much of a gateway's word is read, in UTF-16 units. */
const MAX_WORD_LENGTH = 60;
/** Only plain words appear in the log: other texts may have the address, or more. */
const PLAIN = /^[a-z][a-z _-]*$/i;

type Receipts = Pick<GatewayTemplates, 'receiptField' | 'receiptDelivered' | 'receiptFailed'>;
type Gateways = Readonly<Record<CallbackMethod, Receipts | undefined>>;

/** How a gateway reports text messages of users: at a URL with a token that the settings give. */
export interface GatewayReplies {
  readonly token: string;
  /** The fields that have the number and the text. */
  readonly fromField: string;
  readonly textField: string;
}

/** Callbacks of gateways with an API of their own. Only the gateway knows its URL, so the URL authenticates it. */
export class GatewayCallbacks implements CallbackProvider {
  readonly replies?: ProviderReplies;
  readonly #gateways: Gateways;

  /**
   * @param gateways by method, with the fields of their receipts
   * @param replies absent where people cannot reply
   */
  constructor(gateways: Gateways, replies?: GatewayReplies) {
    this.#gateways = gateways;
    if (replies !== undefined) this.replies = repliesBy(replies);
  }

  isGenuine(): boolean {
    return true;
  }

  receiptOf(method: CallbackMethod, fields: FormFields): Pick<Receipt, 'outcome' | 'said'> | undefined {
    const gateway = this.#gateways[method];
    if (gateway === undefined) return undefined;
    const word = valueOf(fields, gateway.receiptField)?.trim().slice(0, MAX_WORD_LENGTH);
    if (word === undefined) return undefined;
    const outcome = outcomeOf(gateway, word);
    return outcome && { outcome, said: `its receipt says ${PLAIN.test(word) ? word : outcome}` };
  }
}

function outcomeOf({ receiptDelivered, receiptFailed }: Receipts, word: string): Receipt['outcome'] | undefined {
  if (receiptDelivered.matches(word)) return 'delivered';
  return receiptFailed.matches(word) ? 'failed' : undefined;
}

/** A gateway sends nothing back. */
function repliesBy({ fromField, textField, token }: GatewayReplies): ProviderReplies {
  const agreed = digest(token);
  return {
    isAt: (given) => given !== undefined && isEqualInConstantTime(digest(given), agreed),
    replyIn: (fields) => textIn(fields, fromField, textField),
    answer: () => undefined,
  };
}

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();
