import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { domainToUnicode } from 'node:url';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { type Rate, Shares } from '@tocsin/http';
import type { InboundMail } from '../application/inbound-mail.ts';
import type { Mail } from '../domain/mail.ts';
import { MailBytes } from './mail-bytes.ts';
import { MailRates } from './mail-rates.ts';
import { DearMailError, SlowMailError } from './mail-reader.ts';
import type { MailReaders } from './mail-readers.ts';
import { MailSenders } from './mail-senders.ts';
import { refusalOf, SmtpRefusal } from './smtp-refusal.ts';

/** A mail has at most this many bytes (P10), files as they are encoded in it. */
export const LARGEST_MAIL_BYTES = 10 * 1024 * 1024;

/** What bounds a listener; times in milliseconds. */
export interface MailLimits {
  readonly recipients: number;
  readonly connections: number;
  /** Of these, from one IP: a stranger must not keep all of them. */
  readonly connectionsPerSender: number;
  /** Addresses refused on one connection before it is ended. */
  readonly refusedRecipients: number;
  /** Mails to one address, and mails from one IP. */
  readonly perAddress: Rate;
  readonly perSender: Rate;
  /** Addresses that are not here, from one IP. */
  readonly unknownPerSender: Rate;
  /** Mails from one IP that a reader gives up: each keeps a reader from everybody else for seconds. */
  readonly dearPerSender: Rate;
  /** Of all mails that are coming in together. */
  readonly heldBytes: number;
  readonly idleMs: number;
  /** From DATA until the last byte of a mail. */
  readonly transferMs: number;
  /** How long a stop waits for mails under way. */
  readonly drainMs: number;
}

const MAIL_LIMITS: MailLimits = {
  recipients: 50,
  connections: 100,
  connectionsPerSender: 25,
  refusedRecipients: 5,
  heldBytes: 64 * 1024 * 1024,
  perAddress: { burst: 300, perSecond: 10 },
  perSender: { burst: 600, perSecond: 20 },
  unknownPerSender: { burst: 60, perSecond: 0.1 },
  dearPerSender: { burst: 3, perSecond: 1 / 60 },
  idleMs: 60_000,
  transferMs: 300_000,
  drainMs: 15_000,
};

/** The memory for mails is shared by all senders, and none has a share of their own. */
const ANYBODY = '';

/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export interface MailListenerOptions {
  readonly inboundMail: InboundMail;
  readonly reader: Pick<MailReaders, 'read'>;
  /** What stands after the `@` of every address. */
  readonly domain: string;
  /** STARTTLS is offered with one. */
  readonly certificate: Certificate | undefined;
  /** Told of each mail: that it was taken, or why not. Never of what is in it. */
  readonly onMail: (outcome: MailOutcome) => void;
  readonly limits?: Partial<MailLimits>;
}

export interface MailOutcome {
  readonly requestIds: readonly string[];
  readonly refusal: SmtpRefusal | undefined;
  readonly bytes: number;
  readonly remoteAddress: string;
}

/** Answered after DATA, so that whoever looks into a mail log finds the request. */
const accepted = (requestIds: readonly string[]): string => `OK: accepted as ${requestIds.join(', ')}`;

/**
 * Takes mail for the addresses of Email integrations by SMTP (P10). A mail is answered 250 only when every command that it makes
 * is on Kafka; nothing is relayed, and nobody logs in.
 */
export class MailListener {
  readonly #options: MailListenerOptions;
  readonly #limits: MailLimits;
  readonly #server: SMTPServer;
  readonly #domain: string;
  readonly #held: Shares;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #perAddress: MailRates;
  readonly #perSender: MailRates;
  readonly #unknownPerSender: MailRates;
  readonly #senders: MailSenders;
  readonly #refused = new WeakMap<SMTPServerSession, number>();
  #stopping = false;

  constructor(options: MailListenerOptions) {
    this.#options = options;
    this.#limits = { ...MAIL_LIMITS, ...options.limits };
    this.#domain = domainToUnicode(options.domain);
    this.#held = new Shares({ inAll: this.#limits.heldBytes, each: this.#limits.heldBytes });
    this.#perAddress = new MailRates(this.#limits.perAddress);
    this.#perSender = new MailRates(this.#limits.perSender);
    this.#unknownPerSender = new MailRates(this.#limits.unknownPerSender);
    this.#senders = new MailSenders(this.#limits.connectionsPerSender, this.#limits.dearPerSender);
    this.#server = this.#makeServer();
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
    const patience = new AbortController();
    await Promise.race([
      Promise.allSettled(this.#underWay),
      pause(this.#limits.drainMs, undefined, { signal: patience.signal, ref: false }).catch(() => undefined),
    ]);
    patience.abort();
    await new Promise<void>((resolve) => {
      this.#server.close(resolve);
    });
  }

  #makeServer(): SMTPServer {
    const { certificate, domain } = this.#options;
    const { connections, idleMs, recipients } = this.#limits;
    return new SMTPServer({
      ...certificate,
      name: domain,
      logger: false,
      disabledCommands: ['AUTH', 'WIZ', 'SHELL', 'KILL', ...(certificate === undefined ? ['STARTTLS'] : [])],
      disableReverseLookup: true,
      size: LARGEST_MAIL_BYTES,
      rejectOversized: true,
      maxClients: connections,
      maxRecipients: recipients,
      socketTimeout: idleMs,
      // Those who are connected at the stop are told at once; what was under way has been answered by then.
      closeTimeout: 1,
      onConnect: (session, answer) => {
        answer(this.#senders.enter(session) ? undefined : new SmtpRefusal(421, 'Too many connections from you'));
      },
      onClose: (session) => {
        this.#senders.leave(session);
      },
      onMailFrom: (_, session, answer) => {
        answer(this.#refusalOfSender(session));
      },
      onRcptTo: ({ address }, session, answer) => {
        this.#refusalOfRecipient(address, session).then(answer, (error: unknown) => {
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

  #refusalOfSender({ remoteAddress }: SMTPServerSession): SmtpRefusal | undefined {
    if (this.#stopping) return new SmtpRefusal(421, 'Stopping, try again');
    if (!this.#senders.mayHaveRead(remoteAddress)) return tooDear();
    return this.#perSender.take(remoteAddress) ? undefined : new SmtpRefusal(451, 'Too many mails from you, try later');
  }

  /** Whoever has guessed too often is answered the same for every address, so that no answer tells which one is here. */
  async #refusalOfRecipient(address: string, session: SMTPServerSession): Promise<SmtpRefusal | undefined> {
    const { remoteAddress } = session;
    if (!this.#unknownPerSender.hasRoom(remoteAddress))
      return new SmtpRefusal(451, 'Too many addresses that are not here, try later');
    const { username, domain } = parts(address);
    if (domain === this.#domain && (await this.#options.inboundMail.takes(username)))
      return this.#perAddress.take(username.toLowerCase())
        ? undefined
        : new SmtpRefusal(451, 'Too many mails to this address, try later');
    this.#unknownPerSender.take(remoteAddress);
    const refused = (this.#refused.get(session) ?? 0) + 1;
    this.#refused.set(session, refused);
    if (refused > this.#limits.refusedRecipients) return new SmtpRefusal(421, 'Too many addresses that are not here');
    return new SmtpRefusal(550, domain === this.#domain ? 'There is no such mailbox here' : 'Mail is not relayed');
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
    const raw = await this.#received(stream);
    try {
      return await this.#options.inboundMail.take(await this.#read(raw, session.remoteAddress), {
        usernames: rcptTo.map(({ address }) => parts(address).username),
        sender: mailFrom === false ? '' : mailFrom.address,
        callerAddress: session.remoteAddress,
      });
    } finally {
      this.#held.giveBack(ANYBODY, raw.byteLength);
    }
  }

  async #read(raw: Uint8Array, remoteAddress: string): Promise<Mail> {
    try {
      return await this.#options.reader.read(raw, () => {
        if (!this.#senders.mayHaveRead(remoteAddress)) throw tooDear();
      });
    } catch (error) {
      if (error instanceof DearMailError || error instanceof SlowMailError) this.#senders.noteGivenUp(remoteAddress);
      throw error;
    }
  }

  /** Everything until the end of the mail; what is too large is read on without being kept, so that it can be answered. */
  async #received(stream: SMTPServerDataStream): Promise<Buffer> {
    const slow = setTimeout(() => {
      stream.destroy(new SmtpRefusal(421, 'The mail takes too long'));
    }, this.#limits.transferMs);
    let kept = new MailBytes();
    let refusal: SmtpRefusal | undefined;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        refusal ??= this.#refusalOfMore(stream, chunk);
        if (refusal === undefined) kept.add(chunk);
        else kept = this.#letGo(kept);
      }
      if (refusal !== undefined) throw refusal;
      return kept.whole();
    } catch (error) {
      this.#letGo(kept);
      if (error instanceof SmtpRefusal) throw error;
      throw new SmtpRefusal(421, 'The connection ended within the mail', { cause: error });
    } finally {
      clearTimeout(slow);
    }
  }

  /** What was kept is not held any more; nothing is in its place. */
  #letGo({ size }: MailBytes): MailBytes {
    this.#held.giveBack(ANYBODY, size);
    return new MailBytes();
  }

  #refusalOfMore({ sizeExceeded }: SMTPServerDataStream, { byteLength }: Buffer): SmtpRefusal | undefined {
    if (sizeExceeded) return new SmtpRefusal(552, `A mail can have at most ${LARGEST_MAIL_BYTES} bytes`);
    return this.#held.take(ANYBODY, byteLength) === 'taken'
      ? undefined
      : new SmtpRefusal(452, 'Too much mail at once, try again');
  }
}

const tooDear = (): SmtpRefusal =>
  new SmtpRefusal(451, 'Too many mails from you that take too long to read, try later');

function parts(address: string): { readonly username: string; readonly domain: string } {
  const at = address.lastIndexOf('@');
  return { username: address.slice(0, at), domain: address.slice(at + 1).toLowerCase() };
}
