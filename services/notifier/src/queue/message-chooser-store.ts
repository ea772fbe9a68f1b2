import { checkTogether } from '../messages/bundle.ts';
import { type Delivery, isFinal } from '../messages/delivery.ts';
import { type DueMessageStore, withStoredPage } from './due-message-store.ts';
import type { QueueLeases } from './lease-store.ts';
import type { Check, DeliveryChange } from './message-result.ts';
import { limitToTransaction, type BundleLimits, chooseNext } from './next-message.ts';
import type { ClaimedQueue } from './recipient-queue.ts';

export interface MessageChooserParts {
  readonly leases: Pick<QueueLeases, 'mayHandOver' | 'release'>;
  readonly dueMessages: DueMessageStore;
  readonly bundles: BundleLimits;
}

/** A queue with the checked deliveries of its next message. */
export interface CheckedQueue {
  readonly queue: ClaimedQueue;
  readonly changes: readonly (DeliveryChange & { readonly before: Delivery })[];
  /** Nothing is sent until then. */
  readonly heldUntil?: Date;
}

type Session = Parameters<DueMessageStore['withContent']>[1];

interface ReadContext {
  readonly now: Date;
  readonly session: Session;
  /** The ids of deliveries that have their result in the same transaction. */
  readonly recordedIds?: ReadonlySet<string>;
  /** The ids of queues whose receivers are not called, and until when. */
  readonly paused?: ReadonlyMap<string, Date> | undefined;
}

/** Chooses and checks the next message of queues, as a transaction sees them. It writes only the queues that it releases. */
export class MessageChooser {
  readonly #parts: MessageChooserParts;

  constructor(parts: MessageChooserParts) {
    this.#parts = parts;
  }

  /** Skips queues whose lease is lost, and releases those that have to wait for another transaction. */
  async chooseAndCheck(
    queues: readonly ClaimedQueue[],
    check: Check,
    context: ReadContext,
  ): Promise<readonly CheckedQueue[]> {
    const { dueMessages } = this.#parts;
    const { session } = context;
    const choices = await this.#choose(queues, context);
    const found = await dueMessages.ofMessages(
      choices.map(({ chosen }) => chosen),
      session,
    );
    const checked = choices.map(({ calling, chosen, ...queue }) => ({
      ...queue,
      changes: checkTogether(
        chosen.flatMap(({ deliveryId }) => found.get(deliveryId) ?? []),
        (before) => ({ before, ...check(before, calling) }),
      ),
    }));
    return this.#withContentWhereAlone(checked, session);
  }

  async #choose(queues: readonly ClaimedQueue[], { recordedIds = new Set(), now, paused, session }: ReadContext) {
    const { bundles, dueMessages } = this.#parts;
    const found = await dueMessages.dueIn(queues, { now, session, except: recordedIds });
    const choosable = queues.flatMap((queue) => {
      const inQueue = found.get(queue.id);
      // Nothing is begun that this process would not send: it would count as interrupted.
      if (inQueue?.token !== queue.token || !this.#parts.leases.mayHandOver(queue)) return [];
      const { calling, due } = inQueue;
      const context = { ...inQueue, limits: bundles, now, pausedUntil: paused?.get(queue.id) };
      return [{ queue, calling, ...chooseNext(due, context) }];
    });
    const choices = limitToTransaction(choosable);
    const chosenQueues = new Set(choices.map(({ queue }) => queue));
    const others = queues.filter((queue) => !chosenQueues.has(queue));
    await this.#parts.leases.release(others, session);
    return choices;
  }

  /** Where one page of several is left to send, it becomes a message of its own, with its long texts. */
  async #withContentWhereAlone(checked: readonly CheckedQueue[], session: Session): Promise<readonly CheckedQueue[]> {
    const isAlone = ({ delivery }: DeliveryChange): boolean => !isFinal(delivery) && delivery.bundle === undefined;
    const left = checked.flatMap(({ changes }) => (changes.length > 1 ? changes.filter(isAlone) : []));
    const stored = await this.#parts.dueMessages.withContent(
      left.map(({ delivery }) => delivery),
      session,
    );
    const withContent = <C extends DeliveryChange>(change: C): C => ({
      ...change,
      delivery: withStoredPage(change.delivery, stored.get(change.delivery.deliveryId)),
    });
    return stored.size === 0 ? checked : checked.map((each) => ({ ...each, changes: each.changes.map(withContent) }));
  }
}
