import type { Clock } from '@tocsin/clock';
import type { ContactMethod } from '@tocsin/contracts';
import { triesOf, type SendResult } from '../domain/attempts.ts';
import { outgoingOf, type Outgoing } from '../domain/bundle.ts';
import { isPage, userIdOf, type Delivery } from '../domain/delivery.ts';
import { verificationEventOf } from '../domain/verification-event.ts';
import type { Channel, HandedOver } from '../ports/channel.ts';
import type { DeliveryResult, DeliveryStore, TakenDelivery, Turn } from '../ports/delivery-store.ts';
import type { Users } from '../ports/users.ts';
import { changeAfter } from './after-attempt.ts';
import { withDecision } from './delivery-decision.ts';

export interface HandOverPorts {
  readonly store: Pick<DeliveryStore, 'mayStart'>;
  readonly users: Pick<Users, 'get'>;
  readonly channels: ReadonlyMap<ContactMethod, Channel>;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** Called once for each message that a provider took, with the seconds since it was accepted or due; not for a bundle. */
  readonly onHandedOver: (seconds: number) => void;
  /** Called once for each message of several pages that a provider took: pages are held for it (U8). */
  readonly onBundle: (method: ContactMethod, pages: number) => void;
  /** Called once for each message that its provider did not take at the first attempt. */
  readonly onRefused: (result: Exclude<SendResult['kind'], 'accepted'>) => void;
  /** Traces the hand-over that begins, where what it is about is sampled; nothing is traced without it. */
  readonly tracing?: (delivery: Delivery) => TracedHandOver | undefined;
}

/** A hand-over that is traced. */
export interface TracedHandOver {
  /** `failure`: the kind of result, where the provider did not take the message. */
  end(failure?: string): void;
}

/** What became of the deliveries of one message by one attempt. */
export interface HandOverResult {
  readonly results: readonly [DeliveryResult, ...DeliveryResult[]];
  /** The provider is at its rate: nothing was sent, and nobody is told of it. */
  readonly isUntried: boolean;
}

/** Gives one message after the other to its channel, and says what becomes of its deliveries. Writes nothing. */
export class HandOver {
  readonly #ports: HandOverPorts;

  constructor(ports: HandOverPorts) {
    this.#ports = ports;
  }

  /** Never rejects, as channels never do. */
  async send({ delivery, others = [], turn }: TakenDelivery): Promise<HandOverResult> {
    const { clock, tracing } = this.#ports;
    const traced = tracing?.(delivery);
    const handedOver = await this.#send(outgoingOf(delivery, others), turn);
    const { isOverRate: isUntried = false, result } = handedOver;
    traced?.end(result.kind === 'accepted' ? undefined : result.kind);
    const now = clock.now();
    if (!isUntried) this.#count(result, delivery, { others: others.length, now });
    return { results: this.#resultsOf([delivery, ...others], handedOver, now), isUntried };
  }

  /** While the settings of providers change, another replica may have the channel that this one lacks. */
  async #send(outgoing: Outgoing, turn: Turn): Promise<HandedOver> {
    const channel = this.#ports.channels.get(outgoing.method);
    if (channel !== undefined) return channel.send(outgoing, () => this.#ports.store.mayStart(turn));
    const reason = `there is no channel for ${outgoing.method}`;
    return { provider: undefined, result: { kind: 'temporary', reason } };
  }

  /** What was one message is tried again as one, after the same pause. */
  #resultsOf(
    [first, ...others]: readonly [Delivery, ...Delivery[]],
    handedOver: HandedOver,
    now: Date,
  ): HandOverResult['results'] {
    const { channels, random, users } = this.#ports;
    const user = users.get(userIdOf(first));
    const context = { now, jitter: random(), providers: channels.get(first.method)?.providers ?? [] };
    const resultOf = (delivery: Delivery): DeliveryResult => {
      const change = changeAfter(delivery, handedOver, context);
      if (handedOver.isOverRate === true) return change;
      return { ...withDecision(change, now), verification: verificationEventOf(change.delivery, user, now) };
    };
    return [resultOf(first), ...others.map(resultOf)];
  }

  #count(
    { kind }: SendResult,
    delivery: Delivery,
    { now, others }: { readonly now: Date; readonly others: number },
  ): void {
    const { onBundle, onHandedOver, onRefused } = this.#ports;
    if (kind !== 'accepted') {
      if (triesOf(delivery) === 1) onRefused(kind);
    } else if (others > 0) onBundle(delivery.method, 1 + others);
    else onHandedOver(secondsSinceDue(delivery, now));
  }
}

function secondsSinceDue(delivery: Delivery, now: Date): number {
  const acceptedAt = isPage(delivery) ? Date.parse(delivery.page.acceptedAt) : 0;
  return (now.getTime() - Math.max(delivery.dueAt.getTime(), acceptedAt)) / 1_000;
}
