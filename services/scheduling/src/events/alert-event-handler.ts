import type { AlertEvent, BuriedRecord, ConsumedBatch, Settlement } from '@tocsin/contracts';
import type { RunEngine } from '../application/runs/run-engine.ts';
import { mayRun } from '../domain/runs/run.ts';
import type { RuleClaim, RunStore } from '../ports/run-store.ts';

/** Settles `alert-events.v1`: starts and stops escalation runs. */
export function alertEventHandler<C extends RuleClaim>(
  engine: RunEngine<C>,
  store: RunStore<C>,
): {
  concerns(event: AlertEvent): boolean;
  settle(batch: ConsumedBatch<AlertEvent>): Promise<Settlement>;
  bury(record: BuriedRecord): Promise<Settlement>;
} {
  return { concerns: mayRun, settle: (batch) => engine.settleEvents(batch), bury: (record) => store.bury(record) };
}
