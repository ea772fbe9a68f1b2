import type { MailAttachment } from '../mail/mail.ts';

/** Keeps files in memory under decimal ids that count from 1; has no space for those named `large`. */
export class MemoryAttachmentStore {
  readonly stored: MailAttachment[] = [];
  #refusal: Error | undefined;

  refuseWith(error: Error | undefined): void {
    this.#refusal = error;
  }

  store(attachment: MailAttachment): Promise<string | undefined> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    if (attachment.name === 'large') return Promise.resolve(undefined);
    return Promise.resolve(String(this.stored.push(attachment)));
  }
}
