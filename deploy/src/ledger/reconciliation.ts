import { z } from 'zod';

const count = z.number().int().min(0);

/** The answer of each owner about its part. */
export const Parts = {
  'alert-processor': z.object({
    accepted: count,
    unacknowledged: count,
    lost: count,
    waiting: count,
    settledSince: count,
    reportedAt: z.iso.datetime().optional(),
  }),
  scheduling: z.object({ runs: count, overdue: count }),
  notifier: z.object({
    waiting: count,
    sent: count,
    delivered: count.default(0),
    failed: count,
    dropped: count,
    heldBack: count.default(0),
    undelivered: count,
  }),
} as const;

/** The owners of a part of the ledger. */
export type Owner = keyof typeof Parts;
export const OWNERS: readonly Owner[] = ['alert-processor', 'scheduling', 'notifier'];

/** The ledger of one installation at one moment. */
export interface Reconciliation {
  readonly commands: z.infer<(typeof Parts)['alert-processor']>;
  readonly flows: z.infer<(typeof Parts)['scheduling']>;
  readonly messages: z.infer<(typeof Parts)['notifier']>;
}

/** How much is owed and not done; the ledger balances where it is 0. */
export const missingOf = ({ commands, flows, messages }: Reconciliation): number =>
  commands.lost + commands.waiting + flows.overdue + messages.undelivered;

/** The ledger as text, one line for each number. */
export function reconciliationText(reconciliation: Reconciliation, since: Date): readonly string[] {
  const { commands, flows, messages } = reconciliation;
  const rows: readonly (readonly [string, number, string])[] = [
    ['accepted', commands.accepted, 'commands answered 202, of all processes of the last 14 days'],
    ['  lost', commands.lost, `of them: never written, found since ${since.toISOString()}`],
    ['  waiting', commands.waiting, 'of them: not settled after 30 s'],
    ['  settled', Math.max(0, commands.accepted - commands.lost - commands.waiting), 'of them: all others'],
    ['unacknowledged', commands.unacknowledged, 'commands answered 503 that may be on Kafka all the same'],
    ['requests', commands.settledSince, `settled since ${since.toISOString()}, of all senders`],
    ['flows', flows.runs, 'of open alerts'],
    ['  overdue', flows.overdue, 'of them: due for 30 s'],
    ['messages', messages.waiting, 'that wait for their time or their turn'],
    ['  undelivered', messages.undelivered, 'of them: due for 30 s, and no process sends them'],
    ['sent', messages.sent, `since ${since.toISOString()}`],
    ['delivered', messages.delivered, 'since then, by receipts of providers'],
    ['failed', messages.failed, 'since then; the log of the alert says why'],
    ['dropped', messages.dropped, 'since then: no longer wanted'],
    ['held back', messages.heldBack, 'since then: not sent, because shadow was on'],
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const lines = rows.map(([name, number, text]) =>
    [name.padEnd(widths[0] ?? 0), String(number).padStart(widths[1] ?? 0), text].join('  '),
  );
  const reported =
    commands.reportedAt === undefined
      ? 'alert-ingest has not reported yet.'
      : `Last report of alert-ingest: ${commands.reportedAt}.`;
  const missing = missingOf(reconciliation);
  const conclusion = missing === 0 ? 'The ledger balances.' : `The ledger does not balance: ${missing} missing.`;
  return [...lines, reported, conclusion];
}
