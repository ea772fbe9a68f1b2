import type { AlertEvent, ConsumedBatch, Settlement } from '@tocsin/contracts';
import type { RunEngine } from '../application/runs/run-engine.ts';
import type { BuriedRecord, RuleClaim, RunStore } from '../ports/run-store.ts';

/** Settles `alert-events.v1`: starts and stops escalation runs. */
export function alertEventHandler<C extends RuleClaim>(
  engine: RunEngine<C>,
  store: RunStore<C>,
): {
  settle(batch: ConsumedBatch<AlertEvent>): Promise<Settlement>;
  bury(record: BuriedRecord): Promise<Settlement>;
} {
  return { settle: (batch) => engine.settleEvents(batch), bury: (record) => store.bury(record) };
}
