import { absentWhenEmpty, id, optional, requiredText, text } from '@tocsin/events';
import { z } from 'zod';
import { actor } from '../bodies/alert-fields.ts';
import { MEDIUM_BODY, resource, type Rules } from '../operation.ts';
import { createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { AlertIdentifierQuery } from './alert-bodies.ts';

/** The limits of an attached file (A13). */
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

const read = { right: 'read', domain: 'alert', owner: 'alert-processor' } as const;
const write = { right: 'write', domain: 'alert', owner: 'alert-processor' } as const;
const ALERT = '/v2/alerts/{identifier}';

const params = z.object({ attachmentId: z.string().regex(/^[1-9][0-9]{0,14}$/) });
const ID = 7_401;
const NAME = 'disk.png';

/** Decimal: a list answers it as a number, everything else as text (wire facts 4). */
const numericId = z.int().min(0);

const RULES: Rules = {
  A13: [
    'The name of a file is stored without folders, control characters and marks that change the order of letters. Closed alerts take files too. A file more than an alert may have: 422.',
    'A form has one part `file` with a name of 1 to 255 characters. Other files of the form are skipped; `indexFile` is accepted and not used.',
    'Not a form: 415. An invalid or incomplete form: 400. A compressed form: 415.',
    'Ids are decimal and grow.',
    'A link that has expired, was changed, or whose file was deleted: 404, and the message says which. A link can only be revoked by deleting the file.',
    'A browser saves the file and does not run it.',
  ],
};

/** A13; wire facts 4. */
export const ATTACHMENTS = resource('Attachments of alerts', RULES, {
  'add-attachment': {
    ...write,
    method: 'POST',
    path: `${ALERT}/attachments`,
    transfer: 'upload',
    summary: 'Attaches a file',
    description: 'At most 50 MiB, and 100 files for an alert.',
    query: AttachmentQuery,
    body: {
      mediaType: 'multipart/form-data',
      schema: AttachmentFields.extend({ file: z.file().meta({ override: { type: 'string', format: 'binary' } }) }),
      example: { file: '(the bytes of the file)', user: 'ada@example.com' },
    },
    success: createdAnswer(z.object({ id: z.string().regex(/^\d+$/) }), { id: String(ID) }),
    refusals: [404],
  },
  'list-attachments': {
    ...read,
    method: 'GET',
    path: `${ALERT}/attachments`,
    summary: 'Lists attached files',
    query: AttachmentQuery,
    success: dataAnswer(z.array(z.object({ id: numericId, name: z.string() })), [{ id: ID, name: NAME }]),
    refusals: [404],
  },
  'get-attachment': {
    ...read,
    method: 'GET',
    path: `${ALERT}/attachments/{attachmentId}`,
    summary: 'Gives a link to an attached file',
    description: 'The link needs no key and works for 15 minutes.',
    params,
    query: AttachmentQuery,
    success: dataAnswer(z.object({ name: z.string(), url: z.url() }), {
      name: NAME,
      url: 'https://tocsin.example.com/v2/attachments/eyJzdWIiOiI3NDAxIn0',
    }),
    refusals: [404],
  },
  'delete-attachment': {
    ...write,
    ...MEDIUM_BODY,
    method: 'DELETE',
    path: `${ALERT}/attachments/{attachmentId}`,
    summary: 'Deletes an attached file',
    description: 'Who does it is read from the body where the query leaves it out.',
    params,
    query: AttachmentQuery,
    body: { schema: AttachmentRemovalBody, example: { user: 'ada@example.com' } },
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
  'download-attachment': {
    ...read,
    method: 'GET',
    path: '/v2/attachments/{token}',
    right: 'link',
    transfer: 'download',
    summary: 'Downloads an attached file by its link',
    description: 'Its path is the `url` that reading the attachment gives.',
    success: { mediaType: '*/*', description: 'The file as it was attached, to be kept and not shown.' },
    refusals: [404],
  },
});
