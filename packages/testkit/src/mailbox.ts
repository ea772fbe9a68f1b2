import { SmtpSink, type Mail } from './local-stack/index.ts';
import { eventually } from './eventually.ts';

/** A mailbox for every address: a real SMTP server whose mails a test must all have asked for. */
export interface Mailbox {
  /** For the setting SMTP_URL. */
  readonly url: string;
  readonly port: number;
  /** Everything received, the newest first. */
  readonly mails: readonly Mail[];
  /**
   * Resolves with the oldest mail to `address` that matches `pattern` (of its subject and text) and was not asked for
   * before; each mail answers one call.
   *
   * @throws Error when there is none within `timeoutMs` (that of `eventually` unless given); the message lists what did come.
   */
  received(address: string, pattern?: string | RegExp, options?: { timeoutMs?: number }): Promise<Mail>;
  /** The mails that no call of `received` was given, oldest first. A test ends by expecting none. */
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
