import { ContactMethod } from '@tocsin/contracts';
import type { mongo } from 'mongoose';
import { TURNS } from './documents.ts';
import { BUNDLED_WITHIN_MS, type RecentMessage } from '../domain/next-message.ts';

/**
 * The turn of one person and method, or of one integration. The row stays when nothing waits; then it only says that there was a
 * message once.
 */
export interface TurnDocument {
  readonly _id: string;
  /** When something is due next; null while nothing waits. After a turn never before its end, so that turns go round. */
  readonly nextAt: Date | null;
  /** By MongoDB's clock; null while nobody holds the turn. */
  readonly leaseUntil: Date | null;
  readonly token: string | null;
  /** Counts the messages that came to wait: whoever ends the turn meanwhile collides, and sees them. */
  readonly calls: number;
  /** The messages with pages that were begun within the last minute, where such are bundled. */
  readonly recent?: readonly RecentMessage[];
  /** Until when what is due is held, to be bundled (U8). */
  readonly heldUntil?: Date | null;
}

/** Matches the turns of methods that this release knows, without those in `except`. Turns of integrations have no method. */
export function ofKnownMethods(
  collection: string,
  except: readonly ContactMethod[] = [],
): { readonly _id?: { readonly $regex: string } } {
  if (collection !== TURNS) return {};
  const methods = ContactMethod.options.filter((method) => !except.includes(method));
  return { _id: { $regex: `^(${methods.join('|')}):` } };
}

/** Matches a date, and not null. */
export const ANY_DATE = { $gt: new Date(0) };

/** More than any limit counts. */
const MOST_RECENT = 200;

const orNull = (field: string): mongo.Document => ({ $ifNull: [field, null] });

/** The fields of a turn in which somebody waits from `nextAt` on, or from earlier, if somebody did already. */
export const called = (nextAt: Date): mongo.Document => ({
  nextAt: { $min: ['$nextAt', nextAt] },
  leaseUntil: orNull('$leaseUntil'),
  token: orNull('$token'),
  calls: { $add: [{ $ifNull: ['$calls', 0] }, 1] },
});

/** The fields of a turn in which `message` is begun: it is remembered with those of the minute before it, and nothing is held. */
export function remembered(message: RecentMessage | undefined): mongo.Document {
  if (message === undefined) return {};
  const since = new Date(message.at.getTime() - BUNDLED_WITHIN_MS);
  const lately = { $filter: { input: { $ifNull: ['$recent', []] }, cond: { $gt: ['$$this.at', since] } } };
  // A contact may look like an expression.
  const all = { $concatArrays: [lately, [{ $literal: message }]] };
  return { heldUntil: null, recent: { $slice: [all, -MOST_RECENT] } };
}
