import type { Clock } from '@tocsin/clock';
import { AlertCommands } from '@tocsin/contracts';
import type { Publisher } from '@tocsin/messaging';
import type { TimerPayload } from '../domain/alarms.ts';
import { timerCommand } from '../domain/timer-command.ts';

export interface DueAlertTimer {
  readonly id: string;
  readonly fence: number;
  readonly payload: TimerPayload;
}

export interface TimerCommandsParts<T extends DueAlertTimer> {
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly remove: (due: readonly T[]) => Promise<unknown>;
  readonly clock: Clock;
}

/**
 * Fires due timers: publishes the command `timer:<id>:<fence>`, then deletes the row. If the process dies in between,
 * the command is published again, and settles once.
 */
export class TimerCommands<T extends DueAlertTimer> {
  readonly #parts: TimerCommandsParts<T>;

  constructor(parts: TimerCommandsParts<T>) {
    this.#parts = parts;
  }

  readonly fire = async (due: readonly T[]): Promise<void> => {
    const now = this.#parts.clock.now();
    await this.#parts.publisher.publish(
      AlertCommands,
      due.map(({ fence, id: timerId, payload: { alertId } }) => timerCommand({ timerId, fence, alertId }, now)),
    );
    await this.#parts.remove(due);
  };
}
