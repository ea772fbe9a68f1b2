import { collectionOf, type Connection, isDuplicateKey, orUnavailable } from '@tocsin/mongo';
import { SHADOW_SWITCH } from '@tocsin/events';
import { DELIVERIES, type DeliveryDocument, RECIPIENT_QUEUES, SHADOW } from '../messages/delivery-document.ts';
import { ANY_DATE } from '../queue/queue-document.ts';
import { keptAfter, type KeptSwitch, NOTICES_IN_SHADOW, type PublishedState } from './shadow.ts';

type SwitchDocument = KeptSwitch & { readonly _id: typeof SHADOW_SWITCH };

const READ_TIMEOUT_MS = 2_000;
/** Leased queues of which one look reads the messages under way. */
const MAX_LEASED = 5_000;

/** The switch as all processes of notifier share it. */
export class ShadowStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * The switch as it is now, whichever member of the replica set takes itself for the primary; undefined where directory has not published
   * one yet.
   */
  async find(): Promise<KeptSwitch | undefined> {
    const found = await orUnavailable(
      this.#switches().findOne(
        { _id: SHADOW_SWITCH },
        { readPreference: 'primary', readConcern: { level: 'linearizable' }, maxTimeMS: READ_TIMEOUT_MS },
      ),
    );
    if (found === null) return undefined;
    const { _id, ...kept } = found;
    return kept;
  }

  /** Keeps a state that directory has published, and resolves with what is kept then ({@link keptAfter}). */
  async keep(published: PublishedState): Promise<KeptSwitch> {
    for (;;) {
      const before = await this.find();
      const after = keptAfter(before, published);
      if (after === before || (await this.#replace(before, after))) return after;
    }
  }

  /** Whether a process may be handing over a message that shadow holds back. */
  async isSending(): Promise<boolean> {
    const leased = await orUnavailable(
      collectionOf<{ readonly _id: string; readonly leaseUntil: Date | null }>(this.#connection, RECIPIENT_QUEUES)
        .find(
          { leaseUntil: ANY_DATE, $expr: { $gt: ['$leaseUntil', '$$NOW'] } },
          { projection: { _id: 1 }, limit: MAX_LEASED },
        )
        .toArray(),
    );
    if (leased.length === MAX_LEASED) return true;
    const sending = {
      queue: { $in: leased.map(({ _id }) => _id) },
      state: 'sending' as const,
      'notice.kind': { $nin: [...NOTICES_IN_SHADOW] },
    };
    const found = collectionOf<DeliveryDocument>(this.#connection, DELIVERIES).findOne(sending, {
      projection: { _id: 1 },
      maxTimeMS: READ_TIMEOUT_MS,
    });
    return (await orUnavailable(found)) !== null;
  }

  /** False where another process has written meanwhile. */
  async #replace(before: KeptSwitch | undefined, after: KeptSwitch): Promise<boolean> {
    const options = { writeConcern: { w: 'majority' as const } };
    try {
      if (before === undefined) {
        await this.#switches().insertOne({ _id: SHADOW_SWITCH, ...after }, options);
        return true;
      }
      const { epoch, n } = before.version;
      const filter = { _id: SHADOW_SWITCH, 'version.epoch': epoch, 'version.n': n } as const;
      return (await this.#switches().replaceOne(filter, after, options)).matchedCount > 0;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  #switches() {
    return collectionOf<SwitchDocument>(this.#connection, SHADOW);
  }
}
