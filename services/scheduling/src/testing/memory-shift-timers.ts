import type { Decision, ShiftNotice } from '@tocsin/contracts';
import type { TouchedSchedules } from '../domain/shift-notices/touched-schedules.ts';
import type { ShiftClaim, ShiftsTold, ShiftTimers } from '../ports/shift-timers.ts';

/** Keeps the timers of schedules of one process, and whatever was published: for component tests. */
export class MemoryShiftTimers implements ShiftTimers<ShiftClaim> {
  readonly notices: ShiftNotice[] = [];
  readonly decisions: Decision[] = [];
  /** A timer that was set anew is another object: by that a claim to the one before it is lost. */
  readonly #timers = new Map<string, ShiftClaim>();

  /** The earliest instant at which a timer is due. */
  get nextAt(): Date | undefined {
    return [...this.#timers.values()].map(({ dueAt }) => dueAt).sort((a, b) => a.getTime() - b.getTime())[0];
  }

  claimsAt(now: Date): readonly ShiftClaim[] {
    return [...this.#timers.values()].filter(({ dueAt }) => dueAt <= now);
  }

  touched({ kept, removed }: TouchedSchedules, now: Date): void {
    for (const id of removed) this.#timers.delete(id);
    for (const id of kept) {
      const dueAt = this.#timers.get(id)?.dueAt ?? now;
      this.#timers.set(id, { id, dueAt: dueAt < now ? dueAt : now });
    }
  }

  moveOn(told: readonly ShiftsTold<ShiftClaim>[]): Promise<boolean> {
    if (told.some(({ claim }) => this.#timers.get(claim.id) !== claim)) return Promise.resolve(false);
    for (const { claim, decisions, nextAt, notices } of told) {
      this.#timers.delete(claim.id);
      if (nextAt !== undefined) this.#timers.set(claim.id, { id: claim.id, dueAt: nextAt });
      this.notices.push(...notices);
      this.decisions.push(...decisions);
    }
    return Promise.resolve(true);
  }
}
