import type { InternalClient } from '@tocsin/http';
import { z } from 'zod';
import type { MailAttachment } from '../domain/mail.ts';
import type { AttachmentStore } from '../ports/attachment-store.ts';

const Kept = z.object({ data: z.object({ id: z.string().min(1) }) });
/** Status of the answer when there is no space for the file. */
const NO_SPACE_STATUS = 200;

/** For one file, in milliseconds: whoever sends a mail waits for its answer. */
const WAIT_MS = 30_000;

/** Has files kept by alert-processor (P13). */
export class HttpAttachmentStore implements AttachmentStore {
  readonly #client: Pick<InternalClient, 'postBytes'>;

  constructor(client: Pick<InternalClient, 'postBytes'>) {
    this.#client = client;
  }

  async store({ name, type, bytes }: MailAttachment, integrationId: string): Promise<string | undefined> {
    const query = new URLSearchParams({ name, type, integrationId });
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { status, body } = await this.#client.postBytes(`/internal/attachments?${query.toString()}`, content, {
      timeoutMs: WAIT_MS,
    });
    if (status === NO_SPACE_STATUS) return undefined;
    if (status !== 201) throw new Error(`A file of a mail was answered ${status}.`);
    return Kept.parse(body).data.id;
  }
}
