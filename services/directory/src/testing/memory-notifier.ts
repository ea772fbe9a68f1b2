import { UnavailableError } from '@tocsin/core';
import type { KeptShadow, ShadowSwitchMessage } from '@tocsin/events';
import type { ShadowNotifier } from '../shadow/client.ts';

/** Keeps the last state of the switch, as notifier does. */
export class MemoryNotifier implements ShadowNotifier {
  /** What it keeps until it is told of the end of that period; undefined: what it was told last. */
  insistsOn: Omit<KeptShadow, 'isEffective'> | undefined;
  isAvailable = true;
  /** How often it says that the switch is not in effect yet. */
  pending = 0;
  /** What it was told. */
  readonly told: ShadowSwitchMessage[] = [];

  keep(message: ShadowSwitchMessage): Promise<KeptShadow> {
    if (!this.isAvailable) return Promise.reject(new UnavailableError('Notifier does not answer.'));
    this.told.push(message);
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
