import { z } from 'zod';
import { absentWhenEmpty, optional, requiredText, text } from '../primitives.ts';
import { actor } from './alert-fields.ts';
import { AlertIdentifierQuery } from './alerts.ts';

/** What an attached file may be (A13). */
export const ATTACHMENT_LIMITS = {
  /** 50 MiB. */
  bytes: 52_428_800,
  /** Code points of its name. */
  name: 255,
  /** Files of one alert. */
  files: 100,
} as const;

const { identifierType } = AlertIdentifierQuery.shape;

/** How a path below `attachments` names its alert (wire facts 4): as elsewhere, under a longer name too. `user` is for a DELETE. */
export const AttachmentQuery = z
  .object({
    alertIdentifierType: z.preprocess(absentWhenEmpty, identifierType.optional()),
    identifierType,
    user: actor.user,
  })
  .transform(({ alertIdentifierType, identifierType: other, user }) => ({
    identifierType: alertIdentifierType ?? other,
    user,
  }));
export type AttachmentQuery = z.infer<typeof AttachmentQuery>;

/** The fields beside the file in the form of an attachment; `indexFile` is for a page that shows attachments, and there is none. */
export const AttachmentFields = z.object({ user: actor.user, indexFile: optional(text()) });

/** The body of a DELETE of an attachment: what the query leaves out (E5). */
export const AttachmentRemovalBody = z.object({ user: actor.user }, 'should be a JSON object');

/** The name of a file as a form or a mail gives it. */
export const FileName = requiredText('Name', ATTACHMENT_LIMITS.name);

/** The query under which a service has a file kept (P13). */
export const KeepFileQuery = z.object({ name: FileName, type: optional(z.string()) });
export type KeepFileQuery = z.infer<typeof KeepFileQuery>;
