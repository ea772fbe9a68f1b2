import { dueIndex, type IndexPlan } from '@tocsin/persistence';
import type { ReplyCode } from '../domain/reply.ts';
import type { AlertStanding } from '../domain/wanted.ts';

export const NOTICES = 'notices';
export const DELIVERIES = 'deliveries';
export const STANDINGS = 'alert_standings';
export const TURNS = 'turns';
export const ACTS = 'acts';
export const REPLY_CODES = 'reply_codes';

/** One notice that was taken: by its id the notice is known again. */
export interface NoticeDocument {
  readonly _id: string;
  readonly userId: string;
  readonly at: Date;
}

/** What somebody did to an alert by an answer to a message: by its request id an answer that is given again is known. */
export interface ActDocument {
  readonly _id: string;
  readonly action: string;
  readonly alertId: string;
  readonly userId: string;
  readonly at: Date;
}

/** What a code stands for that was given to a number; its id is `<digits of the number>:<code>`. */
export type ReplyCodeDocument = ReplyCode & { readonly _id: string };

export type StandingDocument = Omit<AlertStanding, 'alertId'> & {
  readonly _id: string;
  /** When its newest event was accepted. */
  readonly changedAt: Date;
};

/** Keys of the index by which the oldest delivery of each turn is found. */
export const BY_TURN_AND_TIME = { turn: 1, nextAt: 1 } as const;

/** Deliveries to which something more will happen. */
const waiting = { partialFilterExpression: { turn: { $exists: true } } };

export const notifierIndexes: readonly IndexPlan[] = [
  {
    collection: TURNS,
    keys: { leaseUntil: 1, nextAt: 1 },
    serves: 'claims (free turns of which something is due, who waits longest first) and the end of leases that passed',
  },
  {
    collection: DELIVERIES,
    keys: { turn: 1, rank: 1, nextAt: 1, _id: 1 },
    options: waiting,
    serves: 'what a person is told next',
  },
  {
    collection: DELIVERIES,
    keys: BY_TURN_AND_TIME,
    options: waiting,
    serves: 'when a person is told next; the audit: what is due of every person',
  },
  {
    collection: DELIVERIES,
    keys: { 'page.alertId': 1 },
    serves: 'what became of the pages and messages about one alert',
  },
  {
    collection: DELIVERIES,
    keys: { endedAt: 1 },
    options: { partialFilterExpression: { endedAt: { $exists: true } } },
    serves: 'the removal of messages that came to their end long ago',
  },
  {
    collection: DELIVERIES,
    keys: { keptUntil: 1 },
    options: { partialFilterExpression: { keptUntil: { $exists: true } } },
    serves: 'the removal of content that was kept for the case that a receipt says that its message failed',
  },
  {
    collection: DELIVERIES,
    keys: { 'bundle.id': 1 },
    options: { partialFilterExpression: { 'bundle.id': { $exists: true } } },
    serves: 'receipts of messages with several pages',
  },
  dueIndex(DELIVERIES),
  { collection: NOTICES, keys: { at: 1 }, serves: 'the removal of notices that were seen long ago' },
  { collection: ACTS, keys: { at: 1 }, serves: 'the removal of answers that were taken long ago' },
  { collection: REPLY_CODES, keys: { expiresAt: 1 }, serves: 'the removal of codes that expired long ago' },
  {
    collection: STANDINGS,
    keys: { status: 1, changedAt: 1 },
    serves: 'the removal of the standing of alerts that were closed or deleted long ago',
  },
];
