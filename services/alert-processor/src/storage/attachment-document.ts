import type { Attachment } from '../domain/attachment.ts';

/** Every file has such a row before its first byte and after its last: what has none, has no bytes either. */
export interface AttachmentDocument {
  /** Also the id of the file in GridFS. */
  readonly _id: number;
  /** `arriving` until all bytes are there, `kept` until an alert gets it, `doomed` from the moment its bytes may be gone. */
  readonly state: 'arriving' | 'kept' | 'attached' | 'doomed';
  readonly alertId: string | null;
  readonly name: string;
  readonly type: string;
  readonly length: number;
  /** When its bytes go, unless an alert gets it before; null while it belongs to one. */
  readonly goesAt: Date | null;
}

export function attachmentOf({ _id: id, alertId, name, type, length }: AttachmentDocument): Attachment {
  return { id, alertId: alertId ?? '', name, type, length };
}

/** Of a file that is taken from its alert, or with it: the next sweep removes it. */
export const DOOMED = { state: 'doomed', alertId: null, goesAt: new Date(0) } as const;
