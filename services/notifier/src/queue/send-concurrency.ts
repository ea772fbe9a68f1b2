import type { DeliveryMethod } from '../messages/delivery.ts';
import { type MessageResult } from './message-result.ts';
import { methodOfQueue, type ClaimedQueue } from './recipient-queue.ts';
import type { Channel } from '../channels/channel.ts';

/** Queues that were claimed, and those of them for which there is a slot. */
interface ClaimResult {
  readonly claimed: readonly ClaimedQueue[];
  readonly withSlot: readonly ClaimedQueue[];
}

/** Slots that are reserved. */
interface Reservation {
  readonly slots: number;
  /** Releases the slots; to be called once. */
  readonly release: () => void;
}

/**
 * Limits how many messages this process sends at once (0028), and divides the slots among queues. A queue has its slot from before its
 * first message is begun until it is released.
 */
export class SendConcurrency {
  readonly #size: number;
  readonly #channels: ChannelConcurrency;
  /** Each queue that has a slot, with its work. */
  readonly #work = new Map<ClaimedQueue, Promise<void>>();
  /** Slots for messages that are being begun. */
  #reserved = 0;
  readonly #beginning = new Set<Promise<unknown>>();
  /** Whether, at the last look, more queues may have been due than there were slots. */
  #othersWait = false;
  #freeSlotListener: () => void = () => undefined;

  constructor(size: number, channels: ChannelConcurrency) {
    this.#size = size;
    this.#channels = channels;
  }

  /** The queues of the messages that are under way: begun, and without a result. */
  get underWay(): readonly ClaimedQueue[] {
    return [...this.#work.keys()];
  }

  get othersWait(): boolean {
    return this.#othersWait;
  }

  get isFull(): boolean {
    return this.#work.size >= this.#size;
  }

  /** Calls `listener` whenever a slot becomes free. */
  onFreeSlot(listener: () => void): void {
    this.#freeSlotListener = listener;
  }

  /** Claims as many queues as there are free slots, and none of methods without a slot. */
  async claim(
    claim: (limit: number, full: readonly DeliveryMethod[]) => Promise<readonly ClaimedQueue[]>,
  ): Promise<ClaimResult> {
    const free = this.#free();
    this.#othersWait = free <= 0;
    if (free <= 0) return { claimed: [], withSlot: [] };
    const full = this.#channels.fullMethods(this.underWay);
    const claimed = await claim(free, full);
    this.#othersWait = claimed.length === free || this.#channels.hasFullChannel(this.underWay);
    return { claimed, withSlot: this.#channels.withSlot(claimed, this.underWay, full) };
  }

  /** Reserves slots until they are released: as many as are wanted and free. */
  reserve(wanted: number): Reservation {
    const slots = Math.max(0, Math.min(wanted, this.#free()));
    this.#reserved += slots;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#beginning.add(promise);
    return {
      slots,
      release: () => {
        this.#beginning.delete(promise);
        resolve(undefined);
        this.#reserved -= slots;
        if (slots > 0 && this.#othersWait) this.#freeSlotListener();
      },
    };
  }

  /** How many messages of a method may be begun as they are inserted. Reserved slots count as free. */
  freeForNew(method: DeliveryMethod): number {
    return this.#channels.freeForNew(method, this.underWay);
  }

  /** Whether the queue of one of these results may go on: no other queue waits for a slot (F2). */
  mayGoOn(messageResult: MessageResult, messageResults: readonly MessageResult[]): boolean {
    return !this.#othersWait && this.#channels.hasSlotForNext(messageResult, messageResults);
  }

  /** Takes a slot until `work` has ended, which never rejects. */
  occupy(queue: ClaimedQueue, work: Promise<void>): void {
    const ended = work.finally(() => {
      this.#work.delete(queue);
      this.#freeSlotListener();
    });
    this.#work.set(queue, ended);
  }

  /** Resolves when no message is under way or being begun. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#beginning);
    await Promise.all(this.#work.values());
  }

  #free(): number {
    return this.#size - this.#work.size - this.#reserved;
  }
}

/** Limits how many messages of each method begin: by the slots that all methods share, and by the rates of providers. */
export class ChannelConcurrency {
  /**
   * The methods of which messages waited for a provider's rate at the last look. Newer messages are begun after these (F2).
   */
  #waitingForRate: ReadonlySet<DeliveryMethod> = new Set();
  readonly #channels: ReadonlyMap<DeliveryMethod, Pick<Channel, 'slots'>>;
  readonly #size: number;

  constructor(channels: ReadonlyMap<DeliveryMethod, Pick<Channel, 'slots'>>, size: number) {
    this.#channels = channels;
    this.#size = size;
  }

  /** The slots for messages that are begun as they are inserted: none while others of the method wait. `queues` as in {@link free}. */
  freeForNew(method: DeliveryMethod, queues: readonly ClaimedQueue[]): number {
    return this.#waitingForRate.has(method) ? 0 : this.free(method, queues);
  }

  /** `queues` are the queues of messages under way. */
  free(method: DeliveryMethod, queues: readonly ClaimedQueue[]): number {
    const underWay = new Map<DeliveryMethod, number>();
    for (const { id } of queues) underWay.set(methodOfQueue(id), (underWay.get(methodOfQueue(id)) ?? 0) + 1);
    const methods = [...this.#channels.keys()];
    const slots = slotsFor(method, { free: this.#size - queues.length, methods, underWay, size: this.#size });
    return Math.min(slots, this.#slotsOfProvider(method));
  }

  /** The methods of which no further message may begin, although there are free slots. */
  fullMethods(underWay: readonly ClaimedQueue[]): readonly DeliveryMethod[] {
    return [...this.#channels.keys()].filter((method) => this.free(method, underWay) === 0);
  }

  /** The claimed queues for which their method has a slot. `full` are the methods of which none was claimed. */
  withSlot(
    claimed: readonly ClaimedQueue[],
    underWay: readonly ClaimedQueue[],
    full: readonly DeliveryMethod[],
  ): readonly ClaimedQueue[] {
    const byMethod = Map.groupBy(claimed, ({ id }) => methodOfQueue(id));
    const left = new Set(full.filter((method) => this.#slotsOfProvider(method) === 0));
    const withSlot = [...byMethod].flatMap(([method, ofMethod]) => {
      const slots = this.#channels.has(method) ? this.free(method, underWay) : ofMethod.length;
      if (ofMethod.length > this.#slotsOfProvider(method)) left.add(method);
      return ofMethod.slice(0, slots);
    });
    this.#waitingForRate = left;
    return withSlot;
  }

  /**
   * Whether a method has no slot because all are in use. A method that waits for its provider's rate does not count.
   */
  hasFullChannel(underWay: readonly ClaimedQueue[]): boolean {
    return this.fullMethods(underWay).some((method) => this.#slotsOfProvider(method) > 0);
  }

  /**
   * Whether the queue of one of these results may go on: no other queue waits for the rate of its method, and the rate
   * allows another message for each of these results.
   */
  hasSlotForNext({ delivery: { method } }: MessageResult, messageResults: readonly MessageResult[]): boolean {
    if (this.#waitingForRate.has(method)) return false;
    return messageResults.filter(({ delivery }) => delivery.method === method).length <= this.#slotsOfProvider(method);
  }

  #slotsOfProvider(method: DeliveryMethod): number {
    return this.#channels.get(method)?.slots?.() ?? Infinity;
  }
}

/**
 * How many more messages of a method may be under way: the free slots, less those that are reserved for other methods.
 * Half of all slots are reserved for the methods in equal parts, so a method whose provider does not answer never uses the slots of another.
 */
export function slotsFor<M>(
  method: M,
  {
    free,
    methods,
    underWay,
    size,
  }: {
    /** Slots that are free. */
    readonly free: number;
    /** All methods that have slots. */
    readonly methods: readonly M[];
    /** How many messages of each method are under way. */
    readonly underWay: ReadonlyMap<M, number>;
    /** All slots. */
    readonly size: number;
  },
): number {
  const kept = Math.floor(size / (2 * methods.length));
  const others = methods.filter((each) => each !== method);
  const unused = others.reduce((sum, each) => sum + Math.max(0, kept - (underWay.get(each) ?? 0)), 0);
  return Math.max(0, free - unused);
}
