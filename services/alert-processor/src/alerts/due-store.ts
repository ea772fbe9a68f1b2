import type { DueWorkOptions } from '@tocsin/mongo';
import type { DueAlerts, PreparedDue } from './due-operations.ts';
import { alertOfWhole, type AlertDocument } from './document.ts';
import { ALERTS } from '../database.ts';
import type { AlertStore } from './store.ts';

type AlertDueWork = Pick<
  DueWorkOptions<AlertDocument, PreparedDue>,
  'batch' | 'collection' | 'skipFirstItem' | 'prepare' | 'process'
>;

/** As many alerts as a batch of commands may change. */
const ALERTS_AT_ONCE = 200;

/** The due work of alerts. The parts may be made later. */
export const alertDueWork = (
  parts: () => { readonly dueAlerts: DueAlerts; readonly ledger: Pick<AlertStore, 'write' | 'writeDue'> },
): AlertDueWork => ({
  collection: ALERTS,
  batch: ALERTS_AT_ONCE,
  prepare: (found, until) => parts().dueAlerts.prepare(found.map(alertOfWhole), until),
  process: async (session, due, prepared, options) => {
    const { dueAlerts, ledger } = parts();
    const before = due.map(alertOfWhole);
    const changes = await dueAlerts.apply(before, prepared, options);
    await ledger.write(session, changes, before);
    // An alert with a due document but without a due action would be found again at once.
    const changed = new Set([...changes.updated.map(({ id }) => id), ...changes.deleted]);
    await ledger.writeDue(
      session,
      before.filter(({ id }) => !changed.has(id)),
    );
  },
  skipFirstItem: async (session, due, reason) => {
    const { dueAlerts, ledger } = parts();
    const alert = alertOfWhole(due);
    await ledger.write(session, dueAlerts.skipFirstItem(alert, reason), [alert]);
  },
});
