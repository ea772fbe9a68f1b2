import type { MailAttachment } from '../domain/mail.ts';

/** Keeps files until an alert names them. What no alert names is removed after a day (P13). */
export interface AttachmentStore {
  /**
   * The id of the file, once it is kept.
   *
   * @throws UnavailableError when it cannot be kept now.
   */
  store(attachment: MailAttachment): Promise<string>;
}
