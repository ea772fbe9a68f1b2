import type { Clock } from '@tocsin/clock';
import type { Decision } from '@tocsin/contracts';
import { begun, concluded, failed, isFinal, isNotice, type Delivery, type SendResult } from '../domain/delivery.ts';
import { writeMail, type Mail, type Sender } from '../domain/mail.ts';
import { rechecked } from '../domain/recheck.ts';
import type { AlertStanding } from '../domain/wanted.ts';
import type { Conclusion, DeliveryChange, DeliveryStore, Slots, TakenDelivery, Turn } from '../ports/delivery-store.ts';
import type { MailProvider } from '../ports/mail-provider.ts';
import type { NoticeListener } from '../ports/notice-listener.ts';
import type { Users } from '../ports/users.ts';
import { ConclusionQueue } from './conclusion-queue.ts';
import { decisionOf } from './delivery-decision.ts';
import { pureOr } from './pure.ts';

export interface DeliverPorts {
  readonly store: DeliveryStore;
  readonly users: Pick<Users, 'get'>;
  readonly mail: MailProvider;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** Called once for each message that a provider took, with the seconds since it was accepted or due. */
  readonly onHandedOver: (seconds: number) => void;
  /** Hears what became of each notice. */
  readonly onNotice: NoticeListener;
  /** Hears why a result cannot be written yet; it is tried again after `pause` (real time), until the stop. */
  readonly onTrouble: (error: unknown) => void;
  readonly pause: () => Promise<void>;
  readonly sender: Sender;
  /** How many messages may be between their beginning and their result. */
  readonly window: number;
}

/** Once a result is written: the message with which its turn goes on, if it does. */
interface AfterResult {
  readonly next: Delivery | undefined;
}

/**
 * Hands over the messages whose turn has come, in a sliding window: whoever is done makes room for the next person, whatever
 * the others wait for. Each message is checked once more, written as begun, given to its provider, and its result written.
 * A crash between the hand-over and the result sends it again (promise 3, U7).
 */
export class Deliver {
  readonly #ports: DeliverPorts;
  readonly #conclusions: ConclusionQueue<Conclusion, AfterResult>;
  readonly #underWay = new Map<Turn, Promise<void>>();
  /** Places in the window for messages that are being begun. */
  #reserved = 0;
  /** Whether, at the last look, more people may have waited than there were slots. */
  #othersWait = false;
  #stopping = false;
  #onRoom: () => void = () => undefined;

  constructor(ports: DeliverPorts) {
    this.#ports = ports;
    this.#conclusions = new ConclusionQueue((conclusions) => this.#write(conclusions));
  }

  /** The turns of the messages that are between their beginning and their result. */
  get underWay(): readonly Turn[] {
    return [...this.#underWay.keys()];
  }

  /** Calls `listener` whenever a message makes room. */
  whenRoom(listener: () => void): void {
    this.#onRoom = listener;
  }

  /**
   * Begins the next message of as many people as there is room for; answers whether there may be more to do at once. It does
   * not wait for hand-overs.
   *
   * @throws what the store throws; what was not begun is given back, and counts as nothing.
   */
  async take(): Promise<boolean> {
    const { clock, store, window } = this.#ports;
    const room = this.#room();
    this.#othersWait = room <= 0;
    if (room <= 0) return false;
    const turns = await store.claim(clock.now(), room);
    this.#othersWait = turns.length === room;
    if (turns.length === 0) return false;
    await this.#withPlaces(turns.length, async (places) => {
      if (places < turns.length) await store.release(turns.slice(places));
      this.#start(await this.#begin(turns.slice(0, places)));
    });
    return this.#underWay.size < window;
  }

  /**
   * Runs `work` with slots for messages that are begun in the transaction that inserts them: at most one for each of `userIds`,
   * and none while others wait, because they came first.
   */
  async withSlots<T>(userIds: readonly string[], work: (slots: Slots) => Promise<T>): Promise<T> {
    const isOpen = !this.#stopping && !this.#othersWait;
    return this.#withPlaces(isOpen ? new Set(userIds).size : 0, (free) =>
      work({
        free,
        now: this.#ports.clock.now(),
        decide: this.#decide,
        start: (decided) => {
          this.#start(decided);
        },
      }),
    );
  }

  /** Resolves when nothing is under way. A result that cannot be written then is left to whoever runs next. */
  async finish(): Promise<void> {
    this.#stopping = true;
    await this.settled();
  }

  /** Resolves when each turn that is under way now has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  #room(): number {
    return this.#ports.window - this.#underWay.size - this.#reserved;
  }

  /** Sets places in the window aside while `work` runs: as many as are wanted and free. */
  async #withPlaces<T>(wanted: number, work: (places: number) => Promise<T>): Promise<T> {
    const places = Math.max(0, Math.min(wanted, this.#room()));
    this.#reserved += places;
    try {
      return await work(places);
    } finally {
      this.#reserved -= places;
      if (places > 0 && this.#othersWait) this.#onRoom();
    }
  }

  async #begin(turns: readonly Turn[]): Promise<readonly TakenDelivery[]> {
    const { clock, store } = this.#ports;
    try {
      return await store.begin(turns, clock.now(), this.#decide);
    } catch (error) {
      await store.release(turns).catch(this.#ports.onTrouble);
      throw error;
    }
  }

  #start(decided: readonly TakenDelivery[]): void {
    for (const taken of decided) {
      if (isFinal(taken.delivery)) this.#tell(taken.delivery, undefined);
      else this.#startOne(taken);
    }
  }

  #startOne(taken: TakenDelivery): void {
    const { turn } = taken;
    const handOver = this.#handOverAll(taken).finally(() => {
      this.#underWay.delete(turn);
      this.#onRoom();
    });
    this.#underWay.set(turn, handOver);
  }

  readonly #decide = (delivery: Delivery, standing: AlertStanding | undefined): DeliveryChange => {
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
  };

  /** One message after the other, for as long as the turn goes on. */
  async #handOverAll({ delivery, turn }: TakenDelivery): Promise<void> {
    for (let next: Delivery | undefined = delivery; next !== undefined;) next = await this.#handOver(next, turn);
  }

  /** Answers the message with which the turn goes on, if it does. */
  async #handOver(delivery: Delivery, turn: Turn): Promise<Delivery | undefined> {
    const result = await this.#send(delivery);
    const now = this.#ports.clock.now();
    if (result.kind === 'accepted') this.#ports.onHandedOver(secondsSinceDue(delivery, now));
    const outcome = concluded(delivery, result, now, this.#ports.random());
    const after = await this.#conclude({ ...this.#withDecision(outcome), turn });
    if (after !== undefined) this.#tell(outcome.delivery, outcome.retryAt);
    return after?.next;
  }

  /**
   * Tries until the result is written, because the message would be sent again without it. A result is not taken when its
   * message was erased meanwhile. Then the turn is released here, so that its person's other messages do not wait for the lease.
   */
  async #conclude(conclusion: Conclusion): Promise<AfterResult | undefined> {
    for (;;) {
      try {
        const after = await this.#conclusions.add(conclusion);
        if (after === undefined) await this.#ports.store.release([conclusion.turn]);
        return after;
      } catch (error) {
        this.#ports.onTrouble(error);
        if (this.#stopping) return undefined;
        await this.#ports.pause();
      }
    }
  }

  /** A turn goes on only while nobody else waits for a slot: a storm lets others wait for one message at most (F2). */
  async #write(conclusions: readonly Conclusion[]): Promise<ReadonlyMap<Conclusion, AfterResult>> {
    const { clock, store } = this.#ports;
    const goesOn = !this.#stopping && !this.#othersWait;
    const { next, taken } = await store.conclude(conclusions, clock.now(), goesOn ? this.#decide : undefined);
    const sending = new Map<Turn, Delivery>();
    for (const { delivery, turn } of next) {
      if (isFinal(delivery)) this.#tell(delivery, undefined);
      else sending.set(turn, delivery);
    }
    return new Map(taken.map((conclusion) => [conclusion, { next: sending.get(conclusion.turn) }]));
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
