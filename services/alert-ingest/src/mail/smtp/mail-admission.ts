import { domainToUnicode } from 'node:url';
import { type Rate, TokenBuckets } from '@tocsin/core';
import { addressHolder } from '@tocsin/http';
import type { SMTPServerSession } from 'smtp-server';
import type { InboundMail } from '../operations.ts';
import type { MailLimits } from './mail-limits.ts';
import { SmtpRefusal } from './smtp-refusal.ts';

/** Names that are remembered of each rate. */
const MAX_NAMES = 10_000;

interface Receiver {
  readonly inboundMail: Pick<InboundMail, 'takes'>;
  /** The domain of every address. */
  readonly domain: string;
}

type Session = Pick<SMTPServerSession, 'id' | 'remoteAddress'>;

/** The commands of a connection. */
interface CommandCounts {
  /** Senders and recipients since its last mail. */
  sinceMail: number;
  refusedRecipients: number;
}

/**
 * Decides who may send a mail, how often, and to which addresses. A sender is an IPv4 address or the /64 network of an IPv6
 * address. No sender takes more than a share of a rate.
 */
export class MailAdmission {
  readonly #inboundMail: Pick<InboundMail, 'takes'>;
  readonly #domain: string;
  readonly #perAddress: TokenBuckets;
  readonly #perAddressAndSender: TokenBuckets;
  readonly #perSender: TokenBuckets;
  readonly #unknownPerSender: TokenBuckets;
  /** Counts the mails that a reader gave up. */
  readonly #costlyPerSender: TokenBuckets;
  readonly #limits: MailLimits;
  readonly #asked = new Map<string, CommandCounts>();

  constructor({ domain, inboundMail }: Receiver, limits: MailLimits) {
    this.#inboundMail = inboundMail;
    this.#domain = domainToUnicode(domain);
    this.#perAddress = bucketsOf(limits.perAddress);
    this.#perAddressAndSender = bucketsOf(limits.perAddressAndSender);
    this.#perSender = bucketsOf(limits.perSender);
    this.#unknownPerSender = bucketsOf(limits.unknownPerSender);
    this.#costlyPerSender = bucketsOf(limits.costlyPerSender);
    this.#limits = limits;
  }

  /** Forgets a connection. */
  leave({ id }: Session): void {
    this.#asked.delete(id);
  }

  refusalOfSender(session: Session): SmtpRefusal | undefined {
    const holder = addressHolder(session.remoteAddress);
    if (this.#asksTooMuch(session)) return tooManyCommands();
    if (!this.#costlyPerSender.hasToken(holder)) return tooCostly();
    return this.#perSender.take(holder) === 0 ? undefined : new SmtpRefusal(451, 'Too many mails from you, try later');
  }

  /**
   * Takes nothing from the rates of an address; only a mail does. A sender who named too many unknown addresses gets the same
   * answer for every address, so that the answers do not reveal which addresses exist.
   */
  async refusalOfRecipient(address: string, session: Session): Promise<SmtpRefusal | undefined> {
    const holder = addressHolder(session.remoteAddress);
    if (this.#asksTooMuch(session)) return tooManyCommands();
    if (!this.#unknownPerSender.hasToken(holder))
      return new SmtpRefusal(451, 'Too many addresses that are not here, try later');
    const { username, domain } = addressParts(address);
    if (domain === this.#domain && (await this.#inboundMail.takes(username)))
      return this.#takesMail(username, holder) ? undefined : tooManyToAddress();
    this.#unknownPerSender.take(holder);
    const asked = this.#askedBy(session);
    asked.refusedRecipients += 1;
    if (asked.refusedRecipients > this.#limits.refusedRecipients)
      return new SmtpRefusal(421, 'Too many addresses that are not here');
    return new SmtpRefusal(550, domain === this.#domain ? 'There is no such mailbox here' : 'Mail is not relayed');
  }

  /**
   * Counts a mail that has arrived, for the part before the `@` of each of its addresses.
   *
   * @throws SmtpRefusal if an address takes no further mail now; then nothing counts.
   */
  countMail(usernames: readonly string[], session: Session): void {
    const holder = addressHolder(session.remoteAddress);
    this.#askedBy(session).sinceMail = 0;
    if (!usernames.every((username) => this.#takesMail(username, holder))) throw tooManyToAddress();
    for (const username of usernames) {
      this.#perAddress.take(username.toLowerCase());
      this.#perAddressAndSender.take(`${username.toLowerCase()} ${holder}`);
    }
  }

  /** @throws SmtpRefusal where mails from there have kept the readers for too long. */
  checkReading({ remoteAddress }: Session): void {
    if (!this.#costlyPerSender.hasToken(addressHolder(remoteAddress))) throw tooCostly();
  }

  /** A reader gave up a mail from there. */
  noteGivenUp({ remoteAddress }: Session): void {
    this.#costlyPerSender.take(addressHolder(remoteAddress));
  }

  #takesMail(username: string, holder: string): boolean {
    const name = username.toLowerCase();
    return this.#perAddress.hasToken(name) && this.#perAddressAndSender.hasToken(`${name} ${holder}`);
  }

  #asksTooMuch(session: Session): boolean {
    const asked = this.#askedBy(session);
    asked.sinceMail += 1;
    return asked.sinceMail > this.#limits.commandsPerMail;
  }

  #askedBy({ id }: Session): CommandCounts {
    const asked = this.#asked.get(id) ?? { sinceMail: 0, refusedRecipients: 0 };
    this.#asked.set(id, asked);
    return asked;
  }
}

const tooCostly = (): SmtpRefusal =>
  new SmtpRefusal(451, 'Too many mails from you that take too long to read, try later');
const tooManyToAddress = (): SmtpRefusal => new SmtpRefusal(451, 'Too many mails to this address, try later');
const tooManyCommands = (): SmtpRefusal => new SmtpRefusal(421, 'Too many commands without a mail');

/** The part before the last `@` of an address, and the domain in lower case. */
export function addressParts(address: string): { readonly username: string; readonly domain: string } {
  const at = address.lastIndexOf('@');
  return { username: address.slice(0, at), domain: address.slice(at + 1).toLowerCase() };
}

/** Buckets of names, in real time. */
const bucketsOf = (rate: Rate): TokenBuckets => new TokenBuckets(rate, MAX_NAMES);
