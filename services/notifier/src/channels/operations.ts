import { ForbiddenError, NotFoundError } from '@tocsin/core';
import type {
  Callback,
  CallbackAnswer,
  CallbackProvider,
  FormFields,
  KeyQuestion,
  ProviderKeys,
  ProviderReplies,
} from './callback-provider.ts';
import type { KeyAnswer, TakeKeys, ReplyAnswer, TakeReplies } from '../answers/phone-operations.ts';
import type { ReceiptOutcome, TakeReceipts } from '../receipts/operations.ts';
import type { CallbackLinks, KeyLinks } from './callbacks/links.ts';

/**
 * The result of a callback. `ignored`: it reports no final result; `expired`: its URL does not work any more; `refused`: it is
 * forged. Of answers of users: `acted`: the command is stored; `repeated`: it was stored before; `pointless`: the answer changes nothing;
 * `unusable`: the code, the user or the number is no longer valid; `unreadable`: the answer requests nothing; `stranger` and
 * `limited` as of replies. `answered`: a command that changes nothing was answered.
 */
export type CallbackOutcome =
  | ReceiptOutcome
  | 'ignored'
  | 'expired'
  | 'refused'
  | 'acted'
  | 'repeated'
  | 'pointless'
  | 'unusable'
  | 'unreadable'
  | 'stranger'
  | 'limited'
  | 'answered';

/** A call at the URL that a provider was given. */
export interface IncomingCallback extends Pick<Callback, 'signature'> {
  /** The name of the provider, as the path has it. */
  readonly provider: string;
  /** Absent where a provider has one URL for all text messages of users. */
  readonly token: string | undefined;
  /** Reads the form, which costs far more than the token: called only for URLs that Tocsin signed. */
  readonly readFields: () => Promise<FormFields>;
}

export interface TakeCallbacksPorts {
  readonly urls: Pick<CallbackLinks, 'urlWith' | 'read'>;
  readonly keyUrls: Pick<KeyLinks, 'urlOf' | 'read'>;
  /** The providers that get URLs to call, by their names. */
  readonly providers: ReadonlyMap<string, CallbackProvider>;
  readonly receipts: Pick<TakeReceipts, 'take'>;
  readonly keys: Pick<TakeKeys, 'take'>;
  readonly replies: Pick<TakeReplies, 'take'>;
  /** Called with the result of each call. */
  readonly onCallback: (outcome: CallbackOutcome) => void;
}

/** The result of a call, and the answer to its provider, if there is one. */
interface CallbackResult {
  readonly outcome: CallbackOutcome;
  readonly answer?: CallbackAnswer;
}

/**
 * Takes the callbacks of providers: receipts, replies, and keys during calls. They need no API key: their URLs or their forms
 * are signed.
 */
export class TakeCallbacks {
  readonly #ports: TakeCallbacksPorts;

  constructor(ports: TakeCallbacksPorts) {
    this.#ports = ports;
  }

  /**
   * Resolves with the answer to the provider, if there is one.
   *
   * @throws NotFoundError where no such provider was given a URL, or the URL has expired; ForbiddenError where the call is not
   *   the provider's, or its URL not signed by Tocsin; what the stores and `readFields` throw.
   */
  async take(call: IncomingCallback): Promise<CallbackAnswer | undefined> {
    const { onCallback, providers } = this.#ports;
    const provider = providers.get(call.provider);
    if (provider === undefined) throw new NotFoundError('There is no such provider.');
    const { answer, outcome } = await this.#process(call, provider);
    onCallback(outcome);
    if (outcome === 'refused') throw new ForbiddenError('The call is not signed as it should be.');
    if (outcome === 'expired') throw new NotFoundError('The URL has expired.');
    return answer;
  }

  async #process(
    { provider: name, readFields, signature, token }: IncomingCallback,
    provider: CallbackProvider,
  ): Promise<CallbackResult> {
    const { receipts, urls } = this.#ports;
    const about = provider.replies?.isAt(token, signature) === true ? 'reply' : this.#read(name, token);
    if (about === 'forged') return { outcome: 'refused' };
    if (about === 'expired') return { outcome: 'expired' };
    const fields = await readFields();
    if (!provider.isGenuine({ url: urls.urlWith(name, token), fields, signature })) return { outcome: 'refused' };
    if (about === 'reply') return this.#takeReply(fields, provider.replies);
    if ('asked' in about)
      return provider.keys ? this.#takeKey(name, about, fields, provider.keys) : { outcome: 'refused' };
    const { attempt, deliveryId, method } = about;
    const receipt = provider.receiptOf(method, fields);
    if (receipt === undefined) return { outcome: 'ignored' };
    return { outcome: await receipts.take({ deliveryId, attempt, provider: name, ...receipt }) };
  }

  /** A token has one of the two kinds at most, because each kind is signed with its own key. */
  #read(name: string, token: string | undefined) {
    const { keyUrls, urls } = this.#ports;
    if (token === undefined) return 'forged';
    const attempt = urls.read(name, token);
    return attempt === 'forged' ? keyUrls.read(name, token) : attempt;
  }

  async #takeKey(name: string, question: KeyQuestion, fields: FormFields, keys: ProviderKeys): Promise<CallbackResult> {
    const { next, outcome, says } = await this.#ports.keys.take(question, keys.pressedIn(fields));
    const askAt = next && this.#ports.keyUrls.urlOf(name, next);
    return { outcome: METRIC_OUTCOMES[outcome], answer: keys.answer(says, askAt) };
  }

  async #takeReply(fields: FormFields, replies: ProviderReplies | undefined): Promise<CallbackResult> {
    const reply = replies?.replyIn(fields);
    if (replies === undefined || reply === undefined) return { outcome: 'ignored' };
    const { outcome, says } = await this.#ports.replies.take(reply);
    const answer = replies.answer(says);
    return { outcome: METRIC_OUTCOMES[outcome], ...(answer && { answer }) };
  }
}

/** The metric of each answer of a user. */
const METRIC_OUTCOMES = {
  taken: 'acted',
  repeated: 'repeated',
  unreadable: 'unreadable',
  stranger: 'stranger',
  limited: 'limited',
  acknowledged: 'pointless',
  closed: 'pointless',
  deleted: 'pointless',
  expired: 'unusable',
  'no-user': 'unusable',
  unused: 'unusable',
} as const satisfies Record<(KeyAnswer | ReplyAnswer)['outcome'], CallbackOutcome>;
