/** A mail as the page shows it. */
interface ShownMail {
  readonly id: number;
  readonly receivedAt: Date;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** What takes mails and keeps the last ones, the newest first. */
interface MailKeeper {
  readonly mails: readonly ShownMail[];
  /** Calls `listener` with each new mail. Returns a function that removes the listener. */
  onMail(listener: (mail: ShownMail) => void): () => void;
  forgetAll(): void;
}

/**
 * A web page that shows the mails of a keeper and reloads itself when one comes; `GET /api/mails` as JSON. A request under any other
 * name than those of loopback gets 421, through a tunnel too: a page of a stranger whose name was made to lead here reads nothing.
 */
export class MailboxPage {
  constructor(keeper: MailKeeper);
  /** The page on this machine. */
  get url(): string;
  /** Listens on `host`, 127.0.0.1 by default. */
  start(port: number, host?: string): Promise<this>;
  stop(): Promise<void>;
}

/** The page for these mails; whatever a mail contains is shown as text. */
export function pageOf(mails: readonly ShownMail[]): string;
