import { z } from 'zod';
import type { InternalClient } from '@tocsin/http';
import type { MailAttachment } from './mail.ts';

const Stored = z.object({ data: z.object({ id: z.string().min(1) }) });
/** Status of the answer when there is no space for the file. */
const NO_SPACE_STATUS = 200;

/** For one file, in milliseconds: the sender of the mail waits meanwhile. */
const WAIT_MS = 30_000;

/**
 * Stores the file of a mail in alert-processor until an alert names it, and returns its id; undefined where there is no space for
 * files of mails. What no alert names is removed after a day (P13).
 *
 * @throws UnavailableError when alert-processor is unavailable.
 */
export async function storeAttachment(
  client: Pick<InternalClient, 'postBytes'>,
  { name, type, bytes }: MailAttachment,
  integrationId: string,
): Promise<string | undefined> {
  const query = new URLSearchParams({ name, type, integrationId });
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { status, body } = await client.postBytes(`/internal/attachments?${query.toString()}`, content, {
    timeoutMs: WAIT_MS,
  });
  if (status === NO_SPACE_STATUS) return undefined;
  if (status !== 201) throw new Error(`A file of a mail was answered ${status}.`);
  return Stored.parse(body).data.id;
}
