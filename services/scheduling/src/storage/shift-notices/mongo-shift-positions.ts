import type { Clock } from '@tocsin/clock';
import { Decisions, ShiftNotices } from '@tocsin/contracts';
import {
  collectionOf,
  forTopic,
  type Connection,
  type DueWork,
  type DueWorkOptions,
  type Outbox,
  type Session,
} from '@tocsin/persistence';
import type { ShiftTeller } from '../../application/shift-notices/shift-teller.ts';
import type { TouchedSchedules } from '../../domain/shift-notices/touched-schedules.ts';
import type { DueShifts, ShiftPosition } from '../../ports/shift-positions.ts';

export const SHIFT_POSITIONS = 'shift_positions';

/** The position of a schedule, under its id. `nextDueAt` is the position: absent where nothing is to come. */
export interface ShiftPositionDocument {
  readonly _id: string;
  readonly nextDueAt?: Date;
  /** How often a change has touched the schedule. */
  readonly changes: number;
}

export interface MongoShiftPositionsParts {
  readonly connection: Connection;
  /** Relays notices and decisions. */
  readonly outbox: Pick<Outbox, 'addAll'>;
  readonly clock: Clock;
  /** Publishes what is due. */
  readonly dueWork: Pick<DueWork<ShiftPositionDocument>, 'written'>;
}

/** The positions of schedules in MongoDB. */
export class MongoShiftPositions {
  readonly #parts: MongoShiftPositionsParts;

  constructor(parts: MongoShiftPositionsParts) {
    this.#parts = parts;
  }

  /**
   * A change of the configuration, in its transaction: it governs what is published from now on. What was due before and is not
   * published yet is still due, and what was decided before the change is not written.
   */
  async touched({ kept, removed }: TouchedSchedules, session: Session): Promise<void> {
    const { clock, dueWork } = this.#parts;
    if (removed.length > 0) await this.#positions().deleteMany({ _id: { $in: [...removed] } }, { session });
    if (kept.length === 0) return;
    const now = clock.now();
    await this.#positions().bulkWrite(
      kept.map((_id) => ({ updateOne: { filter: { _id }, update: [atTheLatest(now)], upsert: true } })),
      { session, ordered: false },
    );
    dueWork.written(session, [now]);
  }

  /** Publishes, in the transaction of `session`, what is due of those of `found` that are as they were when it was decided. */
  async publish(session: Session, found: readonly ShiftPositionDocument[], due: PreparedShifts): Promise<void> {
    const { dueWork, outbox } = this.#parts;
    const current = found.flatMap((document) => due.of(document) ?? []);
    if (current.length === 0) return;
    await this.#positions().bulkWrite(
      current.map(({ nextAt, position: { scheduleId: _id } }) => ({
        updateOne: {
          filter: { _id },
          update: nextAt === undefined ? { $unset: { nextDueAt: '' } } : { $set: { nextDueAt: nextAt } },
        },
      })),
      { session, ordered: false },
    );
    dueWork.written(
      session,
      current.map(({ nextAt }) => nextAt),
    );
    await outbox.addAll(session, [
      forTopic(
        ShiftNotices,
        current.flatMap(({ notices }) => notices),
      ),
      forTopic(
        Decisions,
        current.flatMap(({ decisions }) => decisions),
      ),
    ]);
  }

  #positions() {
    return collectionOf<ShiftPositionDocument>(this.#parts.connection, SHIFT_POSITIONS);
  }
}

/** What was decided of the positions that were found. */
export class PreparedShifts {
  readonly #decided: ReadonlyMap<string, { readonly found: ShiftPositionDocument; readonly due: DueShifts }>;

  constructor(found: readonly ShiftPositionDocument[], due: readonly DueShifts[]) {
    const byId = new Map(due.map((each) => [each.position.scheduleId, each]));
    this.#decided = new Map(
      found.flatMap((document) => {
        const decided = byId.get(document._id);
        return decided === undefined ? [] : [[document._id, { found: document, due: decided }] as const];
      }),
    );
  }

  /** Undefined where nothing was decided of the position, or where it or its schedule has changed since. */
  of({ _id, changes, nextDueAt }: ShiftPositionDocument): DueShifts | undefined {
    const decided = this.#decided.get(_id);
    if (decided === undefined) return undefined;
    const { due, found } = decided;
    return found.changes === changes && found.nextDueAt?.getTime() === nextDueAt?.getTime() ? due : undefined;
  }
}

type ShiftDueWork = Pick<
  DueWorkOptions<ShiftPositionDocument, PreparedShifts>,
  'batch' | 'collection' | 'leaveOut' | 'prepare' | 'process'
>;

/** Schedules that are decided together at most. */
const MAX_SCHEDULES = 100;

/** Publishes what is due of shifts. The parts may be made later. */
export const shiftDueWork = (
  parts: () => { readonly teller: ShiftTeller; readonly positions: MongoShiftPositions },
): ShiftDueWork => ({
  collection: SHIFT_POSITIONS,
  batch: MAX_SCHEDULES,
  prepare: async (found, now) => new PreparedShifts(found, await parts().teller.due(found.flatMap(positionOf), now)),
  process: (session, found, due) => parts().positions.publish(session, found, due),
  // Nothing of it is left out: it is tried again.
  leaveOut: (_, { _id }, reason) => Promise.reject(new Error(`The shifts of schedule ${_id}: ${reason}`)),
});

const positionOf = ({ _id, nextDueAt }: ShiftPositionDocument): readonly ShiftPosition[] =>
  nextDueAt === undefined ? [] : [{ scheduleId: _id, at: nextDueAt }];

/** $min passes over a missing field. */
const atTheLatest = (now: Date) => ({
  $set: { nextDueAt: { $min: ['$nextDueAt', now] }, changes: { $add: [{ $ifNull: ['$changes', 0] }, 1] } },
});
