import type { Clock } from '@tocsin/clock';
import { Decisions, ShiftNotices } from '@tocsin/contracts';
import { inTransaction, forTopic, type Connection, type Outbox, type Session } from '@tocsin/persistence';
import type { DueTimer, Timers } from '@tocsin/timers';
import type { TouchedSchedules } from '../../domain/shift-notices/touched-schedules.ts';
import type { ShiftsTold, ShiftTimers } from '../../ports/shift-timers.ts';

export const SHIFT_TIMERS = 'shift_timers';

/** The timer's id is the schedule's: it carries nothing else. */
type Nothing = Readonly<Record<string, never>>;

/** The timer of a schedule as it is claimed. */
export type ShiftDue = DueTimer<Nothing>;

export interface MongoShiftTimersParts {
  readonly connection: Connection;
  /** Relays notices and decisions. */
  readonly outbox: Pick<Outbox, 'addAll'>;
  readonly timers: Pick<Timers<Nothing>, 'bringForward' | 'cancel' | 'remove' | 'schedule'>;
  readonly clock: Clock;
}

/** Thrown to end a transaction without effect. */
class Lost extends Error {}

/** The timers of schedules in MongoDB: rows of `shift_timers` under the ids of the schedules. */
export class MongoShiftTimers implements ShiftTimers<ShiftDue> {
  readonly #parts: MongoShiftTimersParts;

  constructor(parts: MongoShiftTimersParts) {
    this.#parts = parts;
  }

  async moveOn(told: readonly ShiftsTold<ShiftDue>[]): Promise<boolean> {
    const { connection } = this.#parts;
    try {
      await inTransaction(connection, (session) => this.#moveOn(told, session));
    } catch (error) {
      if (error instanceof Lost) return false;
      throw error;
    }
    return true;
  }

  /**
   * A change of the configuration, in its transaction: it governs from now on what is told. What fell due before and is not told
   * yet still falls due, and whoever is telling it has lost the claim.
   */
  async touched({ kept, removed }: TouchedSchedules, session: Session): Promise<void> {
    const { clock, timers } = this.#parts;
    if (kept.length > 0) await timers.bringForward(session, dueAt(kept, clock.now()));
    if (removed.length > 0) await timers.cancel(session, removed);
  }

  async #moveOn(told: readonly ShiftsTold<ShiftDue>[], session: Session): Promise<void> {
    const { outbox, timers } = this.#parts;
    const claims = told.map(({ claim }) => claim);
    if ((await timers.remove(claims, session)) < claims.length) throw new Lost();
    const next = told.flatMap(({ claim, nextAt }) => (nextAt === undefined ? [] : dueAt([claim.id], nextAt)));
    if (next.length > 0) await timers.schedule(session, next);
    await outbox.addAll(session, [
      forTopic(
        ShiftNotices,
        told.flatMap(({ notices }) => notices),
      ),
      forTopic(
        Decisions,
        told.flatMap(({ decisions }) => decisions),
      ),
    ]);
  }
}

const dueAt = (scheduleIds: readonly string[], at: Date) =>
  scheduleIds.map((id) => ({ id, dueAt: at, fence: 0, payload: {} }));
