import type { DueWorkOptions } from '@tocsin/persistence';
import type { DueAlerts, PreparedDue } from '../application/due-alerts.ts';
import { alertOfWhole, type AlertDocument } from './alert-document.ts';
import { ALERTS } from './collections.ts';
import type { MongoAlertLedger } from './mongo-alert-ledger.ts';

type AlertDueWork = Pick<
  DueWorkOptions<AlertDocument, PreparedDue>,
  'batch' | 'collection' | 'leaveOut' | 'prepare' | 'process'
>;

/** As many alerts as a batch of commands may change. */
const ALERTS_AT_ONCE = 200;

/** Does what alerts do by themselves at their time. The parts may be made later. */
export const alertDueWork = (
  parts: () => { readonly dueAlerts: DueAlerts; readonly ledger: Pick<MongoAlertLedger, 'write'> },
): AlertDueWork => ({
  collection: ALERTS,
  batch: ALERTS_AT_ONCE,
  prepare: (found, until) => parts().dueAlerts.prepare(found.map(alertOfWhole), until),
  process: async (session, due, prepared, options) => {
    const { dueAlerts, ledger } = parts();
    const before = due.map(alertOfWhole);
    await ledger.write(session, await dueAlerts.settle(before, prepared, options), before);
  },
  leaveOut: async (session, due, reason) => {
    const { dueAlerts, ledger } = parts();
    const alert = alertOfWhole(due);
    await ledger.write(session, dueAlerts.leaveOut(alert, reason), [alert]);
  },
});
