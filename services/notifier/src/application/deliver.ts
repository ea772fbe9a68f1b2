import type { Clock } from '@tocsin/clock';
import type { ContactMethod, Decision } from '@tocsin/contracts';
import { outgoingOf, type Outgoing } from '../domain/bundle.ts';
import { begun, triesOf, type SendResult } from '../domain/attempts.ts';
import { failed, isFinal, isNotice, isPage, userIdOf, type Delivery } from '../domain/delivery.ts';
import { rechecked, type SendContext } from '../domain/recheck.ts';
import type { AlertStanding } from '../domain/wanted.ts';
import type { Channel, HandedOver } from '../ports/channel.ts';
import type {
  DeliveryChange,
  DeliveryResult,
  DeliveryStore,
  Slots,
  TakenDelivery,
  Turn,
} from '../ports/delivery-store.ts';
import type { NoticeListener } from '../ports/notice-listener.ts';
import type { Users } from '../ports/users.ts';
import { changeAfter } from './after-attempt.ts';
import { decisionOf, type Change } from './delivery-decision.ts';
import { MethodPlaces } from './method-places.ts';
import { pureOr } from './pure.ts';
import { ResultWriter } from './result-writer.ts';
import { tellNotice } from './tell-notice.ts';
import { SendWindow } from './send-window.ts';

export interface DeliverPorts {
  readonly store: DeliveryStore;
  readonly users: Pick<Users, 'get' | 'isDeleted'>;
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
  /** Hears what became of each notice. */
  readonly onNotice: NoticeListener;
  /** Hears why a result cannot be written yet; it is tried again after `pause` (real time), until the stop. */
  readonly onTrouble: (error: unknown) => void;
  readonly pause: () => Promise<void>;
  /** How many messages may be between their beginning and their result. */
  readonly window: number;
}

/** A hand-over that is traced. */
export interface TracedHandOver {
  /** `failure`: the kind of result, where the provider did not take the message. */
  end(failure?: string): void;
}

/**
 * Hands over the messages whose turn has come, in a sliding window: whoever is done makes room for the next person, whatever
 * the others wait for. Each message is checked once more, written as begun, given to its provider, and its result written.
 * A crash between the hand-over and the result sends it again (promise 3, U7).
 */
export class Deliver {
  readonly #ports: DeliverPorts;
  readonly #window: SendWindow;
  readonly #results: ResultWriter;
  #stopping = false;

  constructor(ports: DeliverPorts) {
    const { channels, clock, onTrouble, pause, store, window } = ports;
    this.#ports = ports;
    this.#window = new SendWindow(window, new MethodPlaces(channels, window));
    this.#results = new ResultWriter({
      store,
      clock,
      onTrouble,
      pause,
      decide: this.#decide,
      mayGoOn: (conclusion, conclusions) => this.#window.mayGoOn(conclusion, conclusions),
      onEnded: (ended) => {
        this.#tell(ended);
      },
    });
  }

  /** The turns of the messages that are between their beginning and their result. */
  get underWay(): readonly Turn[] {
    return this.#window.underWay;
  }

  /** Calls `listener` whenever a message makes room. */
  whenRoom(listener: () => void): void {
    this.#window.whenRoom(listener);
  }

  /**
   * Begins the next message of as many people as there is room for; answers whether there may be more to do at once. It does
   * not wait for hand-overs.
   *
   * @throws what the store throws; what was not begun is given back, and counts as nothing.
   */
  async take(): Promise<boolean> {
    const { clock, store } = this.#ports;
    const { claimed, fitting } = await this.#window.claim((most, except) => store.claim(clock.now(), most, except));
    if (claimed.length === 0) return false;
    await this.#window.withPlaces(fitting.length, async (places) => {
      const turns = fitting.slice(0, places);
      if (turns.length < claimed.length) await store.release(claimed.filter((turn) => !turns.includes(turn)));
      this.#start(await this.#begin(turns));
    });
    return !this.#window.isFull;
  }

  /**
   * Runs `work` with slots for messages that are begun in the transaction that inserts them: at most one for each of `userIds`,
   * and none while others wait, because they came first.
   */
  async withSlots<T>(userIds: readonly string[], work: (slots: Slots) => Promise<T>): Promise<T> {
    const isOpen = !this.#stopping && !this.#window.othersWait;
    return this.#window.withPlaces(isOpen ? new Set(userIds).size : 0, (free) =>
      work({
        free,
        freeFor: (method) => this.#window.freeForNew(method),
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
    this.#results.stop();
    await this.settled();
  }

  /** Resolves when each turn that is under way now has ended. */
  async settled(): Promise<void> {
    await this.#window.settled();
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
      if (isFinal(taken.delivery)) this.#tell(taken);
      else this.#window.occupy(taken.turn, this.#handOverAll(taken));
    }
  }

  readonly #decide = (delivery: Delivery, standing: AlertStanding | undefined): DeliveryChange => {
    const { clock } = this.#ports;
    const next = pureOr(
      () => {
        const now = clock.now();
        const checked = rechecked(delivery, { ...this.#userOf(delivery), standing, now });
        return isFinal(checked) ? checked : begun(checked, now);
      },
      (fault) => failed(delivery, `it cannot be checked (${fault})`),
    );
    const isTold = isFinal(next) || next.interruptions > delivery.interruptions;
    return isTold ? this.#withDecision({ delivery: next }) : { delivery: next };
  };

  /** What is known of whom a delivery is for. A notice goes to its address, whoever that is. */
  #userOf(delivery: Delivery): Pick<SendContext, 'user' | 'isGone'> {
    const { users } = this.#ports;
    const id = userIdOf(delivery);
    return isNotice(delivery) ? { user: undefined } : { user: users.get(id), isGone: users.isDeleted(id) };
  }

  /** One message after the other, for as long as the turn goes on. */
  async #handOverAll(taken: TakenDelivery): Promise<void> {
    for (let next: TakenDelivery | undefined = taken; next !== undefined;) next = await this.#handOver(next);
  }

  /** Answers the message with which the turn goes on, if it does. */
  async #handOver({ delivery, others = [], turn }: TakenDelivery): Promise<TakenDelivery | undefined> {
    const traced = this.#ports.tracing?.(delivery);
    const handedOver = await this.#send(outgoingOf(delivery, others), turn);
    const { isOverRate: isUntried = false, result } = handedOver;
    traced?.end(result.kind === 'accepted' ? undefined : result.kind);
    const now = this.#ports.clock.now();
    if (!isUntried) this.#count(result, delivery, { others: others.length, now });
    const [first, ...rest] = this.#resultsOf([delivery, ...others], handedOver, now);
    const after = await this.#results.write({ ...first, turn, others: rest });
    if (after !== undefined && !isUntried) this.#tell(first);
    return after?.next;
  }

  /** What becomes of each delivery of a message; what was one message is tried again as one, after the same pause. */
  #resultsOf(
    [first, ...others]: readonly [Delivery, ...Delivery[]],
    handedOver: HandedOver,
    now: Date,
  ): readonly [DeliveryResult, ...DeliveryResult[]] {
    const { channels, random } = this.#ports;
    const context = { now, jitter: random(), providers: channels.get(first.method)?.providers ?? [] };
    const resultOf = (delivery: Delivery): DeliveryResult => {
      const change = changeAfter(delivery, handedOver, context);
      return handedOver.isOverRate === true ? change : this.#withDecision(change);
    };
    return [resultOf(first), ...others.map(resultOf)];
  }

  #count(
    { kind }: SendResult,
    delivery: Delivery,
    { now, others }: { readonly now: Date; readonly others: number },
  ): void {
    if (kind !== 'accepted') {
      if (triesOf(delivery) === 1) this.#ports.onRefused(kind);
    } else if (others > 0) this.#ports.onBundle(delivery.method, 1 + others);
    else this.#ports.onHandedOver(secondsSinceDue(delivery, now));
  }

  /** While the settings of providers change, another replica may have the channel that this one lacks. */
  async #send(outgoing: Outgoing, turn: Turn): Promise<HandedOver> {
    const channel = this.#ports.channels.get(outgoing.method);
    if (channel !== undefined) return channel.send(outgoing, () => this.#ports.store.mayStart(turn));
    const reason = `there is no channel for ${outgoing.method}`;
    return { provider: undefined, result: { kind: 'temporary', reason } };
  }

  #withDecision<C extends Change>(change: C): C & { readonly decision: Decision } {
    return { ...change, decision: decisionOf(change, this.#ports.clock.now()) };
  }

  #tell(change: Change): void {
    const { clock, onNotice } = this.#ports;
    if (!isPage(change.delivery)) tellNotice(change.delivery, decisionOf(change, clock.now()).verdicts, onNotice);
  }
}

function secondsSinceDue(delivery: Delivery, now: Date): number {
  const acceptedAt = isPage(delivery) ? Date.parse(delivery.page.acceptedAt) : 0;
  return (now.getTime() - Math.max(delivery.dueAt.getTime(), acceptedAt)) / 1_000;
}
