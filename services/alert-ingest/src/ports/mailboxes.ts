import type { Integration } from '../domain/integration.ts';

/** The integrations that mail can come to, known without asking a database as long as nothing is new. */
export interface Mailboxes {
  /**
   * The one whose address begins with `username`, in any case, whether it is enabled or not.
   *
   * @throws UnavailableError when there is none known and news of an integration cannot be read now: it may be the one.
   */
  mailbox(username: string): Promise<Integration | undefined>;
}
