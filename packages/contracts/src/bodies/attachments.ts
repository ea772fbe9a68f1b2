import { z } from 'zod';
import { absentWhenEmpty, id, optional, requiredText, text } from '../primitives.ts';
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

/** Control characters, line ends of Unicode, and marks that change the order in which letters are shown. */
// eslint-disable-next-line no-control-regex -- The pattern looks for control characters.
const UNSAFE_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * The name of a file without folders, control characters and marks that change the order of letters. Empty when no other
 * character is left.
 */
export function plainFileName(written: string): string {
  const name = written.replaceAll(UNSAFE_CHARACTERS, '').split(/[/\\]/).at(-1)?.trim() ?? '';
  return /^\.{1,2}$/.test(name) ? '' : name;
}

/** The name of a file from a form or a mail, as {@link plainFileName} returns it. */
export const FileName = z.preprocess(
  (written) => (typeof written === 'string' ? plainFileName(written) : written),
  requiredText('Name', ATTACHMENT_LIMITS.name),
);

/** The query of the request that stores a file of a mail to an integration (P13). */
export const KeepFileQuery = z.object({ name: FileName, type: optional(z.string()), integrationId: id });
export type KeepFileQuery = z.infer<typeof KeepFileQuery>;
