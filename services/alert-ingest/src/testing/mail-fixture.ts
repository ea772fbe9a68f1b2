import { connect, type Socket } from 'node:net';
import { AlertCommands, type AlertCommand } from '@tocsin/events';
import { requestIdAt } from '@tocsin/http';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { InboundMail } from '../mail/operations.ts';
import type { MailAttachment } from '../mail/mail.ts';
import { MailListener, type MailListenerOptions, type MailOutcome } from '../mail/smtp/mail-listener.ts';
import { MailReaders } from '../mail/parser/mail-readers.ts';
import { openService, type TestService } from './app-fixture.ts';

/** Keeps files in memory under the ids 1, 2 and so on, but no file with the name `large`. */
class MemoryAttachmentStore {
  readonly stored: MailAttachment[] = [];
  #refusal: Error | undefined;

  refuseWith(error: Error | undefined): void {
    this.#refusal = error;
  }

  store(attachment: MailAttachment): Promise<string | undefined> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    if (attachment.name === 'large') return Promise.resolve(undefined);
    return Promise.resolve(String(this.stored.push(attachment)));
  }
}

/** The answers to one mail: the last one, and whom it was not taken for. */
interface Answered {
  readonly response: string;
  readonly rejected: readonly string[];
}

/** The mail side of the service on doubles of everything but SMTP, with the mailbox `ops@alerts.example.com`. */
export interface TestMailService extends TestService {
  readonly attachments: MemoryAttachmentStore;
  readonly listener: MailListener;
  readonly outcomes: readonly MailOutcome[];
  /** The integration of each mail that was taken. */
  readonly taken: readonly string[];
  /** The id of the integration that has the mailbox. */
  readonly integrationId: string;
  /** The commands that came of mails, in their order. */
  commands(): readonly AlertCommand[];
  /** Sends a mail to the mailbox, or as `mail` says; rejects with what the listener refused. */
  send(mail?: SendMailOptions, options?: object): Promise<Answered>;
  /** A connection from the address `from` whose client writes what a test wants. */
  dial(from?: string): Promise<Dialogue>;
  stop(): Promise<void>;
}

export const MAILBOX = 'ops@alerts.example.com';

/** For all tests of a file: their processes end with them. On a loaded machine a mail takes longer than it may in an installation. */
const READER = new MailReaders({ timeMs: 200_000 });

const running = new Set<TestMailService>();

/** Stops what a test has left. */
export async function stopMail(): Promise<void> {
  for (const mail of running) await mail.stop();
  running.clear();
}

/** Starts a listener on a free port. */
export async function openMailService(options: Partial<MailListenerOptions> = {}): Promise<TestMailService> {
  const service = await openService();
  const { status, body } = await service.call('post', '/v2/integrations', {
    type: 'Email',
    name: 'Mail',
    emailUsername: 'Ops',
  });
  if (status !== 201) throw new Error(`The mailbox was answered ${status}.`);
  const attachments = new MemoryAttachmentStore();
  const outcomes: MailOutcome[] = [];
  const taken: string[] = [];
  const listener = await new MailListener({
    inboundMail: new InboundMail({
      findMailbox: (username) => service.store.findMailbox(username),
      storeAttachment: (file) => attachments.store(file),
      writes: service.alertWrites,
      newRequestId: () => requestIdAt(new Date()),
      onTaken: (id) => taken.push(id),
    }),
    reader: READER,
    domain: 'alerts.example.com',
    certificate: undefined,
    onMail: (outcome) => outcomes.push(outcome),
    ...options,
  }).start(0, '127.0.0.1');
  const { port } = listener;
  const mail: TestMailService = {
    ...service,
    attachments,
    listener,
    outcomes,
    taken,
    integrationId: (body as { data: { id: string } }).data.id,
    commands: () =>
      service.publisher.published
        .filter(({ topic }) => topic === AlertCommands.name)
        .map(({ message }) => message as AlertCommand),
    send: (content = {}, more = {}) => send(port, content, more),
    dial: (from = '127.0.0.1') => Dialogue.begin(port, from),
    stop: () => listener.stop(),
  };
  running.add(mail);
  return mail;
}

async function send(port: number, mail: SendMailOptions, more: object): Promise<Answered> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, ...more });
  try {
    const { response, rejected } = await transport.sendMail({
      from: 'Ada <ada@example.com>',
      to: MAILBOX,
      subject: 'Disk full',
      text: 'on db-1',
      ...mail,
    });
    return { response, rejected };
  } finally {
    transport.close();
  }
}

/** One connection, word by word. */
class Dialogue {
  readonly #socket: Socket;
  #read = '';
  #over = false;
  #changed = (): void => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket.setEncoding('latin1').setNoDelay();
    socket.on('data', (text: string) => {
      this.#read += text;
      this.#changed();
    });
    socket.on('error', () => undefined);
    for (const end of ['end', 'close'])
      socket.on(end, () => {
        this.#over = true;
        this.#changed();
      });
  }

  /** The first answer. */
  greeting = '';

  static async begin(port: number, localAddress: string): Promise<Dialogue> {
    const dialogue = new Dialogue(connect({ port, host: '127.0.0.1', localAddress }));
    dialogue.greeting = await dialogue.answer();
    return dialogue;
  }

  /** Sends a line, and resolves with its answer. */
  ask(line: string | Buffer): Promise<string> {
    this.say(line);
    return this.answer();
  }

  say(line: string | Buffer): void {
    this.#socket.write(Buffer.concat([typeof line === 'string' ? Buffer.from(line) : line, Buffer.from('\r\n')]));
  }

  /** The next answer, all of its lines; what was said before the end where the connection ends. */
  async answer(): Promise<string> {
    const whole = /^(?:\d{3}-[^\n]*\n)*\d{3} [^\n]*\n/;
    while (!whole.test(this.#read) && !this.#over)
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    const [answer = this.#read] = whole.exec(this.#read) ?? [];
    this.#read = this.#read.slice(answer.length);
    return answer.trimEnd();
  }

  /** Greets and names sender and mailbox; the mail itself comes next. */
  async envelope(): Promise<void> {
    await this.ask('EHLO client.example.com');
    await this.ask('MAIL FROM:<ada@example.com>');
    await this.ask(`RCPT TO:<${MAILBOX}>`);
    await this.ask('DATA');
  }

  /** Goes away without a word. */
  leave(): void {
    this.#socket.destroy();
  }
}
