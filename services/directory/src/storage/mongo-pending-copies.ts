import type { Clock } from '@tocsin/clock';
import type { DueTimer, Timers } from '@tocsin/timers';
import type { PendingCopies, PendingCopy } from '../ports/pending-copies.ts';

/** What a timer holds of a pending copy; its id is the copy's. */
export type CopyPayload = Pick<PendingCopy, 'sourceId' | 'rules' | 'actionTypes'> & {
  /** Null: everybody. */
  readonly among: readonly string[] | null;
  readonly after: string | null;
};

/** Each pending copy is a timer that is due at once, and again as long as something is left. */
export class MongoPendingCopies implements PendingCopies {
  readonly #timers: Pick<Timers<CopyPayload>, 'schedule' | 'remove'>;
  readonly #clock: Clock;

  constructor(timers: Pick<Timers<CopyPayload>, 'schedule' | 'remove'>, clock: Clock) {
    this.#timers = timers;
    this.#clock = clock;
  }

  async keep({ id, among, after, ...rest }: PendingCopy): Promise<void> {
    await this.#timers.schedule(undefined, [
      { id, dueAt: this.#clock.now(), fence: 0, payload: { ...rest, among: among ?? null, after: after ?? null } },
    ]);
  }

  /** Lets each go on, and keeps what `resume` leaves of it. */
  async settle(
    due: readonly DueTimer<CopyPayload>[],
    resume: (copy: PendingCopy) => Promise<PendingCopy | undefined>,
  ): Promise<void> {
    for (const timer of due) {
      const { among, after, ...rest } = timer.payload;
      const left = await resume({ id: timer.id, ...rest, among: among ?? undefined, after: after ?? undefined });
      if (left === undefined) await this.#timers.remove(timer);
      else await this.keep(left);
    }
  }
}
