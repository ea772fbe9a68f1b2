import type { Decision, ShiftNotice } from '@tocsin/contracts';
import type { TouchedSchedules } from '../domain/shift-notices/touched-schedules.ts';
import type { DueShifts, ShiftPosition } from '../ports/shift-positions.ts';

/** The positions of schedules, and what was published, in one process: for component tests. */
export class MemoryShiftPositions {
  readonly notices: ShiftNotice[] = [];
  readonly decisions: Decision[] = [];
  readonly #positions = new Map<string, ShiftPosition>();

  /** The earliest instant at which a schedule is due. */
  get nextAt(): Date | undefined {
    return [...this.#positions.values()].map(({ at }) => at).sort((a, b) => a.getTime() - b.getTime())[0];
  }

  dueAt(now: Date): readonly ShiftPosition[] {
    return [...this.#positions.values()].filter(({ at }) => at <= now);
  }

  touched({ kept, removed }: TouchedSchedules, now: Date): void {
    for (const id of removed) this.#positions.delete(id);
    for (const scheduleId of kept) {
      const at = this.#positions.get(scheduleId)?.at ?? now;
      this.#positions.set(scheduleId, { scheduleId, at: at < now ? at : now });
    }
  }

  publish(due: readonly DueShifts[]): void {
    for (const { decisions, nextAt, notices, position } of due) {
      this.#positions.delete(position.scheduleId);
      if (nextAt !== undefined) this.#positions.set(position.scheduleId, { ...position, at: nextAt });
      this.notices.push(...notices);
      this.decisions.push(...decisions);
    }
  }
}
