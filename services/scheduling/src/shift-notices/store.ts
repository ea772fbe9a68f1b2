import type { Clock } from '@tocsin/core';
import { Decisions, ShiftNotices } from '@tocsin/events';
import {
  collectionOf,
  type Connection,
  type DueWork,
  type DueWorkOptions,
  forTopic,
  type Outbox,
  type Session,
} from '@tocsin/mongo';
import type { DueSchedule, ScheduleNotices, ShiftNoticeResolver } from './operations.ts';
import type { TouchedSchedules } from './touched-schedules.ts';

export const SHIFT_NOTICES = 'shift_notices';

/** When the next notices of shifts of a schedule are due. Its `_id` is that of the schedule. */
export interface ShiftNoticesDocument {
  readonly _id: string;
  /** Notices that were due before it are published. Absent where no notice will be due before the schedule is changed. */
  readonly nextDueAt?: Date;
  /** How many changes have touched the schedule. */
  readonly changes: number;
}

export interface ShiftNoticeStoreParts {
  readonly connection: Connection;
  /** Publishes notices and decisions. */
  readonly outbox: Pick<Outbox, 'addAll'>;
  readonly clock: Clock;
  /** Finds the schedules of which notices are due. */
  readonly dueWork: Pick<DueWork<ShiftNoticesDocument>, 'wakeAfterCommit'>;
}

/** When the notices of shifts of each schedule are due, in MongoDB. */
export class ShiftNoticeStore {
  readonly #parts: ShiftNoticeStoreParts;

  constructor(parts: ShiftNoticeStoreParts) {
    this.#parts = parts;
  }

  /**
   * Makes the schedules that a change of the configuration touches due now, in the transaction of the change. Notices that were due
   * before and are not published yet stay due. Decisions that were made before the change are not written.
   */
  async makeDue({ kept, removed }: TouchedSchedules, session: Session): Promise<void> {
    const { clock, dueWork } = this.#parts;
    if (removed.length > 0) await this.#documents().deleteMany({ _id: { $in: [...removed] } }, { session });
    if (kept.length === 0) return;
    const now = clock.now();
    await this.#documents().bulkWrite(
      kept.map((_id) => ({ updateOne: { filter: { _id }, update: [atTheLatest(now)], upsert: true } })),
      { session, ordered: false },
    );
    dueWork.wakeAfterCommit(session, [now]);
  }

  /** Publishes, in the transaction of `session`, the notices of those schedules of `found` that have not changed since these were decided. */
  async publish(session: Session, found: readonly ShiftNoticesDocument[], prepared: PreparedNotices): Promise<void> {
    const { dueWork, outbox } = this.#parts;
    const current = found.flatMap((document) => prepared.of(document) ?? []);
    if (current.length === 0) return;
    await this.#documents().bulkWrite(
      current.map(({ nextDueAt, scheduleId: _id }) => ({
        updateOne: {
          filter: { _id },
          update: nextDueAt === undefined ? { $unset: { nextDueAt: '' } } : { $set: { nextDueAt } },
        },
      })),
      { session, ordered: false },
    );
    dueWork.wakeAfterCommit(
      session,
      current.map(({ nextDueAt }) => nextDueAt),
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

  #documents() {
    return collectionOf<ShiftNoticesDocument>(this.#parts.connection, SHIFT_NOTICES);
  }
}

/** The decisions about the schedules that were found due. */
export class PreparedNotices {
  readonly #decided: ReadonlyMap<string, { readonly found: ShiftNoticesDocument; readonly notices: ScheduleNotices }>;

  constructor(found: readonly ShiftNoticesDocument[], decided: readonly ScheduleNotices[]) {
    const byId = new Map(decided.map((notices) => [notices.scheduleId, notices]));
    this.#decided = new Map(
      found.flatMap((document) => {
        const notices = byId.get(document._id);
        return notices === undefined ? [] : [[document._id, { found: document, notices }] as const];
      }),
    );
  }

  /** Undefined where the schedule has no decision, or where it has changed or been published since. */
  of({ _id, changes, nextDueAt }: ShiftNoticesDocument): ScheduleNotices | undefined {
    const decided = this.#decided.get(_id);
    if (decided === undefined) return undefined;
    const { found, notices } = decided;
    return found.changes === changes && found.nextDueAt?.getTime() === nextDueAt?.getTime() ? notices : undefined;
  }
}

type ShiftWorkOptions = Pick<
  DueWorkOptions<ShiftNoticesDocument, PreparedNotices>,
  'batch' | 'collection' | 'prepare' | 'process'
>;

/** How many schedules are decided together at most. */
const MAX_SCHEDULES = 100;

/** The due work that publishes notices of shifts, of which none is left out. The parts may be made later. */
export const shiftWorkOptions = (
  parts: () => { readonly resolver: ShiftNoticeResolver; readonly store: ShiftNoticeStore },
): ShiftWorkOptions => ({
  collection: SHIFT_NOTICES,
  batch: MAX_SCHEDULES,
  prepare: async (found, now) =>
    new PreparedNotices(found, await parts().resolver.resolve(found.flatMap(dueScheduleOf), now)),
  process: (session, found, prepared) => parts().store.publish(session, found, prepared),
});

const dueScheduleOf = ({ _id, nextDueAt }: ShiftNoticesDocument): readonly DueSchedule[] =>
  nextDueAt === undefined ? [] : [{ scheduleId: _id, dueAt: nextDueAt }];

/** `$min` ignores a missing field. */
const atTheLatest = (now: Date) => ({
  $set: { nextDueAt: { $min: ['$nextDueAt', now] }, changes: { $add: [{ $ifNull: ['$changes', 0] }, 1] } },
});
