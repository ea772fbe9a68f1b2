import {
  ATTACHMENT_LIMITS,
  AttachmentFields,
  AttachmentQuery,
  AttachmentRemovalBody,
  FileName,
  KeepFileQuery,
} from '@tocsin/api';
import type { AlertIdentifier } from '@tocsin/events';
import { InvalidError, TooLargeError } from '@tocsin/core';
import {
  defineInternalRoute,
  defineRoute,
  rawBody,
  readForm,
  type InternalRoute,
  type RawBody,
  type Route,
} from '@tocsin/http';
import type { Attachments } from './operations.ts';

/** The files of an alert, and the download by a link (A13; wire facts 4). */
export function attachmentRoutes(attachments: Attachments): readonly Route[] {
  return [
    defineRoute({
      operation: 'add-attachment',
      query: AttachmentQuery,
      body: rawBody,
      handle: async ({ params, query, body, principal }) => {
        const alertId = await attachments.alertId(alertOf(params, query), principal);
        const id = await received(attachments, body, async (file, user) => {
          await attachments.attach(file, alertId, { principal, user: user ?? query.user });
        });
        return { status: 201, body: { result: 'Created', data: { id: String(id) } } };
      },
    }),
    defineRoute({
      operation: 'list-attachments',
      query: AttachmentQuery,
      handle: async ({ params, query, principal }) => {
        const files = await attachments.list(alertOf(params, query), principal);
        return { body: { data: files.map(({ id, name }) => ({ id, name })) } };
      },
    }),
    defineRoute({
      operation: 'get-attachment',
      query: AttachmentQuery,
      handle: async ({ params, query, principal, publicUrl }) => {
        const { attachmentId = '' } = params;
        const { file, token } = await attachments.get(alertOf(params, query), attachmentId, principal);
        return { body: { data: { name: file.name, url: `${publicUrl}/v2/attachments/${token}` } } };
      },
    }),
    defineRoute({
      operation: 'delete-attachment',
      query: AttachmentQuery,
      body: AttachmentRemovalBody,
      handle: async ({ params, query, body, principal }) => {
        const { attachmentId = '' } = params;
        await attachments.remove(alertOf(params, query), attachmentId, { principal, user: query.user ?? body.user });
        return { body: { result: 'Deleted' } };
      },
    }),
    defineRoute({
      operation: 'download-attachment',
      handle: async ({ params }) => {
        const { file, bytes } = await attachments.open(params['token'] ?? '');
        return { file: { name: file.name, type: file.type, content: { length: file.length, bytes } } };
      },
    }),
  ];
}

/** Stores files of mails for alerts that do not exist yet (P13). Answers without an id when there is no space for the file. */
export function keepFileRoute(attachments: Attachments): InternalRoute {
  return defineInternalRoute({
    method: 'POST',
    path: '/internal/attachments',
    query: KeepFileQuery,
    body: rawBody,
    handle: async ({ query: { name, type = '', integrationId }, body }) => {
      const { bytes, length = 0 } = body;
      if (length > ATTACHMENT_LIMITS.bytes) throw new TooLargeError('The file is larger than 50 MB.');
      const id = await attachments.keepOfMail({ name, type, bytes, integrationId }, length);
      if (id === undefined) return { body: { data: {} } };
      return { status: 201, body: { data: { id: String(id) } } };
    },
  });
}

function alertOf(params: Readonly<Record<string, string>>, { identifierType }: AttachmentQuery): AlertIdentifier {
  return { type: identifierType, value: params['identifier'] ?? '' };
}

/** Keeps the file of a form for `use`, which attaches it to its alert. If anything fails, the file is discarded. */
async function received(
  attachments: Attachments,
  body: RawBody,
  use: (file: { readonly id: number; readonly name: string }, user: string | undefined) => Promise<void>,
): Promise<number> {
  const kept: number[] = [];
  try {
    const { fields, taken } = await readForm(body, { file: 'file', fields: AttachmentFields }, async (file) => {
      const name = nameOf(file.name);
      const id = await attachments.keep({ ...file, name });
      kept.push(id);
      return { id, name };
    });
    await use(taken, fields.user);
    return taken.id;
  } catch (error) {
    // The sweep removes what this does not.
    for (const id of kept) await attachments.discard(id).catch(() => undefined);
    throw error;
  }
}

function nameOf(written: string): string {
  const name = FileName.safeParse(written);
  if (name.success) return name.data;
  throw InvalidError.ofFields({ file: `should have a name of 1 to ${String(ATTACHMENT_LIMITS.name)} characters` });
}
