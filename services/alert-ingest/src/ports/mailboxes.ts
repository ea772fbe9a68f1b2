import type { Integration } from '../domain/integration.ts';

/** The integrations that mail can come to, known without asking a database. */
export interface Mailboxes {
  /** The one whose address begins with `username`, in any case, whether it is enabled or not. */
  mailbox(username: string): Integration | undefined;
}
