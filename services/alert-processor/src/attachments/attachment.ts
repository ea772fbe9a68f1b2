import { entryIdOf, type LogEntry } from '../alert-log/entry.ts';

/** A file that is kept for an alert (A13). */
export interface Attachment {
  /** Increases per installation. */
  readonly id: number;
  readonly alertId: string;
  readonly name: string;
  /** As in `Content-Type`. */
  readonly type: string;
  /** Bytes. */
  readonly length: number;
}

/** How long a file without an alert is kept, in milliseconds: a day (P13). */
export const UNATTACHED_RETENTION_MS = 24 * 3_600_000;

/** How long a link to a file is valid, in milliseconds: 15 minutes (A13). */
export const LINK_LIFETIME_MS = 15 * 60_000;

const ID = /^[1-9]\d{0,14}$/;

/** Parses the id of a file; undefined if `written` cannot be one. */
export function parseAttachmentId(written: string): number | undefined {
  return ID.test(written) ? Number(written) : undefined;
}

const MEDIA_TYPE = /^\s*([a-z0-9][\w!#$&^.+-]{0,99}\/[a-z0-9][\w!#$&^.+-]{0,99})\s*(?:;|$)/i;
const CHARACTER_SET = /;\s*charset\s*=\s*"?([\w-]{1,40})"?\s*(?:;|$)/i;

/** A content type that is safe in a header: `written` without parameters other than charset, or `application/octet-stream`. */
export function mediaType(written: string): string {
  const type = MEDIA_TYPE.exec(written)?.[1];
  if (type === undefined) return 'application/octet-stream';
  const characterSet = CHARACTER_SET.exec(written)?.[1];
  return type.toLowerCase() + (characterSet === undefined ? '' : `; charset=${characterSet.toLowerCase()}`);
}

/** A caller added or removed a file of an alert. */
export interface AttachmentDeed {
  readonly what: 'added' | 'removed';
  readonly file: Pick<Attachment, 'id' | 'name'>;
  readonly alertId: string;
  readonly by: string;
  /** The name and type of the integration whose key was used. */
  readonly integration: { readonly name: string; readonly type: string };
  readonly at: Date;
}

/** Higher than any rank of commands and decisions within one millisecond. */
const FIRST_RANK = 4_000_000_000_000_000;

/** The log entry of a deed. Its id and position depend on the deed alone, so writing it twice keeps one entry. */
export function attachmentEntry({ what, file, alertId, by, integration, at }: AttachmentDeed): LogEntry {
  const verb = what === 'added' ? 'Add' : 'Delete';
  const writtenBy = `attachment:${String(file.id)}/${what}`;
  return {
    writtenBy,
    entryId: entryIdOf(writtenBy, 0),
    alertId,
    log: `Attachment [${file.name}] ${what} via ${integration.type}[${integration.name}-${verb} Attachment]`,
    type: 'alertAction',
    owner: by,
    createdAt: at,
    position: { ms: at.getTime(), nanos: FIRST_RANK + file.id * 2 + (what === 'added' ? 0 : 1) },
  };
}

/** The row of a file. It is written before the first byte and deleted after the last, so bytes always have a row. */
export interface AttachmentDocument {
  /** Also the id of the file in GridFS. */
  readonly _id: number;
  /** `arriving` until all bytes are stored, `kept` until an alert gets it, `to-delete` once its bytes may be deleted. */
  readonly state: 'arriving' | 'kept' | 'attached' | 'to-delete';
  readonly alertId: string | null;
  readonly name: string;
  readonly type: string;
  readonly length: number;
  /** The integration that the mail with the file was sent to; absent if no mail brought it. */
  readonly integrationId?: string;
  /** When its bytes are deleted, unless an alert gets it before; null while an alert has it. */
  readonly goesAt: Date | null;
}

export function attachmentOf({ _id: id, alertId, name, type, length }: AttachmentDocument): Attachment {
  return { id, alertId: alertId ?? '', name, type, length };
}

/** Set on a deleted file, and on the files of a deleted alert: the next sweep removes them. */
export const TO_DELETE = { state: 'to-delete', alertId: null, goesAt: new Date(0) } as const;
