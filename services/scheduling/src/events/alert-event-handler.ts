import type { Clock } from '@tocsin/clock';
import type { AlertEvent } from '@tocsin/contracts';
import { GatheredHandler, type BatchHandler } from '@tocsin/messaging';
import { buriedEvent } from '../application/runs/buried-decision.ts';
import type { RunEngine } from '../application/runs/run-engine.ts';
import type { RunStore } from '../ports/run-store.ts';

/** Settles `alert-events.v1`: starts and stops escalation runs. Batches of several partitions share one transaction. */
export function alertEventHandler(engine: RunEngine, store: RunStore, clock: Clock): BatchHandler<AlertEvent> {
  return new GatheredHandler({
    settle: (batches) => engine.settleEvents(...batches),
    bury: (record, reason) => store.bury(record, record.value && buriedEvent(record.value, reason, clock.now())),
  });
}
