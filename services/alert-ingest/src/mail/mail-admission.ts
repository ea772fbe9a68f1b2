import { domainToUnicode } from 'node:url';
import type { SMTPServerSession } from 'smtp-server';
import type { InboundMail } from '../application/inbound-mail.ts';
import type { MailLimits } from './mail-limits.ts';
import { MailRates } from './mail-rates.ts';
import { SmtpRefusal } from './smtp-refusal.ts';

interface Receiver {
  readonly inboundMail: Pick<InboundMail, 'takes'>;
  /** What stands after the `@` of every address. */
  readonly domain: string;
}

/** Says who may send a mail, how often, and to which addresses. */
export class MailAdmission {
  readonly #inboundMail: Pick<InboundMail, 'takes'>;
  readonly #domain: string;
  readonly #perAddress: MailRates;
  readonly #perSender: MailRates;
  readonly #unknownPerSender: MailRates;
  /** Counts the mails that a reader gave up. */
  readonly #costlyPerSender: MailRates;
  readonly #limits: MailLimits;
  /** The connections of each IP, by their ids. */
  readonly #connections = new Map<string, Set<string>>();
  readonly #refused = new WeakMap<SMTPServerSession, number>();

  constructor({ domain, inboundMail }: Receiver, limits: MailLimits) {
    this.#inboundMail = inboundMail;
    this.#domain = domainToUnicode(domain);
    this.#perAddress = new MailRates(limits.perAddress);
    this.#perSender = new MailRates(limits.perSender);
    this.#unknownPerSender = new MailRates(limits.unknownPerSender);
    this.#costlyPerSender = new MailRates(limits.costlyPerSender);
    this.#limits = limits;
  }

  /** Why a connection is refused; undefined where it is not: then it counts until it has left. */
  enter({ id, remoteAddress }: SMTPServerSession): SmtpRefusal | undefined {
    const open = this.#connections.get(remoteAddress) ?? new Set<string>();
    if (open.size >= this.#limits.connectionsPerSender) return new SmtpRefusal(421, 'Too many connections from you');
    this.#connections.set(remoteAddress, open.add(id));
    return undefined;
  }

  leave({ id, remoteAddress }: SMTPServerSession): void {
    const open = this.#connections.get(remoteAddress);
    open?.delete(id);
    if (open?.size === 0) this.#connections.delete(remoteAddress);
  }

  refusalOfSender({ remoteAddress }: SMTPServerSession): SmtpRefusal | undefined {
    if (!this.#costlyPerSender.hasRoom(remoteAddress)) return tooCostly();
    return this.#perSender.take(remoteAddress) ? undefined : new SmtpRefusal(451, 'Too many mails from you, try later');
  }

  /** A sender who guessed too often gets the same answer for every address, so that no answer tells which of them exists. */
  async refusalOfRecipient(address: string, session: SMTPServerSession): Promise<SmtpRefusal | undefined> {
    const { remoteAddress } = session;
    if (!this.#unknownPerSender.hasRoom(remoteAddress))
      return new SmtpRefusal(451, 'Too many addresses that are not here, try later');
    const { username, domain } = addressParts(address);
    if (domain === this.#domain && (await this.#inboundMail.takes(username)))
      return this.#perAddress.take(username.toLowerCase())
        ? undefined
        : new SmtpRefusal(451, 'Too many mails to this address, try later');
    this.#unknownPerSender.take(remoteAddress);
    const refused = (this.#refused.get(session) ?? 0) + 1;
    this.#refused.set(session, refused);
    if (refused > this.#limits.refusedRecipients) return new SmtpRefusal(421, 'Too many addresses that are not here');
    return new SmtpRefusal(550, domain === this.#domain ? 'There is no such mailbox here' : 'Mail is not relayed');
  }

  /** @throws SmtpRefusal where mails from there have kept the readers for too long. */
  checkReading(remoteAddress: string): void {
    if (!this.#costlyPerSender.hasRoom(remoteAddress)) throw tooCostly();
  }

  /** A reader gave up a mail from there. */
  noteGivenUp(remoteAddress: string): void {
    this.#costlyPerSender.take(remoteAddress);
  }
}

const tooCostly = (): SmtpRefusal =>
  new SmtpRefusal(451, 'Too many mails from you that take too long to read, try later');

/** What stands before the last `@` of an address, and its domain in lower case. */
export function addressParts(address: string): { readonly username: string; readonly domain: string } {
  const at = address.lastIndexOf('@');
  return { username: address.slice(0, at), domain: address.slice(at + 1).toLowerCase() };
}
