import { Circuit } from '@tocsin/http';
import type { Delivery } from '../domain/delivery.ts';
import type { Channel, HandedOver } from '../ports/channel.ts';
import type { AttemptReference, Provider } from '../ports/provider.ts';
import { toldResult } from './told-result.ts';

/** After so many messages in a row that a provider did not take in time, it is passed over. */
const FAILURES = 3;
/** The shortest silence before that, and the time between two tries from then on. */
const RETRY_MS = 30_000;

export interface ProviderChannelOptions<M> {
  /** What a delivery says, as a message of this channel. Pure. */
  readonly write: (delivery: Delivery) => M;
  /** In the order in which they are asked; at least one. */
  readonly providers: readonly Provider<M>[];
  /** Hears when a provider begins to be passed over, with the last reason, and when it is asked first again. */
  readonly onPassedOver: (provider: string, reason: string) => void;
  readonly onBack: (provider: string) => void;
  /** Where a provider tells what became of an attempt; without it none is asked to. */
  readonly callbackUrl?: ((provider: string, attempt: AttemptReference) => string) | undefined;
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
}

/**
 * A channel over providers in their order. One that fails for a while is passed over, so that messages go to the next one at
 * once. Where each is either passed over or has refused the message, one that has not refused it is asked all the same.
 */
export class ProviderChannel<M> implements Channel {
  readonly providers: readonly string[];
  readonly #write: (delivery: Delivery) => M;
  readonly #ways: readonly Way<M>[];
  readonly #now: () => number;
  readonly #callbackUrl: ProviderChannelOptions<M>['callbackUrl'];

  constructor(options: ProviderChannelOptions<M>) {
    const { callbackUrl, now = () => performance.now(), onBack, onPassedOver, providers, write } = options;
    this.providers = providers.map(({ name }) => name);
    this.#write = write;
    this.#now = now;
    this.#callbackUrl = callbackUrl;
    this.#ways = providers.map((provider) => ({
      provider,
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

  async send(delivery: Delivery): Promise<HandedOver> {
    const message = this.#written(delivery);
    if ('fault' in message) return refused(`it cannot be written (${message.fault})`);
    const way = this.#choose(delivery.refusedBy ?? []);
    if (way === undefined) return refused('no provider is left that has not refused it');
    const { circuit, provider } = way;
    const sentAtMs = enter(circuit) ?? this.#now();
    const attempt = this.#referenceOf(delivery, provider);
    const result = toldResult(delivery, await provider.send(message.of, attempt));
    if (result.kind === 'accepted' || result.kind === 'permanent') circuit.answered();
    else circuit.failed(sentAtMs, result.reason);
    const isAsked = attempt.callbackUrl !== undefined;
    return { provider: provider.name, result, ...(isAsked && { awaitsReceipt: true }) };
  }

  #referenceOf({ attempts, deliveryId }: Delivery, { name, tellsReceipts }: Provider<M>): AttemptReference {
    const attempt = { deliveryId, attempt: attempts };
    const callbackUrl = tellsReceipts === true ? this.#callbackUrl?.(name, attempt) : undefined;
    return callbackUrl === undefined ? attempt : { ...attempt, callbackUrl };
  }

  #choose(refusedBy: readonly string[]): Way<M> | undefined {
    const left = this.#ways.filter(({ provider }) => !refusedBy.includes(provider.name));
    return left.find(({ circuit }) => isOpenTo(circuit)) ?? left[0];
  }

  /** A fault comes again for the same delivery, whichever provider is asked. */
  #written(delivery: Delivery): { readonly of: M } | { readonly fault: string } {
    try {
      return { of: this.#write(delivery) };
    } catch (error) {
      return { fault: String(error) };
    }
  }
}

interface Way<M> {
  readonly provider: Provider<M>;
  readonly circuit: Circuit;
}

const refused = (reason: string): HandedOver => ({ provider: undefined, result: { kind: 'permanent', reason } });

/** When the circuit let the message through; undefined where it would not. */
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
