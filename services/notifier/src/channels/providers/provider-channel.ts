import { TokenBuckets, type Rate } from '@tocsin/core';
import { Circuit } from '@tocsin/http';
import type { SendResult } from '../../messages/attempts.ts';
import type { Outgoing } from '../../messages/bundle.ts';
import type { Channel, HandedOver, AttemptReference, Provider } from '../channel.ts';
import { redactedResult } from './redacted-result.ts';

/** A provider is passed over after so many messages in a row that it did not accept in time. */
const FAILURES = 3;
/** The shortest time without an answer before that, and then the time between two tries. */
const RETRY_MS = 30_000;
/** The only holder of a provider's bucket. */
const TOKENS = 'messages';

export interface ProviderChannelOptions<M> {
  /** Writes a message of this channel. Pure. */
  readonly write: (outgoing: Outgoing) => M;
  /** At least one, in the order in which messages are given to them. */
  readonly providers: readonly Provider<M>[];
  /** Called when a provider begins to be passed over, with the last reason, and when it gets messages again. */
  readonly onPassedOver: (provider: string, reason: string) => void;
  readonly onBack: (provider: string) => void;
  /** The URL for the receipt of an attempt; without it no provider is given one. */
  readonly callbackUrl?: ((provider: string, attempt: AttemptReference) => string) | undefined;
  /** The rate of a provider; undefined: no limit. */
  readonly rateOf?: ((provider: string) => Rate | undefined) | undefined;
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
}

/**
 * A channel over providers in their order. A provider that fails for a while is passed over, so that messages go to the next one at
 * once. If each provider is passed over or has refused the message, the message goes to one that has not refused it.
 */
export class ProviderChannel<M> implements Channel {
  readonly providers: readonly string[];
  readonly #write: (outgoing: Outgoing) => M;
  readonly #ratedProviders: readonly RatedProvider<M>[];
  readonly #now: () => number;
  readonly #callbackUrl: ProviderChannelOptions<M>['callbackUrl'];

  constructor(options: ProviderChannelOptions<M>) {
    const { callbackUrl, now = () => performance.now(), onBack, onPassedOver, providers, rateOf, write } = options;
    this.providers = providers.map(({ name }) => name);
    this.#write = write;
    this.#now = now;
    this.#callbackUrl = callbackUrl;
    this.#ratedProviders = providers.map((provider) => ({
      provider,
      tokens: bucketOf(rateOf?.(provider.name)),
      circuit: new Circuit({
        failures: FAILURES,
        retryMs: RETRY_MS,
        now,
        onChange: (state, error) => {
          if (state === 'closed') onBack(provider.name);
          else onPassedOver(provider.name, String(error));
        },
      }),
    }));
  }

  async send(outgoing: Outgoing, isLeased?: () => boolean): Promise<HandedOver> {
    const message = this.#written(outgoing);
    if ('fault' in message) return refused(`it cannot be written (${message.fault})`);
    const takers = this.#takersOf(message.of);
    const chosen = choose(takers, outgoing.refusedBy ?? []);
    if (chosen === undefined) return takers.length === 0 ? NO_TAKER : refused(NONE_LEFT);
    const { circuit, provider } = chosen;
    if (!this.#hasToken(chosen)) return busy(provider.name);
    const sentAtMs = enter(circuit) ?? this.#now();
    const attempt = this.#referenceOf(outgoing, provider, isLeased);
    const result = redactedResult(outgoing, await provider.send(message.of, attempt));
    if (isAnswer(result)) circuit.answered();
    // A process that lost the lease was slow itself, perhaps before it asked the provider.
    else if (isLeased?.() !== false) circuit.failed(sentAtMs, result.reason);
    return { provider: provider.name, result, ...this.#takenBy(takers), ...awaitedReceipt(attempt) };
  }

  /** By the rate of the provider that would get the next message; where each takes messages of its own, of the one that takes most. */
  readonly slots = (): number => {
    const isDivided = this.#ratedProviders.some(({ provider }) => provider.takes !== undefined);
    const next = isDivided ? this.#ratedProviders : [choose(this.#ratedProviders, [])];
    return Math.max(...next.map((rated) => rated?.tokens?.tokens(TOKENS, this.#now()) ?? Infinity));
  };

  #takersOf(message: M): readonly RatedProvider<M>[] {
    return this.#ratedProviders.filter(({ provider }) => provider.takes?.(message) !== false);
  }

  /** The names of the providers that take a message, where not all do. */
  #takenBy(takers: readonly RatedProvider<M>[]): Pick<HandedOver, 'takenBy'> {
    if (takers.length === this.#ratedProviders.length) return {};
    return { takenBy: takers.map(({ provider }) => provider.name) };
  }

  #hasToken({ tokens }: RatedProvider<M>): boolean {
    return (tokens?.take(TOKENS, this.#now()) ?? 0) === 0;
  }

  #referenceOf(
    { attempts, deliveryId }: Outgoing,
    { name, sendsReceipts }: Provider<M>,
    isLeased: (() => boolean) | undefined,
  ): AttemptReference {
    const attempt = { deliveryId, attempt: attempts, ...(isLeased && { isLeased }) };
    const callbackUrl = sendsReceipts === true ? this.#callbackUrl?.(name, attempt) : undefined;
    return callbackUrl === undefined ? attempt : { ...attempt, callbackUrl };
  }

  /** A defect fails each time for the same delivery, with any provider. */
  #written(outgoing: Outgoing): { readonly of: M } | { readonly fault: string } {
    try {
      return { of: this.#write(outgoing) };
    } catch (error) {
      return { fault: String(error) };
    }
  }
}

/** A provider with its rate and its circuit. */
interface RatedProvider<M> {
  readonly provider: Provider<M>;
  /** Undefined where the provider has no rate. */
  readonly tokens: TokenBuckets | undefined;
  readonly circuit: Circuit;
}

/** The first that did not refuse the message and whose circuit is closed, else the first that did not refuse it. */
function choose<M>(providers: readonly RatedProvider<M>[], refusedBy: readonly string[]): RatedProvider<M> | undefined {
  const left = providers.filter(({ provider }) => !refusedBy.includes(provider.name));
  return left.find(({ circuit }) => isOpenTo(circuit)) ?? left[0];
}

const bucketOf = (rate: Rate | undefined): TokenBuckets | undefined =>
  rate === undefined ? undefined : new TokenBuckets(rate, 1);

type Answer = Extract<SendResult, { kind: 'accepted' | 'permanent' }>;

const isAnswer = (result: SendResult): result is Answer => result.kind === 'accepted' || result.kind === 'permanent';

const busy = (provider: string): HandedOver => ({
  isOverRate: true,
  provider: undefined,
  result: { kind: 'temporary', reason: `[${provider}] takes no more messages for now, by its rate` },
});

/** A provider that was given the URL for receipts will call it. */
const awaitedReceipt = ({ callbackUrl }: AttemptReference): Pick<HandedOver, 'awaitsReceipt'> =>
  callbackUrl === undefined ? {} : { awaitsReceipt: true };

const NONE_LEFT = 'no provider is left that has not refused it';

/** Another process may have its provider already: the setting of one is rolled out process by process. */
const NO_TAKER: HandedOver = {
  provider: undefined,
  result: { kind: 'temporary', reason: 'no provider for such a device is set up' },
};

const refused = (reason: string): HandedOver => ({ provider: undefined, result: { kind: 'permanent', reason } });

/** When the circuit let the message through; undefined where it did not. */
function enter(circuit: Circuit): number | undefined {
  try {
    return circuit.enter();
  } catch {
    return undefined;
  }
}

function isOpenTo(circuit: Circuit): boolean {
  try {
    circuit.check();
    return true;
  } catch {
    return false;
  }
}
