import type { Clock } from '@tocsin/clock';
import { AlertCommands, type IntegrationReference, type TimerFired } from '@tocsin/contracts';
import type { Publisher } from '@tocsin/messaging';
import { SYSTEM } from '../domain/history.ts';
import { timerRequestId, type TimerPayload } from '../domain/alarms.ts';

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

/** The principal of timers: no integration, so no team's rights bind it. */
const OURSELVES: IntegrationReference = { id: 'alert-processor', name: 'Tocsin', type: 'System' };

/**
 * What a due timer does: publish the command `timer:<id>:<fence>`, then delete itself. A process that dies in between
 * publishes it again, and the command settles once.
 */
export class TimerCommands<T extends DueAlertTimer> {
  readonly #parts: TimerCommandsParts<T>;

  constructor(parts: TimerCommandsParts<T>) {
    this.#parts = parts;
  }

  readonly fire = async (due: readonly T[]): Promise<void> => {
    await this.#parts.publisher.publish(
      AlertCommands,
      due.map((timer) => this.#command(timer)),
    );
    await this.#parts.remove(due);
  };

  #command({ id: timerId, fence, payload }: T): TimerFired {
    return {
      kind: 'timer',
      requestId: timerRequestId(timerId, fence),
      identifier: { type: 'id', value: payload.alertId },
      integration: OURSELVES,
      actor: SYSTEM,
      source: SYSTEM,
      acceptedAt: this.#parts.clock.now().toISOString(),
      timerId,
      fence: String(fence),
    };
  }
}
