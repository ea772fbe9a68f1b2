import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { withTimeout } from '@tocsin/core';
import { addressHolder } from '@tocsin/http';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { InboundMail } from '../operations.ts';
import type { Mail } from '../mail.ts';
import { MailBuffer } from './mail-buffer.ts';
import { addressParts, MailAdmission } from './mail-admission.ts';
import { ConnectionAdmission } from './connection-admission.ts';
import { MAX_MAIL_BYTES, MAIL_LIMITS, type MailLimits } from './mail-limits.ts';
import { CostlyMailError, SlowMailError } from '../parser/mail-reader.ts';
import type { MailReaders } from '../parser/mail-readers.ts';
import { refusalOf, SmtpRefusal } from './smtp-refusal.ts';

/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export interface MailListenerOptions {
  readonly inboundMail: InboundMail;
  readonly reader: Pick<MailReaders, 'read'>;
  /** The domain of every address. */
  readonly domain: string;
  /** Addresses and ranges that mail is taken from; empty or absent if from all. */
  readonly allowedRanges?: readonly string[];
  /** STARTTLS is offered with one. */
  readonly certificate: Certificate | undefined;
  /** Called for each mail with whether it was accepted, or why not. Never with its content. */
  readonly onMail: (outcome: MailOutcome) => void;
  readonly limits?: Partial<MailLimits>;
}

export interface MailOutcome {
  readonly requestIds: readonly string[];
  readonly refusal: SmtpRefusal | undefined;
  readonly bytes: number;
  readonly remoteAddress: string;
}

/** The answer after DATA, so that the log of the sender's mail server names the request. */
const accepted = (requestIds: readonly string[]): string => `OK: accepted as ${requestIds.join(', ')}`;

/**
 * Takes mail for the addresses of Email integrations by SMTP (P10). A mail is answered 250 only when every command that it makes
 * is on Kafka; nothing is relayed, and there is no login.
 */
export class MailListener {
  readonly #options: MailListenerOptions;
  readonly #limits: MailLimits;
  readonly #server: SMTPServer;
  readonly #admission: MailAdmission;
  readonly #buffer: MailBuffer;
  readonly #underWay = new Set<Promise<unknown>>();
  #stopping = false;

  constructor(options: MailListenerOptions) {
    this.#options = options;
    this.#limits = { ...MAIL_LIMITS, ...options.limits };
    this.#admission = new MailAdmission(options, this.#limits);
    this.#buffer = new MailBuffer(this.#limits);
    const { allowedRanges = [] } = options;
    this.#server = guarded(this.#makeServer(), new ConnectionAdmission({ allowedRanges, limits: this.#limits }));
    // A connection that breaks is its sender's trouble, who repeats what was not answered.
    this.#server.on('error', () => undefined);
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  get listening(): boolean {
    return this.#server.server.listening;
  }

  /** How many mails are under way. */
  get underWay(): number {
    return this.#underWay.size;
  }

  /** @throws Error when the port is taken. */
  async start(port: number, host: string): Promise<this> {
    const listening = once(this.#server.server, 'listening');
    this.#server.listen(port, host);
    await listening;
    return this;
  }

  /** Takes no further mail, answers those under way, and ends the connections. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#server.server.close();
    await withTimeout(Promise.allSettled(this.#underWay), this.#limits.drainMs, () => undefined);
    await new Promise<void>((resolve) => {
      this.#server.close(resolve);
    });
  }

  #makeServer(): SMTPServer {
    const { certificate, domain } = this.#options;
    const { idleMs, recipients } = this.#limits;
    return new SMTPServer({
      ...certificate,
      name: domain,
      logger: false,
      disabledCommands: ['AUTH', 'WIZ', 'SHELL', 'KILL', ...(certificate === undefined ? ['STARTTLS'] : [])],
      disableReverseLookup: true,
      size: MAX_MAIL_BYTES,
      rejectOversized: true,
      maxRecipients: recipients,
      socketTimeout: idleMs,
      // Clients that are connected at the stop get an answer at once; what was under way has been answered by then.
      closeTimeout: 1,
      onClose: (session) => {
        this.#admission.leave(session);
      },
      onMailFrom: (_, session, answer) => {
        answer(this.#stopping ? new SmtpRefusal(421, 'Stopping, try again') : this.#admission.refusalOfSender(session));
      },
      onRcptTo: ({ address }, session, answer) => {
        this.#admission.refusalOfRecipient(address, session).then(answer, (error: unknown) => {
          answer(refusalOf(error));
        });
      },
      onData: (stream, session, answer) => {
        void this.#take(stream, session).then(({ requestIds, refusal }) => {
          if (refusal === undefined) answer(undefined, accepted(requestIds));
          else answer(refusal);
        });
      },
    });
  }

  /** Never rejects: every mail has an answer. */
  async #take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<MailOutcome> {
    const taking = this.#requestsOf(stream, session).then(
      (requestIds) => ({ requestIds, refusal: undefined }),
      (error: unknown) => ({ requestIds: [], refusal: refusalOf(error) }),
    );
    this.#underWay.add(taking);
    const { remoteAddress } = session;
    const outcome = { ...(await taking), bytes: stream.byteLength, remoteAddress };
    this.#underWay.delete(taking);
    this.#options.onMail(outcome);
    return outcome;
  }

  async #requestsOf(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<readonly string[]> {
    const { mailFrom, rcptTo } = session.envelope;
    const holder = addressHolder(session.remoteAddress);
    const usernames = rcptTo.map(({ address }) => addressParts(address).username);
    const raw = await this.#buffer.receive(stream, holder);
    try {
      this.#admission.countMail(usernames, session);
      return await this.#options.inboundMail.take(await this.#read(raw, session), {
        usernames,
        sender: mailFrom === false ? '' : mailFrom.address,
        callerAddress: session.remoteAddress,
      });
    } finally {
      this.#buffer.release(raw.byteLength, holder);
    }
  }

  async #read(raw: Uint8Array, session: SMTPServerSession): Promise<Mail> {
    try {
      return await this.#options.reader.read(raw, addressHolder(session.remoteAddress), () => {
        this.#admission.checkReading(session);
      });
    } catch (error) {
      if (error instanceof CostlyMailError || error instanceof SlowMailError) this.#admission.noteGivenUp(session);
      throw error;
    }
  }
}

/** The server, which sees only the connections that `admission` admits. */
function guarded(server: SMTPServer, admission: ConnectionAdmission): SMTPServer {
  const [serve] = server.server.listeners('connection') as ((socket: Socket) => void)[];
  server.server.removeAllListeners('connection');
  server.server.on('connection', (socket: Socket) => {
    if (admission.admit(socket)) serve?.(socket);
  });
  return server;
}
