import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

const LARGEST_BYTES = 1_000_000;
const TOO_LARGE = 552;

/** One received mail. */
export interface Mail {
  readonly id: number;
  readonly receivedAt: Date;
  readonly from: string;
  /** The addresses of the envelope, lower case. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface SmtpSinkOptions {
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** Any free port by default. */
  readonly port?: number;
  /** Most mails to keep; older ones are dropped. 200 by default. */
  readonly keep?: number;
  readonly now: () => Date;
}

/** A real SMTP server that accepts every mail, forwards none, and keeps the last ones. */
export class SmtpSink {
  readonly #server: SMTPServer;
  readonly #options: SmtpSinkOptions;
  readonly #listeners = new Set<(mail: Mail) => void>();
  #mails: Mail[] = [];
  #received = 0;

  constructor(options: SmtpSinkOptions) {
    this.#options = options;
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      size: LARGEST_BYTES,
      onData: (stream, session, done) => {
        this.#take(stream, session).then(
          () => {
            done();
          },
          (error: unknown) => {
            done(error as Error);
          },
        );
      },
    });
    // A client that is killed during a mail resets its connection.
    this.#server.on('error', () => undefined);
  }

  /** The mails kept, the newest first. */
  get mails(): readonly Mail[] {
    return this.#mails;
  }

  get url(): string {
    return `smtp://${this.#host}:${this.port}`;
  }

  get #host(): string {
    return this.#options.host ?? '127.0.0.1';
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** Calls `listener` with each new mail. Returns a function that removes the listener. */
  onMail(listener: (mail: Mail) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  forgetAll(): void {
    this.#mails = [];
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.server.once('error', reject);
      this.#server.listen(this.#options.port ?? 0, this.#host, resolve);
    });
    return this;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    if (stream.sizeExceeded) throw Object.assign(new Error('message too large'), { responseCode: TOO_LARGE });
    const parsed = await PostalMime.parse(Buffer.concat(chunks));
    const mail: Mail = {
      id: ++this.#received,
      receivedAt: this.#options.now(),
      from: parsed.from?.address ?? '',
      to: session.envelope.rcptTo.map((recipient) => recipient.address.toLowerCase()),
      subject: parsed.subject ?? '',
      text: parsed.text ?? '',
      html: parsed.html ?? '',
    };
    this.#mails = [mail, ...this.#mails].slice(0, this.#options.keep ?? 200);
    for (const listener of this.#listeners) listener(mail);
  }
}
