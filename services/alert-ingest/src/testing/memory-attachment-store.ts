import type { MailAttachment } from '../domain/mail.ts';
import type { AttachmentStore } from '../ports/attachment-store.ts';

/** Keeps files in memory under decimal ids that count from 1; refuses when told to. */
export class MemoryAttachmentStore implements AttachmentStore {
  readonly stored: MailAttachment[] = [];
  #refusal: Error | undefined;

  refuseWith(error: Error | undefined): void {
    this.#refusal = error;
  }

  store(attachment: MailAttachment): Promise<string> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    return Promise.resolve(String(this.stored.push(attachment)));
  }
}
