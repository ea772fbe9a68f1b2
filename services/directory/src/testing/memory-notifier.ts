import { UnavailableError } from '@tocsin/core';
import type { KeptShadow, ShadowSwitchMessage } from '@tocsin/events';
import type { ShadowNotifier } from '../shadow/client.ts';

/** Keeps the last state of the switch, as notifier does. */
export class MemoryNotifier implements ShadowNotifier {
  /** What it keeps until a state names that period; undefined: the last state. */
  insistsOn: Omit<KeptShadow, 'isEffective'> | undefined;
  isAvailable = true;
  /** How often it says that the switch is not in effect yet. */
  pending = 0;
  /** The states that it got. */
  readonly received: ShadowSwitchMessage[] = [];

  keep(message: ShadowSwitchMessage): Promise<KeptShadow> {
    if (!this.isAvailable) return Promise.reject(new UnavailableError('Notifier does not answer.'));
    this.received.push(message);
    if (message.deleted) throw new TypeError('The switch is never deleted.');
    const { periodId } = message.state;
    if (periodId !== undefined && periodId === this.insistsOn?.periodId) this.insistsOn = undefined;
    const kept = this.insistsOn ?? {
      enabled: message.state.enabled,
      ...(periodId !== undefined && { periodId }),
      version: message.version,
    };
    this.pending -= 1;
    return Promise.resolve({ ...kept, isEffective: this.pending < 0 });
  }
}
