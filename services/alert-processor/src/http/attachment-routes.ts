import { ATTACHMENT_LIMITS, KeepFileQuery } from '@tocsin/contracts';
import { TooLargeError } from '@tocsin/errors';
import { defineInternalRoute, rawBody, type InternalRoute } from '@tocsin/http';
import type { Attachments } from '../application/attachments.ts';

/** Files for alerts that are yet to be made (P13). */
export function keepFileRoute(attachments: Attachments): InternalRoute {
  return defineInternalRoute({
    method: 'POST',
    path: '/internal/attachments',
    query: KeepFileQuery,
    body: rawBody,
    handle: async ({ query: { name, type = '' }, body }) => {
      if ((body.length ?? 0) > ATTACHMENT_LIMITS.bytes) throw new TooLargeError('The file is larger than 50 MB.');
      const id = await attachments.keep({ name, type, bytes: body.bytes });
      return { status: 201, body: { data: { id: String(id) } } };
    },
  });
}
