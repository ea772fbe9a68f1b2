import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { numbersOf } from './ingest-alerts.ts';

const END_OF_MAIL = '\r\n.\r\n';
const ANSWERS: Readonly<Record<string, string>> = { DATA: '354 go on', QUIT: '221 bye' };

/** An SMTP server on 127.0.0.1 that takes every mail, costs next to nothing, and knows when the mail of which alert came. */
export class PagesMailbox {
  readonly #server: Server;
  #arrivals = new Map<number, number>();
  #mails = 0;
  #mentions = 0;
  #onMail: () => void = () => undefined;

  private constructor() {
    this.#server = createServer((socket) => {
      this.#converse(socket);
    });
  }

  static async start(): Promise<PagesMailbox> {
    const mailbox = new PagesMailbox();
    await new Promise<void>((resolve) => mailbox.#server.listen(0, '127.0.0.1', resolve));
    return mailbox;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of each alert of which a mail came -> when its first one did, by `performance.now()`. */
  get arrivals(): ReadonlyMap<number, number> {
    return this.#arrivals;
  }

  /** Repeats included. */
  get mails(): number {
    return this.#mails;
  }

  /** How often mails named an alert: a mail that bundles several names each. */
  get mentions(): number {
    return this.#mentions;
  }

  /** Calls `listener` after each mail. */
  onMail(listener: () => void): void {
    this.#onMail = listener;
  }

  /** Forgets what came until now. */
  clear(): void {
    this.#arrivals = new Map();
    this.#mails = 0;
    this.#mentions = 0;
  }

  stop(): void {
    this.#server.close();
  }

  #converse(socket: Socket): void {
    let said = '';
    let isMail = false;
    socket.setNoDelay().on('error', () => socket.destroy());
    socket.write('220 ready\r\n');
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1');
      const end = isMail ? END_OF_MAIL : '\r\n';
      if (!said.endsWith(end)) return;
      const whole = said;
      said = '';
      if (isMail) this.#take(whole);
      const answer = isMail ? '250 taken' : (ANSWERS[whole.slice(0, 4).toUpperCase()] ?? '250 ok');
      isMail = answer.startsWith('354');
      socket.write(`${answer}\r\n`);
    });
  }

  #take(mail: string): void {
    this.#mails += 1;
    for (const number of numbersOf(mail)) {
      this.#mentions += 1;
      if (!this.#arrivals.has(number)) this.#arrivals.set(number, performance.now());
    }
    this.#onMail();
  }
}
