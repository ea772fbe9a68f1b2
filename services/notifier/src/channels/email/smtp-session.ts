import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MimeMail } from './mime.ts';

export type SmtpSessionOptions = NonNullable<ConstructorParameters<typeof SMTPConnection>[0]>;

export interface SmtpLogin {
  readonly user: string;
  readonly pass: string;
}

/** One connection to an SMTP server, for one mail after another. Whatever fails, `send` or `open`, ends it. */
export class SmtpSession {
  readonly #connection: SMTPConnection;
  #isOpen = true;
  #cause: Error | undefined;
  #body: Readable | undefined;
  #abandon: (error: Error) => void = () => undefined;

  /** `onEnd` is called once, when the connection is over. */
  constructor(options: SmtpSessionOptions, onEnd: () => void) {
    this.#connection = new SMTPConnection(options);
    this.#connection.on('error', (error: Error) => {
      this.#cause ??= error;
    });
    this.#connection.once('end', () => {
      this.#isOpen = false;
      onEnd();
      // The error of the connection about the mail has precedence.
      queueMicrotask(() => {
        this.#abandon(this.#cause ?? new Error('the connection was closed'));
      });
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Connects, by TLS where the options say so, and logs in where the server has logins. */
  async open(login: SmtpLogin | undefined): Promise<void> {
    await this.#answered((done) => {
      this.#connection.connect(done);
    });
    if (login === undefined || !this.#connection.allowsAuth) return;
    await this.#answered((done) => {
      this.#connection.login({ credentials: login }, done);
    });
  }

  /** Whether no byte of the last mail was sent: then it has certainly not arrived. */
  get hasSentNothing(): boolean {
    return this.#body?.readableDidRead !== true;
  }

  /** Hands one mail over, and resolves with the answer of the server. */
  async send({ bytes, envelope }: MimeMail): Promise<string> {
    const body = Readable.from([bytes], { objectMode: false });
    this.#body = body;
    const { response } = await this.#answered<{ response: string }>((done) => {
      this.#connection.send({ ...envelope }, body, done);
    });
    return response;
  }

  close(): void {
    this.#connection.close();
  }

  /** Resolves with the answer to `work`. @throws why the connection ended before it. */
  async #answered<T>(work: (done: (error?: Error | null, answer?: T) => void) => void): Promise<T> {
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#abandon = reject;
        work((error, answer) => {
          if (error === null || error === undefined) resolve(answer as T);
          else reject(error);
        });
      });
    } catch (error) {
      this.#connection.close();
      throw error;
    }
  }
}
