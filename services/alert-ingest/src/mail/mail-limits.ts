import type { Rate } from '@tocsin/http';

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
  readonly costlyPerSender: Rate;
  /** Of all mails that are coming in together. */
  readonly heldBytes: number;
  readonly idleMs: number;
  /** From DATA until the last byte of a mail. */
  readonly transferMs: number;
  /** How long a stop waits for mails under way. */
  readonly drainMs: number;
}

export const MAIL_LIMITS: MailLimits = {
  recipients: 50,
  connections: 100,
  connectionsPerSender: 25,
  refusedRecipients: 5,
  heldBytes: 64 * 1024 * 1024,
  perAddress: { burst: 300, perSecond: 10 },
  perSender: { burst: 600, perSecond: 20 },
  unknownPerSender: { burst: 60, perSecond: 0.1 },
  costlyPerSender: { burst: 3, perSecond: 1 / 60 },
  idleMs: 60_000,
  transferMs: 300_000,
  drainMs: 15_000,
};
