import type { Attachment } from '../domain/attachment.ts';

/** The row of a file. It is written before the first byte and deleted after the last, so bytes always have a row. */
export interface AttachmentDocument {
  /** Also the id of the file in GridFS. */
  readonly _id: number;
  /** `arriving` until all bytes are stored, `kept` until an alert gets it, `doomed` once its bytes may be deleted. */
  readonly state: 'arriving' | 'kept' | 'attached' | 'doomed';
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

/** Set on a file that was deleted, or whose alert was: the next sweep removes it. */
export const DOOMED = { state: 'doomed', alertId: null, goesAt: new Date(0) } as const;
