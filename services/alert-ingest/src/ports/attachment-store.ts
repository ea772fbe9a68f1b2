import type { MailAttachment } from '../domain/mail.ts';

/** Keeps files until an alert names them. What no alert names is removed after a day (P13). */
export interface AttachmentStore {
  /**
   * The id of the file of a mail to the integration, once it is kept; undefined if it is not, because the files of mails take all
   * the space that they may.
   *
   * @throws UnavailableError when it cannot be kept now.
   */
  store(attachment: MailAttachment, integrationId: string): Promise<string | undefined>;
}
