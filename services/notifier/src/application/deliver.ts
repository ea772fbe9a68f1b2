import type { Clock } from '@tocsin/clock';
import type { Decision } from '@tocsin/contracts';
import { begun, concluded, failed, isFinal, isNotice, type Delivery, type SendResult } from '../domain/delivery.ts';
import { writeMail, type Mail, type Sender } from '../domain/mail.ts';
import { rechecked } from '../domain/recheck.ts';
import type { AlertStanding } from '../domain/wanted.ts';
import type { Claim, Conclusion, DeliveryChange, DeliveryStore } from '../ports/delivery-store.ts';
import type { MailProvider } from '../ports/mail-provider.ts';
import type { NoticeListener } from '../ports/notice-listener.ts';
import type { Users } from '../ports/users.ts';
import { ConclusionQueue } from './conclusion-queue.ts';
import { decisionOf } from './delivery-decision.ts';
import { pureOr } from './pure.ts';

export interface DeliverPorts<C extends Claim> {
  readonly store: DeliveryStore<C>;
  readonly users: Pick<Users, 'get'>;
  readonly mail: MailProvider;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** Called once for each message that a provider took, with the seconds since it was accepted or due. */
  readonly onHandedOver: (seconds: number) => void;
  /** Hears what became of each notice. */
  readonly onNotice: NoticeListener;
  readonly sender: Sender;
  /** How many messages are begun together. */
  readonly portion: number;
  /** How long claims are ours, in milliseconds of real time: a portion is begun in the first half of it alone. */
  readonly leaseMs: number;
}

/**
 * Hands over the deliveries whose time has come: each is checked once more, marked as begun, given to its provider, and its
 * result written. A crash between the hand-over and the result sends it again (promise 3, U7).
 */
export class Deliver<C extends Claim> {
  readonly #ports: DeliverPorts<C>;
  readonly #conclusions: ConclusionQueue<Conclusion<C>>;
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
    for (const delivery of deliveries) if (isFinal(delivery)) this.#tell(delivery, undefined);
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
    const { clock, users } = this.#ports;
    const user = isNotice(delivery) ? undefined : users.get(delivery.page.userId);
    const next = pureOr(
      () => {
        const checked = rechecked(delivery, { standing, user, now: clock.now() });
        return isFinal(checked) ? checked : begun(checked);
      },
      (fault) => failed(delivery, `it cannot be checked (${fault})`),
    );
    const isTold = isFinal(next) || next.interruptions > delivery.interruptions;
    return isTold ? this.#withDecision({ delivery: next }) : { delivery: next };
  }

  async #handOver(delivery: Delivery, claim: C): Promise<void> {
    const result = await this.#send(delivery);
    const now = this.#ports.clock.now();
    if (result.kind === 'accepted') this.#ports.onHandedOver(secondsSinceDue(delivery, now));
    const outcome = concluded(delivery, result, now, this.#ports.random());
    if (await this.#conclusions.add({ ...this.#withDecision(outcome), claim }))
      this.#tell(outcome.delivery, outcome.retryAt);
  }

  async #send(delivery: Delivery): Promise<SendResult> {
    if (delivery.method !== 'email') return { kind: 'permanent', reason: `there is no channel for ${delivery.method}` };
    const { mail, sender } = this.#ports;
    const written = pureOr<Mail | { readonly fault: string }>(
      () => writeMail(delivery, sender),
      (fault) => ({ fault }),
    );
    if ('fault' in written) return { kind: 'permanent', reason: `it cannot be written (${written.fault})` };
    return mail.send(written);
  }

  #withDecision(change: DeliveryChange): DeliveryChange & { readonly decision: Decision } {
    return { ...change, decision: decisionOf(change.delivery, change.retryAt, this.#ports.clock.now()) };
  }

  /** No alert has a log for a notice, so it is told here, once it is written. */
  #tell(delivery: Delivery, retryAt: Date | undefined): void {
    if (!isNotice(delivery)) return;
    const { kind, noticeId, userId } = delivery.notice;
    for (const { outcome, text } of decisionOf(delivery, retryAt, this.#ports.clock.now()).verdicts)
      this.#ports.onNotice({ kind, noticeId, userId, outcome, text });
  }
}

function secondsSinceDue(delivery: Delivery, now: Date): number {
  const acceptedAt = isNotice(delivery) ? 0 : Date.parse(delivery.page.acceptedAt);
  return (now.getTime() - Math.max(delivery.dueAt.getTime(), acceptedAt)) / 1_000;
}
