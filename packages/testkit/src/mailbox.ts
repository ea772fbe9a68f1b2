import { SmtpSink, type Mail } from './local-stack/index.ts';
import { eventually } from './eventually.ts';

/** A mailbox for every address: a real SMTP server. A test must request all its mails. */
export interface Mailbox {
  /** The value of the setting SMTP_URL. */
  readonly url: string;
  readonly port: number;
  /** All received mails, the newest first. */
  readonly mails: readonly Mail[];
  /**
   * Resolves with the oldest mail to `address` whose subject and text match `pattern` and that no earlier call returned.
   *
   * @throws Error when there is none within `timeoutMs` (by default that of `eventually`); the message lists the mails that came.
   */
  received(address: string, pattern?: string | RegExp, options?: { timeoutMs?: number }): Promise<Mail>;
  /** The mails that no call of `received` returned, oldest first. A test ends by expecting none. */
  unexpected(): readonly Mail[];
  /** Forgets all mails. */
  clear(): void;
  stop(): Promise<void>;
}

/** Starts a mailbox on a free port, or on `port`, of 127.0.0.1, or of `host`. */
export async function startMailbox(options: { port?: number; host?: string } = {}): Promise<Mailbox> {
  const sink = await new SmtpSink({ ...options, keep: 10_000, now: () => new Date() }).start();
  const asked = new Set<number>();
  const unexpected = (): Mail[] => sink.mails.filter((mail) => !asked.has(mail.id)).reverse();
  return {
    url: sink.url,
    port: sink.port,
    get mails() {
      return sink.mails;
    },
    received: (address, pattern = '', options) =>
      eventually(() => {
        const mail = unexpected().find((each) => each.to.includes(address.toLowerCase()) && matches(each, pattern));
        if (mail === undefined) throw new Error(absence(address, pattern, sink.mails));
        asked.add(mail.id);
        return mail;
      }, options),
    unexpected,
    clear: () => {
      sink.forgetAll();
    },
    stop: () => sink.stop(),
  };
}

function matches(mail: Mail, pattern: string | RegExp): boolean {
  const content = `${mail.subject}\n${mail.text}`;
  return typeof pattern === 'string' ? content.includes(pattern) : pattern.test(content);
}

function absence(address: string, pattern: string | RegExp, mails: readonly Mail[]): string {
  const seen = mails.map((mail) => `  ${mail.to.join(', ')}: ${mail.subject}`);
  return [`No mail to ${address} that matches ${String(pattern)}. Received (newest first):`, ...seen].join('\n');
}
