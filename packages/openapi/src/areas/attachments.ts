import { z } from 'zod';
import { AttachmentFields, AttachmentQuery, AttachmentRemovalBody } from '@tocsin/contracts';
import { area } from '../description.ts';
import { createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';

const path = z.object({ attachmentId: z.string().regex(/^[1-9][0-9]{0,14}$/) });
const ID = 7_401;
const NAME = 'disk.png';

/** Decimal: a list answers it as a number, everything else as text (wire facts 4). */
const numericId = z.int().min(0);

/** A13; wire facts 4. */
export const ATTACHMENTS = area({
  'add-attachment': {
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
    query: AttachmentQuery,
    success: dataAnswer(z.array(z.object({ id: numericId, name: z.string() })), [{ id: ID, name: NAME }]),
    refusals: [404],
  },
  'get-attachment': {
    description: 'The link needs no key and works for 15 minutes.',
    path,
    query: AttachmentQuery,
    success: dataAnswer(z.object({ name: z.string(), url: z.url() }), {
      name: NAME,
      url: 'https://tocsin.example.com/v2/attachments/eyJzdWIiOiI3NDAxIn0',
    }),
    refusals: [404],
  },
  'delete-attachment': {
    description: 'Who does it is read from the body where the query leaves it out.',
    path,
    query: AttachmentQuery,
    body: { schema: AttachmentRemovalBody, example: { user: 'ada@example.com' } },
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
  'download-attachment': {
    description: 'Its path is the `url` that reading the attachment gives.',
    success: { mediaType: '*/*', description: 'The file as it was attached, to be kept and not shown.' },
    refusals: [404],
  },
});
