import type { ServiceContext } from '@tocsin/service';
import type { ShadowGate } from './operations.ts';
import type { ShadowState } from './shadow.ts';

const READ_EVERY_MS = 1_000;
/** Ends a read that is stuck while the result of the one before still counts. */
const READ_TIMEOUT_MS = 2_500;

/** The names of the checks, which `/readyz` shows. */
const UNKNOWN =
  'nothing is sent: it is not known whether shadow is on; directory, its topic shadow-switches.v1 and the database of notifier are asked each second';
const END_IS_MISSING =
  'nothing is sent: shadow was begun, and directory says that it is off without having ended it, as after a restore; `tocsin shadow start` or `tocsin shadow stop` decides it';

/** Follows the switch until the stop. While it is not known, or its end is missing, the service is not ready. */
export function followShadow({ health, logger, metrics, tasks }: ServiceContext, gate: ShadowGate): void {
  metrics.holdingBack();
  let before: ShadowState | undefined;
  const report = (): void => {
    const { state } = gate;
    metrics.shadow(state);
    if (state === before) return;
    before = state;
    if (state === 'on') logger.warn({}, 'Shadow is on: messages are recorded and not sent.');
    else if (state === 'off') logger.info({}, 'shadow is off: messages are sent');
    else logger.error({}, 'Nothing is sent: it is not known whether shadow is on.');
  };
  health.require(UNKNOWN, () => gate.state !== 'unknown');
  health.require(END_IS_MISSING, () => !gate.isEndMissing);
  tasks.add({
    name: 'read-shadow',
    everyMs: READ_EVERY_MS,
    timeoutMs: READ_TIMEOUT_MS,
    activate: async () => {
      try {
        await gate.refresh();
      } finally {
        report();
      }
    },
  });
}
