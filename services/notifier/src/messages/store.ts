import {
  ACTS,
  BY_QUEUE_AND_TIME,
  CHAT_DIGESTS,
  CHAT_POSTS,
  DELIVERIES,
  EARLY_RETRIES,
  NOTICES,
  PROVIDER_PAUSES,
  RECIPIENT_QUEUES,
  REPLY_CODES,
} from './delivery-document.ts';
import type { mongo } from 'mongoose';
import { collectionOf, type Connection, dueIndex, type IndexPlan } from '@tocsin/mongo';

/** Deliveries that are not final. */
const waiting = { partialFilterExpression: { queue: { $exists: true } } };

export const notifierIndexes: readonly IndexPlan[] = [
  {
    collection: RECIPIENT_QUEUES,
    keys: { leaseUntil: 1, nextAt: 1 },
    serves: 'claims (due queues without a lease, the longest due first), and expired leases',
  },
  {
    collection: DELIVERIES,
    keys: { queue: 1, rank: 1, nextAt: 1, _id: 1 },
    options: waiting,
    serves: 'the next message of a queue',
  },
  {
    collection: DELIVERIES,
    keys: BY_QUEUE_AND_TIME,
    options: waiting,
    serves: 'when a queue is due next; the due messages of each queue, for the audit',
  },
  {
    collection: DELIVERIES,
    keys: { 'page.alertId': 1, 'page.userId': 1, 'page.alertVersion': 1 },
    options: { partialFilterExpression: { 'page.alertVersion': { $exists: true } } },
    serves: 'the messages with content of an alert, or of an alert and user, that a cancel or an erase ends',
  },
  {
    collection: DELIVERIES,
    keys: { 'next.page.alertId': 1, 'next.page.userId': 1, 'next.page.alertVersion': 1 },
    options: { partialFilterExpression: { 'next.page.alertVersion': { $exists: true } } },
    serves: 'the repetitions of an alert, or of an alert and user, that a cancel or an erase ends',
  },
  {
    collection: DELIVERIES,
    keys: { endedAt: 1 },
    options: { partialFilterExpression: { endedAt: { $exists: true } } },
    serves: 'the removal of messages that ended long ago',
  },
  {
    collection: DELIVERIES,
    keys: { keptUntil: 1 },
    options: { partialFilterExpression: { keptUntil: { $exists: true } } },
    serves: 'the removal of content that was kept for receipts',
  },
  {
    collection: DELIVERIES,
    keys: { 'bundle.id': 1 },
    options: { partialFilterExpression: { 'bundle.id': { $exists: true } } },
    serves: 'receipts of messages with several pages',
  },
  {
    collection: DELIVERIES,
    keys: { 'webhook.alertId': 1, 'webhook.integrationId': 1, 'webhook.version': 1, _id: 1 },
    options: { partialFilterExpression: { 'webhook.alert': { $exists: true } } },
    serves: 'which call of a webhook about an alert is next, and the waiting calls about an alert that is deleted',
  },
  {
    collection: DELIVERIES,
    keys: { 'webhook.integrationId': 1, state: 1, endedAt: 1 },
    options: {
      partialFilterExpression: { 'webhook.integrationId': { $exists: true }, endedAt: { $exists: true } },
    },
    serves: 'the last call of a webhook that was accepted, and the last one that failed',
  },
  {
    collection: DELIVERIES,
    keys: { 'page.alertId': 1, 'page.userId': 1, endedAt: 1 },
    options: { partialFilterExpression: { method: 'mobile', endedAt: { $exists: true } } },
    serves: 'the page that a status update replaces on a device',
  },
  {
    collection: DELIVERIES,
    keys: { to: 1, reason: 1 },
    options: { partialFilterExpression: { method: 'mobile', state: 'sent' } },
    serves: 'the page below which a user pressed a button in Telegram',
  },
  {
    collection: DELIVERIES,
    keys: EARLY_RETRIES,
    options: { partialFilterExpression: { earlyRetry: 'allowed', state: 'waiting' } },
    serves: 'the messages that may be tried early once their provider accepts another one, the most urgent first',
  },
  dueIndex(DELIVERIES),
  { collection: NOTICES, keys: { at: 1 }, serves: 'the removal of old notices' },
  { collection: ACTS, keys: { at: 1 }, serves: 'the removal of old answers' },
  { collection: REPLY_CODES, keys: { expiresAt: 1 }, serves: 'the removal of codes that expired long ago' },
  { collection: CHAT_POSTS, keys: { at: 1 }, serves: 'the removal of posts whose alerts have had no event for long' },
  {
    collection: CHAT_POSTS,
    keys: { integrationId: 1, postedAt: 1 },
    options: { partialFilterExpression: { postedAt: { $exists: true } } },
    serves: 'how many posts a channel got within a minute',
  },
  {
    collection: CHAT_POSTS,
    keys: { 'line.digest': 1, _id: 1 },
    options: { partialFilterExpression: { 'line.digest': { $exists: true } } },
    serves: 'the lines of a digest',
  },
  {
    collection: CHAT_POSTS,
    keys: { 'reference.channel': 1, 'reference.post': 1 },
    options: { partialFilterExpression: { 'reference.post': { $exists: true } } },
    serves: 'the post below which a user pressed a button in Telegram',
  },
  { collection: CHAT_DIGESTS, keys: { integrationId: 1, at: 1 }, serves: 'the present digest of a channel' },
  {
    collection: CHAT_DIGESTS,
    keys: { changedAt: 1 },
    serves: 'the removal of digests whose alerts have had no event for long',
  },
  {
    collection: PROVIDER_PAUSES,
    keys: { until: 1 },
    serves: 'the pauses that go on, at the start, and the removal of old ones',
  },
];

/** The collections with rows that are kept for a time only. */
export const RETAINED_KINDS = ['deliveries', 'notices', 'acts', 'codes', 'posts', 'digests', 'pauses'] as const;
export type RetainedKind = (typeof RETAINED_KINDS)[number];

/** Most rows that one call removes. */
const BATCH_SIZE = 500;

const ENDED: Record<RetainedKind, (until: Date) => { readonly collection: string; readonly filter: mongo.Document }> = {
  // A page with a further repetition is kept however old it is.
  deliveries: (until) => ({
    collection: DELIVERIES,
    filter: { endedAt: { $exists: true, $lte: until }, nextDueAt: null },
  }),
  notices: (until) => ({ collection: NOTICES, filter: { at: { $lte: until } } }),
  acts: (until) => ({ collection: ACTS, filter: { at: { $lte: until } } }),
  codes: (until) => ({ collection: REPLY_CODES, filter: { expiresAt: { $lte: until } } }),
  posts: (until) => ({ collection: CHAT_POSTS, filter: { at: { $lte: until } } }),
  digests: (until) => ({ collection: CHAT_DIGESTS, filter: { changedAt: { $lte: until } } }),
  pauses: (until) => ({ collection: PROVIDER_PAUSES, filter: { until: { $lte: until } } }),
};

/** Old rows in MongoDB. */
export class RetainedRows {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Removes some of the rows that were final at `until` or before: messages, sent or not; pages whose steps are not repeated any
   * more; notices; accepted answers; codes that expired; posts and digests in channels of chat, as notifier knows them; pauses of providers. Resolves with how many it removed, or 0 once none is left.
   */
  async remove(kind: RetainedKind, until: Date): Promise<number> {
    const { collection, filter } = ENDED[kind](until);
    const rows = collectionOf<{ _id: string }>(this.#connection, collection);
    const found = await rows.find(filter, { projection: { _id: 1 }, limit: BATCH_SIZE }).toArray();
    if (found.length === 0) return 0;
    // A row that was changed meanwhile and is no longer final stays.
    await rows.deleteMany({ $and: [{ _id: { $in: found.map(({ _id }) => _id) } }, filter] });
    return found.length < BATCH_SIZE ? 0 : found.length;
  }
}
