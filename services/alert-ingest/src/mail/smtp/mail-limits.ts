import type { Rate } from '@tocsin/core';

/** A mail has at most this many bytes (P10), files as they are encoded in it. */
export const MAX_MAIL_BYTES = 10 * 1024 * 1024;

/**
 * The limits of a listener; times in milliseconds. A sender is an IPv4 address or the /64 network of an IPv6 address. Each sender
 * has a share of each limit in all.
 */
export interface MailLimits {
  readonly recipients: number;
  readonly connections: number;
  readonly connectionsPerSender: number;
  /** How long a connection may last, idle or not. */
  readonly connectionMs: number;
  /** Senders and recipients that a connection names without a mail before it is ended. */
  readonly commandsPerMail: number;
  /** Addresses refused on one connection before it is ended. */
  readonly refusedRecipients: number;
  /** Mails to one address: of all senders together, and of one of them. */
  readonly perAddress: Rate;
  readonly perAddressAndSender: Rate;
  /** Mails of one sender to all addresses. */
  readonly perSender: Rate;
  /** Unknown addresses that one sender names. */
  readonly unknownPerSender: Rate;
  /** Mails of one sender that a reader gives up: each keeps a reader from all others for seconds. */
  readonly costlyPerSender: Rate;
  /** Of all mails that are coming in together, and of those of one sender. */
  readonly heldBytes: number;
  readonly heldBytesPerSender: number;
  readonly idleMs: number;
  /** From DATA until the last byte of a mail. */
  readonly transferMs: number;
  /** How long a stop waits for mails under way. */
  readonly drainMs: number;
}

export const MAIL_LIMITS: MailLimits = {
  recipients: 50,
  connections: 500,
  connectionsPerSender: 25,
  connectionMs: 600_000,
  commandsPerMail: 200,
  refusedRecipients: 5,
  heldBytes: 64 * 1024 * 1024,
  heldBytesPerSender: 16 * 1024 * 1024,
  perAddress: { burst: 1_200, perSecond: 40 },
  perAddressAndSender: { burst: 300, perSecond: 10 },
  perSender: { burst: 600, perSecond: 20 },
  unknownPerSender: { burst: 60, perSecond: 0.1 },
  costlyPerSender: { burst: 3, perSecond: 1 / 60 },
  idleMs: 60_000,
  transferMs: 120_000,
  drainMs: 15_000,
};
