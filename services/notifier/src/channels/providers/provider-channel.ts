import { TokenBuckets, type Rate } from '@tocsin/core';
import { Circuit } from '@tocsin/http';
import type { SendResult } from '../../messages/attempts.ts';
import type { Outgoing } from '../../messages/bundle.ts';
import type { Channel, HandedOver, AttemptReference, Provider, ProviderPause } from '../channel.ts';
import { seconds } from '../http/outgoing.ts';
import { redactedResult } from './redacted-result.ts';

/** A provider is skipped after so many messages in a row that it did not accept in time. */
const FAILURES = 3;
/** The shortest time without an answer before that, and then the time between two tries. */
const RETRY_MS = 30_000;
/** The longest pause. A page may be for which no other provider is left, and a provider may take messages earlier than it said. */
const MAX_PAUSE_MS = 60_000;
/** The only holder of a provider's bucket. */
const TOKENS = 'messages';

export interface ProviderChannelOptions<M> {
  /** Writes a message of this channel. Pure. */
  readonly write: (outgoing: Outgoing) => M;
  /** At least one, in the order in which messages are given to them. */
  readonly providers: readonly Provider<M>[];
  /** Called when a provider begins to be skipped, with the last reason, and when it gets messages again. */
  readonly onSkipped: (provider: string, reason: string) => void;
  readonly onBack: (provider: string) => void;
  /** Called when a provider has accepted a message, before that is a result. Resolves within a bounded time and never rejects. */
  readonly onAccepted?: ((provider: string) => Promise<void>) | undefined;
  /** The URL for the receipt of an attempt; without it no provider is given one. */
  readonly callbackUrl?: ((provider: string, attempt: AttemptReference) => string) | undefined;
  /** The rate of a provider; undefined: no limit. */
  readonly rateOf?: ((provider: string) => Rate | undefined) | undefined;
  /** The pause of a provider; without it no provider has one. */
  readonly pauseOf?: ((provider: string) => ProviderPause) | undefined;
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
}

/**
 * A channel over providers in their order. A provider that fails for a while is skipped, so that messages go to the next one at
 * once. If each provider is skipped or has refused the message, the message goes to one that has not refused it. A provider that asks to
 * wait gets no message meanwhile; a message for which no other is left waits (U7).
 */
export class ProviderChannel<M> implements Channel {
  readonly providers: readonly string[];
  readonly #write: (outgoing: Outgoing) => M;
  readonly #ratedProviders: readonly RatedProvider<M>[];
  readonly #now: () => number;
  readonly #callbackUrl: ProviderChannelOptions<M>['callbackUrl'];
  readonly #onAccepted: ProviderChannelOptions<M>['onAccepted'];

  constructor(options: ProviderChannelOptions<M>) {
    const {
      callbackUrl,
      now = () => performance.now(),
      onAccepted,
      onBack,
      onSkipped,
      pauseOf,
      providers,
      rateOf,
      write,
    } = options;
    this.providers = providers.map(({ name }) => name);
    this.#write = write;
    this.#now = now;
    this.#callbackUrl = callbackUrl;
    this.#onAccepted = onAccepted;
    this.#ratedProviders = providers.map((provider) => ({
      provider,
      tokens: bucketOf(rateOf?.(provider.name)),
      pause: pauseOf?.(provider.name) ?? NO_PAUSE,
      circuit: new Circuit({
        failures: FAILURES,
        retryMs: RETRY_MS,
        now,
        onChange: (state, error) => {
          if (state === 'closed') onBack(provider.name);
          else onSkipped(provider.name, String(error));
        },
      }),
    }));
  }

  async send(outgoing: Outgoing, isLeased?: () => boolean, isLastTry = false): Promise<HandedOver> {
    const written = this.#writeOrFault(outgoing);
    if ('fault' in written) return refused(`it cannot be written (${written.fault})`);
    const takers = this.#takersOf(written.message);
    const left = takers.filter(({ provider }) => outgoing.refusedBy?.includes(provider.name) !== true);
    const chosen = choose(left);
    if (chosen === undefined) return takers.length === 0 ? NO_TAKER : refused(NONE_LEFT);
    if (chosen.pause.remainingMs() > 0 && !isLastTry) return { ...waiting(left), ...this.#takenBy(takers) };
    if (!this.#hasToken(chosen)) return busy(chosen.provider.name);
    const attempt = this.#referenceOf(outgoing, chosen.provider, isLeased);
    const result = await this.#ask(chosen, { outgoing, message: written.message, attempt });
    const pausedResult = await beginPause(chosen, left, result);
    return {
      provider: chosen.provider.name,
      result: pausedResult,
      ...this.#takenBy(takers),
      ...awaitedReceipt(attempt),
    };
  }

  /** One try. An answer ends the pause in which it was made. */
  async #ask(
    { circuit, pause, provider }: RatedProvider<M>,
    { attempt, message, outgoing }: Asked<M>,
  ): Promise<SendResult> {
    const wasPaused = pause.remainingMs() > 0;
    const sentAtMs = enter(circuit) ?? this.#now();
    const result = redactedResult(outgoing, await provider.send(message, attempt));
    if (isAnswer(result)) {
      circuit.answered();
      if (wasPaused) await pause.end();
      // A process that lost the lease was slow itself, perhaps before it asked the provider.
    } else if (attempt.isLeased?.() !== false) circuit.failed(sentAtMs, result.reason);
    if (result.kind === 'accepted') await this.#onAccepted?.(provider.name);
    return result;
  }

  /** By the rate of the provider that would get the next message; where each takes messages of its own, of the one that takes most. */
  readonly slots = (): number => {
    const isDivided = this.#ratedProviders.some(({ provider }) => provider.takes !== undefined);
    const next = isDivided ? this.#ratedProviders : [choose(this.#ratedProviders)];
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
  #writeOrFault(outgoing: Outgoing): { readonly message: M } | { readonly fault: string } {
    try {
      return { message: this.#write(outgoing) };
    } catch (error) {
      return { fault: String(error) };
    }
  }
}

/** A message of a channel, and its attempt. */
interface Asked<M> {
  readonly outgoing: Outgoing;
  readonly message: M;
  readonly attempt: AttemptReference;
}

/** A provider with its rate, its pause and its circuit. */
interface RatedProvider<M> {
  readonly provider: Provider<M>;
  /** Undefined where the provider has no rate. */
  readonly tokens: TokenBuckets | undefined;
  readonly pause: ProviderPause;
  readonly circuit: Circuit;
}

/** Of those that have not asked to wait, or of all where each has: the first whose circuit is closed, else the first. */
function choose<M>(providers: readonly RatedProvider<M>[]): RatedProvider<M> | undefined {
  const ready = providers.filter(({ pause }) => pause.remainingMs() === 0);
  const some = ready.length > 0 ? ready : providers;
  return some.find(({ circuit }) => isOpenTo(circuit)) ?? some[0];
}

const NO_PAUSE: ProviderPause = {
  remainingMs: () => 0,
  begin: () => Promise.resolve(),
  end: () => Promise.resolve(),
};

/** How long until one of the providers takes messages; 0 where one does now. */
const waitMs = <M>(providers: readonly RatedProvider<M>[]): number =>
  Math.min(...providers.map(({ pause }) => pause.remainingMs()));

/** Begins the pause for which the provider asks. The message is tried again once one of the providers `left` takes messages. */
async function beginPause<M>(
  { pause }: RatedProvider<M>,
  left: readonly RatedProvider<M>[],
  result: SendResult,
): Promise<SendResult> {
  if (result.kind !== 'temporary' || result.retryAfterMs === undefined || result.isLimitOfRecipient === true)
    return result;
  await pause.begin(Math.min(result.retryAfterMs, MAX_PAUSE_MS));
  const retryAfterMs = waitMs(left);
  const next = retryAfterMs > 0 ? undefined : choose(left)?.provider.name;
  const reason = next === undefined ? result.reason : `${result.reason} ([${next}] is asked next)`;
  return { ...result, reason, retryAfterMs };
}

/** Nothing was sent: each provider that is left has asked to wait. */
function waiting<M>(left: readonly RatedProvider<M>[]): HandedOver {
  const retryAfterMs = waitMs(left);
  const names = left.map(({ provider }) => `[${provider.name}]`).join(', ');
  const reason = `${names} asked to get no message for another ${seconds(retryAfterMs)}`;
  return { provider: undefined, result: { kind: 'temporary', reason, retryAfterMs } };
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
