import type { AlertCommand } from '@tocsin/events';
import { collectionOf, type Connection, type Session } from '@tocsin/mongo';
import type { Alert } from './alert.ts';
import { type AttachmentDocument, parseAttachmentId, TO_DELETE } from '../attachments/attachment.ts';
import type { FileLink, FoundFile } from '../attachments/attachment-links.ts';
import { ATTACHMENTS } from '../database.ts';

interface Transaction {
  readonly connection: Connection;
  readonly session: Session;
}

/**
 * The kept files that creates among `commands` name, and those of `alerts`. Reads nothing if no create names a file.
 */
export async function filesNamedBy(
  commands: readonly AlertCommand[],
  alerts: readonly Alert[],
  { connection, session }: Transaction,
): Promise<readonly FoundFile[]> {
  const named = commands.flatMap((command) => (command.kind === 'create' ? (command.alert.attachments ?? []) : []));
  if (named.length === 0) return [];
  const ids = named.map(parseAttachmentId).filter((id) => id !== undefined);
  const rows = await collectionOf<AttachmentDocument>(connection, ATTACHMENTS)
    .find(
      { $or: [{ _id: { $in: ids }, state: 'kept' }, { alertId: { $in: alerts.map(({ id }) => id) } }] },
      { session },
    )
    .toArray();
  return rows.map(({ _id, name, alertId }) => ({ id: String(_id), name, alertId: alertId ?? undefined }));
}

/** Attaches files to their alerts. A concurrent sweep of a file is a write conflict, so the transaction is retried. */
export async function linkFiles(links: readonly FileLink[], { connection, session }: Transaction): Promise<void> {
  if (links.length === 0) return;
  await collectionOf<AttachmentDocument>(connection, ATTACHMENTS).bulkWrite(
    links.map(({ fileId, alertId }) => ({
      updateOne: {
        filter: { _id: Number(fileId), state: 'kept' },
        update: { $set: { state: 'attached', alertId, goesAt: null } },
      },
    })),
    { session },
  );
}

/** Releases files without an alert: the next sweep removes them. */
export async function releaseFiles(fileIds: readonly string[], { connection, session }: Transaction): Promise<void> {
  if (fileIds.length === 0) return;
  await collectionOf<AttachmentDocument>(connection, ATTACHMENTS).updateMany(
    { _id: { $in: fileIds.map(Number) }, state: 'kept' },
    { $set: TO_DELETE },
    { session },
  );
}
