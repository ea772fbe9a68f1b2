import type { mongo } from 'mongoose';
import { mapInSteps } from '@tocsin/core';
import { AlertCommands } from '@tocsin/events';
import {
  asUnavailable,
  collectionOf,
  type Connection,
  dueIndex,
  DueWork,
  type IndexPlan,
  inTransaction,
  isDuplicateKey,
  orUnavailable,
  type Outbox,
  type Session,
  whenCommitted,
  WriteGate,
} from '@tocsin/mongo';
import { alertCommand, type AlertIdOf } from './alert-commands.ts';
import { HEARTBEATS, type HeartbeatDocument, toDocument, toHeartbeat } from './heartbeat-document.ts';
import { applyExpiry, ContendedError, type Heartbeat, isExpired } from './heartbeat.ts';
import type { Outage } from './outage.ts';
import { type HeartbeatChange, PingStore } from './ping-store.ts';

/** Every index of {@link HEARTBEATS}. */
export const heartbeatIndexes: readonly IndexPlan[] = [
  {
    collection: HEARTBEATS,
    keys: { name: 1 },
    options: { unique: true },
    serves: 'the heartbeat that a path names, and one of each name (H3)',
  },
  { collection: HEARTBEATS, keys: { createdAt: 1, _id: 1 }, serves: 'the list in the order of creation (E7)' },
  {
    collection: HEARTBEATS,
    keys: { ownerTeamId: 1, createdAt: 1, _id: 1 },
    serves: 'the list of a team in the order of creation, and the bytes that it has',
  },
  dueIndex(HEARTBEATS),
];

/** The heartbeats of these names expire only if they were due at `by`. */
export interface SlowWrites {
  readonly names: readonly string[];
  readonly by: Date;
}

/** Which heartbeats {@link HeartbeatStore.expire} expires. */
export interface ExpiryOptions {
  /** Those that are due by then. Called before each batch. */
  readonly dueBy: () => Date;
  readonly outages: readonly Outage[];
  readonly slowWrites?: SlowWrites | undefined;
  /** Called with heartbeats that have expired. */
  readonly onExpired: (expired: readonly Heartbeat[]) => void;
}

/** The parts of {@link HeartbeatStore}. */
export interface HeartbeatStoreOptions {
  readonly connection: Connection;
  /** Relays `alert-commands.v1`. */
  readonly outbox: Pick<Outbox, 'add'>;
  readonly alertIdOf: AlertIdOf;
  readonly logger: { error(fields: object, message: string): void };
}

/** How often a change is decided again because another write was first. */
const MAX_TRIES = 50;
/** How long a change waits for those of the same heartbeat before it. */
const CHANGE_WAIT_LIMIT_MS = 5_000;
/** In milliseconds. */
const READ_TIMEOUT_MS = 2_000;
/** Heartbeats of a list that the database sends at a time. */
const LIST_BATCH = 100;
/** Heartbeats that expire in one transaction. */
const MAX_EXPIRIES = 200;
/** Heartbeats that expire in one run while requests change them. */
const MAX_CHANGING = 20;
const ABSENT = { ignoreUndefined: true };
/** Before any heartbeat is due. */
const NO_EXPIRY: ExpiryOptions = { dueBy: () => new Date(0), outages: [], onExpired: () => undefined };

/**
 * Keeps heartbeats in MongoDB: one document each, acknowledged by the majority. A change that opens or closes no alert is one write,
 * whose filter holds what it depends on. One that does is a transaction with the row of its command in the outbox, so the commands of
 * a heartbeat have the order of these writes (H7), and any number of monitors and pings may meet. Every method throws
 * UnavailableError while the database is unavailable.
 */
export class HeartbeatStore {
  readonly #options: HeartbeatStoreOptions;
  readonly #heartbeats: mongo.Collection<HeartbeatDocument>;
  readonly #dueWork: DueWork<HeartbeatDocument, Date>;
  /**
   * By name, the changes that this process writes one after the other. At once, all but one of them would fail, again and
   * again.
   */
  readonly #changes = new Map<string, WriteGate>();
  readonly #pings: PingStore;
  #expiry = NO_EXPIRY;

  constructor(options: HeartbeatStoreOptions) {
    const { connection, logger } = options;
    this.#options = options;
    this.#heartbeats = collectionOf(connection, HEARTBEATS);
    this.#pings = new PingStore({
      connection,
      heartbeats: this.#heartbeats,
      write: async (session, changes) => {
        await this.#replaceTogether(session, changes);
        await this.#addCommands(session, changes);
      },
    });
    this.#dueWork = new DueWork<HeartbeatDocument, Date>({
      connection,
      collection: HEARTBEATS,
      clock: { now: () => this.#expiry.dueBy() },
      logger,
      batch: MAX_EXPIRIES,
      condition: () => ({ name: { $nin: [...(this.#expiry.slowWrites?.names ?? [])] } }),
      prepare: (_, now) => Promise.resolve(now),
      process: (session, due, now) => this.#expireTogether(session, due, now),
      // Each run of the task looks, and nothing that is written is due before the next one.
      wake: () => undefined,
    });
  }

  /** False when the name is taken, exactly as it is written (H3). */
  async insert(heartbeat: Heartbeat): Promise<boolean> {
    try {
      await this.#heartbeats.insertOne(toDocument(heartbeat, 1), ABSENT);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw asUnavailable(error);
    }
  }

  async find(name: string): Promise<Heartbeat | undefined> {
    const found = await this.#read(name);
    return found && toHeartbeat(found);
  }

  /** All, or those of a team, in the order of their creation (E7). */
  async list(teamId?: string): Promise<readonly Heartbeat[]> {
    const wanted = teamId === undefined ? {} : { ownerTeamId: teamId };
    const options = { batchSize: LIST_BATCH, maxTimeMS: READ_TIMEOUT_MS };
    const found = this.#heartbeats.find(wanted, options).sort({ createdAt: 1, _id: 1 });
    return orUnavailable(mapInSteps(found, toHeartbeat));
  }

  /** About how many bytes the heartbeats of a team have together. */
  async bytesOfTeam(teamId: string): Promise<number> {
    const stages = [
      { $match: { ownerTeamId: teamId } },
      { $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } },
    ];
    const summing = this.#heartbeats.aggregate<{ readonly bytes: number }>(stages, { maxTimeMS: READ_TIMEOUT_MS });
    const [sum] = await orUnavailable(summing.toArray());
    return sum?.bytes ?? 0;
  }

  /**
   * Writes a ping in one step where the heartbeat has an expiry, is not due by `at`, and belongs to `teamId`, if that is given. Of two
   * pings the later stays. True: the ping is on disk. False: it may not be, and has to be written by {@link change}.
   */
  pingInTime(name: string, at: Date, teamId: string | undefined): Promise<boolean> {
    return this.#pings.write({ name, at, teamId });
  }

  /**
   * Replaces the heartbeat by what `change` makes of it, of which nothing is written where that is its argument. No other
   * write comes in between; `change` may run several times, and what it throws is thrown.
   *
   * @returns the heartbeat as it is then; undefined when there is none.
   * @throws ContendedError where other writes of the heartbeat always come first.
   */
  change(name: string, change: (present: Heartbeat) => Heartbeat): Promise<Heartbeat | undefined> {
    return this.#inTurn(name, () => this.#changeNow(name, change));
  }

  /** As {@link change}, and the heartbeat is gone then. */
  remove(name: string, change: (present: Heartbeat) => Heartbeat): Promise<Heartbeat | undefined> {
    return this.#inTurn(name, () => this.#changeNow(name, change, true));
  }

  /**
   * Expires the heartbeats of `expiry`, until none is left or `signal` aborts. Several monitors may do so at once: each heartbeat
   * expires once.
   */
  async expire(expiry: ExpiryOptions, signal: AbortSignal): Promise<void> {
    this.#expiry = expiry;
    await orUnavailable(this.#dueWork.activate(signal));
    await this.#expireChanging(expiry);
  }

  /** How many are due at `now`. */
  pending(now: Date): Promise<number> {
    return orUnavailable(this.#heartbeats.countDocuments({ nextDueAt: { $lte: now } }));
  }

  /** When the next one is due. */
  nextDueAt(): Promise<Date | undefined> {
    return orUnavailable(this.#dueWork.earliest());
  }

  /** Expires in the transaction those of `due` that no outage puts off, and writes of the others when they are due. */
  async #expireTogether(session: Session, due: readonly HeartbeatDocument[], now: Date): Promise<void> {
    const { onExpired, outages } = this.#expiry;
    const changes = due.map((document) => {
      const before = toHeartbeat(document);
      return { document, before, after: applyExpiry(before, now, outages) };
    });
    await this.#addCommands(session, changes);
    // Last, so that a ping that comes now waits for the commit alone.
    await this.#replaceTogether(session, changes);
    const ended = changes.map(({ after }) => after).filter(isExpired);
    const report = (): void => {
      onExpired(ended);
    };
    if (ended.length > 0) whenCommitted(session, report, report);
  }

  /**
   * Expires those that requests of this process are changing all the time: each by itself, because its transaction often conflicts
   * with these changes.
   */
  async #expireChanging({ dueBy, onExpired, outages, slowWrites }: ExpiryOptions): Promise<void> {
    if (slowWrites === undefined) return;
    const { by, names } = slowWrites;
    const due = this.#heartbeats
      .find({ name: { $in: [...names] }, nextDueAt: { $lte: by } }, { projection: { name: 1 }, limit: MAX_CHANGING })
      .toArray();
    for (const { name } of await orUnavailable(due)) {
      if (dueBy() < by) return;
      let before: Heartbeat | undefined;
      const changing = this.#changeNow(name, (present) => applyExpiry((before = present), by, outages));
      const after = await changing.catch((error: unknown) => {
        if (error instanceof ContendedError) return before;
        throw error;
      });
      if (after !== undefined && after !== before && isExpired(after)) onExpired([after]);
    }
  }

  async #inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const gate = this.#changes.get(name) ?? new WriteGate();
    this.#changes.set(name, gate);
    const timeoutError = () => changedTooOften(name);
    try {
      return await gate.run(work, { exclusive: true, waitLimitMs: CHANGE_WAIT_LIMIT_MS, timeoutError });
    } finally {
      if (gate.size === 0) this.#changes.delete(name);
    }
  }

  async #changeNow(
    name: string,
    change: (present: Heartbeat) => Heartbeat,
    isRemoved = false,
  ): Promise<Heartbeat | undefined> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const found = await this.#read(name);
      if (found === undefined) return undefined;
      const before = toHeartbeat(found);
      const after = change(before);
      if (after === before && !isRemoved) return after;
      if (await this.#write({ before, after, isRemoved }, found.revision)) return after;
    }
    throw changedTooOften(name);
  }

  /** False where the heartbeat has another revision by now. */
  async #write({ after, before, isRemoved }: Change, revision: number): Promise<boolean> {
    if (after.step === before.step) return orUnavailable(this.#replace(after, revision, isRemoved));
    return inTransaction(this.#options.connection, async (session) => {
      const isWritten = await this.#replace(after, revision, isRemoved, session);
      if (isWritten) await this.#addCommands(session, [{ before, after }]);
      return isWritten;
    });
  }

  async #replace(heartbeat: Heartbeat, revision: number, isRemoved: boolean, session?: Session): Promise<boolean> {
    const { _id, ...document } = toDocument(heartbeat, revision + 1);
    const seen = { _id, revision };
    const options = { ...ABSENT, ...(session && { session }) };
    if (isRemoved) return (await this.#heartbeats.deleteOne(seen, options)).deletedCount === 1;
    return (await this.#heartbeats.replaceOne(seen, document, options)).matchedCount === 1;
  }

  async #replaceTogether(session: Session, changes: readonly HeartbeatChange[]): Promise<void> {
    const operations = changes.map(({ after, document: { _id, revision } }) => ({
      replaceOne: { filter: { _id }, replacement: toDocument(after, revision + 1) },
    }));
    await this.#heartbeats.bulkWrite(operations, { session, ordered: false, ...ABSENT });
  }

  async #addCommands(session: Session, changes: readonly Pick<Change, 'before' | 'after'>[]): Promise<void> {
    const { alertIdOf, outbox } = this.#options;
    const commands = changes.flatMap(({ after, before }) => alertCommand(before, after, alertIdOf) ?? []);
    await outbox.add(session, AlertCommands, commands);
  }

  async #read(name: string): Promise<HeartbeatDocument | undefined> {
    const found = this.#heartbeats.findOne({ name }, { maxTimeMS: READ_TIMEOUT_MS });
    return (await orUnavailable(found)) ?? undefined;
  }
}

const changedTooOften = (name: string) => new ContendedError(`Heartbeat [${name}] is changed too often.`);

interface Change {
  readonly before: Heartbeat;
  readonly after: Heartbeat;
  readonly isRemoved: boolean;
}
