import type { Clock } from '@tocsin/clock';
import type { Decision } from '@tocsin/contracts';
import { begun, concluded, dropped, isFinal, type Delivery, type SendResult } from '../domain/delivery.ts';
import { writeMail, type Sender } from '../domain/mail.ts';
import { unwanted, type AlertStanding } from '../domain/wanted.ts';
import type { MailProvider } from '../ports/mail-provider.ts';
import type { Claim, DeliveryChange, NotificationStore } from '../ports/notification-store.ts';
import { ConclusionQueue } from './conclusion-queue.ts';

export interface DeliverPorts<C extends Claim> {
  readonly store: NotificationStore<C>;
  readonly mail: MailProvider;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** Called once for each message that a provider took, with the seconds since it was accepted or due. */
  readonly onHandedOver: (seconds: number) => void;
  readonly sender: Sender;
  /** How many messages are begun together. */
  readonly portion: number;
  /** How long claims are ours, in milliseconds of real time: a portion is begun in the first half of it alone. */
  readonly leaseMs: number;
}

/**
 * Hands over the deliveries whose time has come: each is checked once more, marked as begun, given to its provider, and its
 * result written. A crash between the hand-over and the result sends it once more (promise 3).
 */
export class Deliver<C extends Claim> {
  readonly #ports: DeliverPorts<C>;
  readonly #conclusions: ConclusionQueue<DeliveryChange & { readonly claim: C }>;
  #underWay = 0;

  constructor(ports: DeliverPorts<C>) {
    this.#ports = ports;
    this.#conclusions = new ConclusionQueue((changes) => ports.store.conclude(changes));
  }

  /** How many messages are between their start and their result. */
  get underWay(): number {
    return this.#underWay;
  }

  /**
   * Portion after portion, so that none is still being sent when its claim has passed to somebody else: behind a slow
   * server the rest is left alone and comes again.
   *
   * @throws what the store throws; what was not concluded comes again.
   */
  async deliver(claims: readonly C[]): Promise<void> {
    const until = performance.now() + this.#ports.leaseMs / 2;
    for (let start = 0; start < claims.length && performance.now() < until; start += this.#ports.portion)
      await this.#deliverPortion(claims.slice(start, start + this.#ports.portion));
  }

  async #deliverPortion(claims: readonly C[]): Promise<void> {
    const byId = new Map(claims.map((claim) => [claim.id, claim]));
    const deliveries = await this.#ports.store.begin(claims, (delivery, standing) => this.#decide(delivery, standing));
    const sending = deliveries.filter((delivery) => !isFinal(delivery));
    this.#underWay += sending.length;
    try {
      await Promise.all(
        sending.map(async (delivery) => {
          const claim = byId.get(delivery.deliveryId);
          if (claim !== undefined) await this.#handOver(delivery, claim);
        }),
      );
    } finally {
      this.#underWay -= sending.length;
    }
  }

  #decide(delivery: Delivery, standing: AlertStanding | undefined): DeliveryChange {
    const reason = unwanted(delivery.page, standing);
    if (reason !== undefined) return this.#withDecision({ delivery: dropped(delivery, reason) });
    const next = begun(delivery);
    return isFinal(next) ? this.#withDecision({ delivery: next }) : { delivery: next };
  }

  async #handOver(delivery: Delivery, claim: C): Promise<void> {
    const result = await this.#send(delivery);
    const now = this.#ports.clock.now();
    if (result.kind === 'accepted') this.#ports.onHandedOver(secondsSinceDue(delivery, now));
    const change = this.#withDecision(concluded(delivery, result, now, this.#ports.random()));
    await this.#conclusions.add({ ...change, claim });
  }

  async #send(delivery: Delivery): Promise<SendResult> {
    if (delivery.method !== 'email') return { kind: 'permanent', reason: `there is no channel for ${delivery.method}` };
    return this.#ports.mail.send(writeMail(delivery, this.#ports.sender));
  }

  #withDecision(change: DeliveryChange): DeliveryChange {
    return { ...change, decision: decisionOf(change, this.#ports.clock.now()) };
  }
}

function secondsSinceDue({ dueAt, page }: Delivery, now: Date): number {
  return (now.getTime() - Math.max(dueAt.getTime(), Date.parse(page.acceptedAt))) / 1_000;
}

function decisionOf({ delivery, retryAt }: DeliveryChange, now: Date): Decision {
  const { attempts, deliveryId, page, state } = delivery;
  return {
    decisionId: `deliver:${deliveryId}:${attempts}:${state}`,
    alertId: page.alertId,
    stage: 'deliver',
    at: now.toISOString(),
    verdicts: [
      {
        subject: 'delivery',
        outcome: retryAt === undefined ? state : 'retrying',
        text: sentence(delivery, retryAt),
        facts: { deliveryId, pageId: page.pageId, userId: page.userId, method: delivery.method, attempts },
      },
    ],
  };
}

function sentence({ method, reason, state, username }: Delivery, retryAt: Date | undefined): string {
  const because = reason === undefined ? '' : `: ${reason}`;
  if (retryAt !== undefined)
    return `The ${method} to ${username} is tried again at ${retryAt.toISOString()}${because}.`;
  switch (state) {
    case 'sent':
      return `The ${method} to ${username} was handed over${because}.`;
    case 'failed':
      return `The ${method} to ${username} failed${because}.`;
    case 'dropped':
      return `The ${method} to ${username} was not sent${because}.`;
    case 'waiting':
    case 'sending':
      return `The ${method} to ${username} is ${state}${because}.`;
  }
}
