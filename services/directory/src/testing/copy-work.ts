import { ManualClock } from '@tocsin/clock';
import { DueWork } from '@tocsin/persistence';
import type { CopyNotificationRules, CopyRules } from '../application/copy-notification-rules.ts';
import { copyWorkOptions, MongoPendingCopies, type PendingCopyDocument } from '../storage/mongo-pending-copies.ts';
import { silent, type MongoDirectory } from './mongo-directory.ts';

/** The pending copies of one process. */
export interface CopyWork {
  readonly copies: MongoPendingCopies;
  readonly dueWork: DueWork<PendingCopyDocument, readonly CopyRules[]>;
  /** Does what is due, as the service does it. */
  readonly goOn: () => Promise<void>;
  /** What was logged, oldest first. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
}

/** `copyRules` may be made later. */
export function copyWorkOf(
  { connection, lots: users }: MongoDirectory,
  copyRules: () => Pick<CopyNotificationRules, 'prepare'>,
): CopyWork {
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  const logged: Readonly<Record<string, unknown>>[] = [];
  const dueWork: CopyWork['dueWork'] = new DueWork({
    clock,
    logger: silent,
    wake: () => undefined,
    ...copyWorkOptions(connection, () => ({ copies, copyRules: copyRules() })),
  });
  const log = { info: (fields: object, message: string) => void logged.push({ ...fields, message }) };
  const copies = new MongoPendingCopies({ connection, users, dueWork, clock, log });
  const goOn = async (): Promise<void> => {
    await dueWork.activate(new AbortController().signal);
  };
  return { copies, dueWork, goOn, logged };
}
