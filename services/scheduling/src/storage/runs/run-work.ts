import { whenCommitted, type DueWorkOptions } from '@tocsin/persistence';
import type { DueRuns } from '../../application/runs/due-runs.ts';
import type { RunEngine } from '../../application/runs/run-engine.ts';
import { RUNS, toRun, type RunDocument } from './documents.ts';
import type { MongoRunStore } from './mongo-run-store.ts';

type RunWorkOptions = Pick<
  DueWorkOptions<RunDocument, DueRuns>,
  'collection' | 'prepare' | 'process' | 'leaveOut' | 'end'
>;

/** The due work that does what is due of runs. The parts may be made later. */
export const runWorkOptions = (
  parts: () => { readonly engine: RunEngine; readonly store: Pick<MongoRunStore, 'write'> },
): RunWorkOptions => ({
  collection: RUNS,
  prepare: (found, now) => parts().engine.prepareDue(found.map(toRun), now),
  process: async (session, due, runs, options) => {
    const changes = await runs.process(due.map(toRun), options);
    await parts().store.write(session, changes);
    whenCommitted(session, () => {
      runs.committed(changes);
    });
  },
  leaveOut: (session, due, reason, now) => {
    const { engine, store } = parts();
    return store.write(session, [engine.leaveOut(toRun(due), reason, now)]);
  },
  end: (runs) => {
    runs.end();
  },
});
