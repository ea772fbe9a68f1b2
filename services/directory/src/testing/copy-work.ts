import { ManualClock } from '@tocsin/core';
import { DueWork } from '@tocsin/mongo';
import type { CopyNotificationRules } from '../notification-rules/copy-operations.ts';
import { copyWorkOptions, type PendingCopyDocument, PendingCopyStore } from '../notification-rules/copy-store.ts';
import type { CopyRules } from '../notification-rules/copy.ts';
import { type MongoDirectory, silent } from './mongo-directory.ts';

/** The pending copies of one process. */
export interface CopyWork {
  readonly copies: PendingCopyStore;
  readonly dueWork: DueWork<PendingCopyDocument, readonly CopyRules[]>;
  /** Does the due work, as the service does it. */
  readonly goOn: () => Promise<void>;
  /** The log lines, the oldest first. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
}

/** `copyRules` may be made later. */
export function copyWorkOf(
  { connection, userBatches }: MongoDirectory,
  copyRules: () => Pick<CopyNotificationRules, 'prepare'>,
): CopyWork {
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  const logged: Readonly<Record<string, unknown>>[] = [];
  const dueWork: CopyWork['dueWork'] = new DueWork({
    clock,
    logger: silent,
    wake: () => undefined,
    ...copyWorkOptions(connection, () => ({ copies, prepare: (copy) => copyRules().prepare(copy) })),
  });
  const log = { info: (fields: object, message: string) => void logged.push({ ...fields, message }) };
  const copies = new PendingCopyStore({
    connection,
    changeUsers: (session, batch, work) => userBatches.changeNext(session, batch, work),
    dueWork,
    clock,
    log,
  });
  const goOn = async (): Promise<void> => {
    await dueWork.activate(new AbortController().signal);
  };
  return { copies, dueWork, goOn, logged };
}
