import { begun } from '../domain/attempts.ts';
import { failed, isFinal, isNotice, isPage, userIdOf, type Delivery } from '../domain/delivery.ts';
import { rechecked, type SendContext } from '../domain/recheck.ts';
import type { AlertStanding } from '../domain/wanted.ts';
import type { DeliveryChange, DeliveryStore, Slots, TakenDelivery, Turn } from '../ports/delivery-store.ts';
import type { NoticeListener } from '../ports/notice-listener.ts';
import type { Users } from '../ports/users.ts';
import { decisionOf, withDecision, type Change } from './delivery-decision.ts';
import { HandOver, type HandOverPorts } from './hand-over.ts';
import { MethodPlaces } from './method-places.ts';
import { pureOr } from './pure.ts';
import { ResultWriter } from './result-writer.ts';
import { SendWindow } from './send-window.ts';
import { tellNotice } from './tell-notice.ts';

export interface DeliverPorts extends HandOverPorts {
  readonly store: DeliveryStore;
  readonly users: Pick<Users, 'get' | 'isDeleted'>;
  /** Hears what became of each notice. */
  readonly onNotice: NoticeListener;
  /** Hears why a result cannot be written yet; it is tried again after `pause` (real time), until the stop. */
  readonly onTrouble: (error: unknown) => void;
  readonly pause: () => Promise<void>;
  /** How many messages may be between their beginning and their result. */
  readonly window: number;
}

/**
 * Hands over the messages whose turn has come, in a sliding window: whoever is done makes room for the next person, whatever
 * the others wait for. Each message is checked once more, written as begun, given to its provider, and its result written.
 * A crash between the hand-over and the result sends it again (promise 3, U7).
 */
export class Deliver {
  readonly #ports: DeliverPorts;
  readonly #window: SendWindow;
  readonly #handOver: HandOver;
  readonly #results: ResultWriter;
  #stopping = false;

  constructor(ports: DeliverPorts) {
    const { channels, clock, onTrouble, pause, store, window } = ports;
    this.#ports = ports;
    this.#window = new SendWindow(window, new MethodPlaces(channels, window));
    this.#handOver = new HandOver(ports);
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
    if (this.#stopping) {
      await store.release(claimed);
      return false;
    }
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

  /**
   * Begins no further message, and tries to write each result once. If a result cannot be written, another process sends the
   * message again.
   */
  stop(): void {
    this.#stopping = true;
    this.#results.stop();
  }

  /** Resolves when every turn that has begun, or is just beginning, has ended. */
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
      else this.#window.occupy(taken.turn, this.#sendAll(taken));
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
    return isTold ? withDecision({ delivery: next }, clock.now()) : { delivery: next };
  };

  /** What is known of a delivery's user. A notice goes to its address, whoever that is. */
  #userOf(delivery: Delivery): Pick<SendContext, 'user' | 'isGone'> {
    const { users } = this.#ports;
    const id = userIdOf(delivery);
    return isNotice(delivery) ? { user: undefined } : { user: users.get(id), isGone: users.isDeleted(id) };
  }

  /** One message after the other, for as long as the turn goes on. */
  async #sendAll(taken: TakenDelivery): Promise<void> {
    for (let next: TakenDelivery | undefined = taken; next !== undefined;) next = await this.#sendAndWrite(next);
  }

  /** Answers the message with which the turn goes on, if it does. */
  async #sendAndWrite(taken: TakenDelivery): Promise<TakenDelivery | undefined> {
    const { isUntried, results } = await this.#handOver.send(taken);
    const [first, ...others] = results;
    const after = await this.#results.write({ ...first, turn: taken.turn, others });
    if (after !== undefined && !isUntried) this.#tell(first);
    return after?.next;
  }

  #tell(change: Change): void {
    const { clock, onNotice } = this.#ports;
    if (!isPage(change.delivery)) tellNotice(change.delivery, decisionOf(change, clock.now()).verdicts, onNotice);
  }
}
