import type { Clock } from '@tocsin/core';
import { ContactMethod } from '@tocsin/events';
import type { ServiceContext } from '@tocsin/service';
import type { Channel, HandedOver } from '../channels/channel.ts';
import type { HandOverResult, MessageKind } from '../queue/message-kind.ts';
import type { BegunMessage, DeliveryChange, DeliveryResult } from '../queue/message-result.ts';
import type { DeliveryStore } from '../queue/delivery-store.ts';
import { changeAfter, subscriptionEventOf, verificationEventOf } from './after-attempt.ts';
import { beginAttempt, type SendResult, triedUntil, triesOf } from './attempts.ts';
import { type Outgoing, outgoingOf } from './bundle.ts';
import { catchFault } from './dead-letter.ts';
import { decisionOf, type NoticeListener, notifyOutcome, withDecision } from './decisions.ts';
import {
  type Delivery,
  markFailed,
  isFinal,
  isNotice,
  isPage,
  ofUser,
  type UserDelivery,
  userIdOf,
} from './delivery.ts';
import type { ShadowGate } from '../shadow/operations.ts';
import { heldBack, kindOf } from '../shadow/shadow.ts';
import { checkBeforeSending, type SendContext } from './recheck.ts';
import type { UserReplica } from './user-client.ts';

export interface SendToUsersPorts extends HandOverPorts {
  readonly users: Pick<UserReplica, 'get' | 'isDeleted'>;
  /** Called with each message that shadow held back, once that is written. */
  readonly onHeldBack: (channel: ContactMethod) => void;
  /** Called with the result of each notice. */
  readonly onNotice: NoticeListener;
}

/** Messages to users. Each is checked once more before it is begun (U5), and handed over to the providers of its channel. */
export class SendToUsers implements MessageKind {
  /** All methods, because during a roll-out of new settings another process may have the channel. */
  readonly methods = ContactMethod.options;
  readonly channels: ReadonlyMap<ContactMethod, Channel>;
  readonly #ports: SendToUsersPorts;
  readonly #handOver: ChannelHandOver;

  constructor(ports: SendToUsersPorts) {
    this.#ports = ports;
    this.channels = ports.channels;
    this.#handOver = new ChannelHandOver(ports);
  }

  readonly check = (before: Delivery): DeliveryChange => {
    const { clock, shadow } = this.#ports;
    const delivery = ofUser(before);
    const next = catchFault(
      () => {
        const now = clock.now();
        const checked = checkBeforeSending(delivery, { ...this.#userOf(delivery), now });
        if (isFinal(checked)) return checked;
        return shadow.holdsBack(kindOf(checked)) ? heldBack(checked) : beginAttempt(checked, now);
      },
      (fault) => markFailed(delivery, `it cannot be checked (${fault})`),
    );
    const isLogged = isFinal(next) || next.interruptions > delivery.interruptions;
    return isLogged ? withDecision({ delivery: next }, clock.now()) : { delivery: next };
  };

  get mayBegin(): boolean {
    return this.#ports.shadow.state !== 'unknown';
  }

  handOver(message: BegunMessage): Promise<HandOverResult> {
    return this.#handOver.run(message);
  }

  onEnded(change: DeliveryResult): void {
    const delivery = ofUser(change.delivery);
    const { clock, onHeldBack, onNotice } = this.#ports;
    if (delivery.state === 'held-back') onHeldBack(delivery.method);
    if (isPage(delivery)) return;
    notifyOutcome(delivery, decisionOf({ ...change, delivery }, clock.now()).findings, onNotice);
  }

  /** The user of a delivery. A notice needs none: it is sent to its address, and its user may not be known yet. */
  #userOf(delivery: UserDelivery): Pick<SendContext, 'user' | 'isGone'> {
    const { users } = this.#ports;
    const id = userIdOf(delivery);
    return isNotice(delivery) ? { user: undefined } : { user: users.get(id), isGone: users.isDeleted(id) };
  }
}

export interface HandOverPorts {
  readonly store: Pick<DeliveryStore, 'hasKeptLease' | 'mayHandOver'>;
  readonly users: Pick<UserReplica, 'get'>;
  readonly shadow: Pick<ShadowGate, 'holdsBack' | 'maySend' | 'state'>;
  readonly channels: ReadonlyMap<ContactMethod, Channel>;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** Called once for each message that a provider accepted, with the seconds since it was accepted or due; not for a bundle. */
  readonly onHandedOver: (seconds: number) => void;
  /** Called once for each bundle that a provider accepted (U8). */
  readonly onBundle: (method: ContactMethod, pages: number) => void;
  /** Called once for each message that its provider did not accept at the first attempt. */
  readonly onRefused: (result: Exclude<SendResult['kind'], 'accepted'>) => void;
  /** Begins the trace of a hand-over whose page is sampled; absent: no traces. */
  readonly tracing?: (delivery: UserDelivery) => TracedHandOver | undefined;
}

/** A hand-over that is traced. */
export interface TracedHandOver {
  /** `failure`: the kind of result, where the provider did not take the message. */
  end(failure?: string): void;
}

/** A message whose time ends so soon is given to a provider that asked to wait: its result would come after that end. */
const LAST_TRY_WITHIN_MS = 1_000;

/** Shadow was begun, or the process was frozen, since the message was begun. It is checked again. */
const HELD_UP: HandedOver = {
  isOverRate: true,
  provider: undefined,
  result: { kind: 'temporary', reason: 'it was held up before it was sent' },
};

/** Hands one message after the other over to its channel, and returns the results of its deliveries. Writes nothing. */
export class ChannelHandOver {
  readonly #ports: HandOverPorts;

  constructor(ports: HandOverPorts) {
    this.#ports = ports;
  }

  /** Never rejects, as channels never do. */
  async run({ queue, ...message }: BegunMessage): Promise<HandOverResult> {
    const { clock, tracing } = this.#ports;
    const delivery = ofUser(message.delivery);
    const others = (message.others ?? []).map(ofUser);
    const traced = tracing?.(delivery);
    const soon = new Date(clock.now().getTime() + LAST_TRY_WITHIN_MS);
    const isLastTry = [delivery, ...others].some((each) => soon >= triedUntil(each));
    const mayHandOver = () => this.#ports.shadow.maySend(kindOf(delivery)) && this.#ports.store.mayHandOver(queue);
    const handedOver = await this.#send(outgoingOf(delivery, others), mayHandOver, isLastTry);
    const { isOverRate: isPostponed = false, result } = handedOver;
    traced?.end(result.kind === 'accepted' ? undefined : result.kind);
    const now = clock.now();
    if (!isPostponed) this.#count(result, delivery, { others: others.length, now });
    const hasLostLease = !this.#ports.store.hasKeptLease(queue);
    return { results: this.#resultsOf([delivery, ...others], handedOver, { hasLostLease, now }), isPostponed };
  }

  /** During a roll-out of new settings another process may have the channel. */
  async #send(outgoing: Outgoing, mayHandOver: () => boolean, isLastTry: boolean): Promise<HandedOver> {
    if (!mayHandOver()) return HELD_UP;
    const channel = this.#ports.channels.get(outgoing.method);
    if (channel !== undefined) return channel.send(outgoing, mayHandOver, isLastTry);
    const reason = `there is no channel for ${outgoing.method}`;
    return { provider: undefined, result: { kind: 'temporary', reason } };
  }

  /** The pages of one message are tried again as one message, after the same pause. */
  #resultsOf(
    [first, ...others]: readonly [UserDelivery, ...UserDelivery[]],
    handedOver: HandedOver,
    { hasLostLease, now }: { readonly hasLostLease: boolean; readonly now: Date },
  ): HandOverResult['results'] {
    const { channels, random, users } = this.#ports;
    const user = users.get(userIdOf(first));
    const context = { hasLostLease, now, jitter: random(), providers: channels.get(first.method)?.providers ?? [] };
    const resultOf = (delivery: UserDelivery): DeliveryResult => {
      const change = changeAfter(delivery, handedOver, context);
      if (handedOver.isOverRate === true) return change;
      return {
        ...withDecision(change, now),
        verification: verificationEventOf(change.delivery, user, now),
        endedSubscription: subscriptionEventOf(delivery, handedOver, now),
      };
    };
    return [resultOf(first), ...others.map(resultOf)];
  }

  #count(
    { kind }: SendResult,
    delivery: UserDelivery,
    { now, others }: { readonly now: Date; readonly others: number },
  ): void {
    const { onBundle, onHandedOver, onRefused } = this.#ports;
    if (kind !== 'accepted') {
      if (triesOf(delivery) === 1) onRefused(kind);
    } else if (others > 0) onBundle(delivery.method, 1 + others);
    else onHandedOver(secondsSinceDue(delivery, now));
  }
}

function secondsSinceDue(delivery: UserDelivery, now: Date): number {
  const acceptedAt = isPage(delivery) ? Date.parse(delivery.page.acceptedAt) : 0;
  return (now.getTime() - Math.max(delivery.dueAt.getTime(), acceptedAt)) / 1_000;
}

/**
 * Traces one try to hand a message over. A delivery that is due with its page is a part of the trace of the page; a later step
 * or repetition has a trace of its own that is linked to it.
 */
export function traceHandOver(tracer: ServiceContext['tracer'], delivery: UserDelivery): TracedHandOver | undefined {
  if (!isPage(delivery)) return undefined;
  const { attempts, deliveryId, dueAt, method, page } = delivery;
  const { trace } = page;
  if (trace === undefined) return undefined;
  const isDueWithPage = dueAt.getTime() <= Date.parse(page.pagedAt);
  return tracer.begin(`hand over ${method}`, {
    kind: 'client',
    ...(isDueWithPage ? { parent: trace } : { links: [trace] }),
    attributes: {
      'tocsin.alert_id': page.alertId,
      'tocsin.page_id': page.pageId,
      'tocsin.delivery_id': deliveryId,
      'tocsin.attempt': attempts,
    },
  });
}
