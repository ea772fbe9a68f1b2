import { editSourcesAtLoad, type SourceEdit } from '@tocsin/testkit/source-edits';

/** A change of the production code that breaks a promise, which the simulation has to find. */
export interface Mutation extends SourceEdit {
  readonly name: string;
  /** The simulation that has to find it; any, where it is absent. */
  readonly simulation?: string;
}

const OF_PACKAGES: readonly Mutation[] = [
  {
    name: 'looks-start-at-the-last-row',
    file: 'packages/mongo/src/look-start.ts',
    replace: [
      ['MIN_AGE_MS = 120_000', 'MIN_AGE_MS = 0'],
      ['MARK_EVERY_MS = 10_000', 'MARK_EVERY_MS = 0'],
      ['FULL_LOOK_EVERY_MS = 60_000', 'FULL_LOOK_EVERY_MS = 600_000'],
    ],
  },
  {
    name: 'rows-count-as-published-before-they-are',
    file: 'packages/mongo/src/outbox-relay.ts',
    replace: [
      [
        'if (found.length > 0) await this.#publishBatch(found);\n      rows.recordPublished(found);',
        'rows.recordPublished(found);\n      if (found.length > 0) await this.#publishBatch(found);',
      ],
    ],
  },
  {
    name: 'rows-in-another-order',
    file: 'packages/mongo/src/outbox-rows.ts',
    replace: [['sort: { seq: 1 }', 'sort: { seq: -1 }']],
  },
  {
    name: 'rows-outside-of-the-transaction',
    file: 'packages/mongo/src/outbox-rows.ts',
    replace: [['insertMany(rows, { session, ordered: true })', 'insertMany(rows, { ordered: true })']],
  },
  {
    name: 'due-work-that-is-not-read-again',
    file: 'packages/mongo/src/due-work.ts',
    replace: [
      [
        'const due = await this.#find({ ...this.#due(until), _id: { $in: ids } }, { session, hint: { _id: 1 } });',
        'const due = found;',
      ],
    ],
  },
  {
    name: 'due-work-read-outside-of-the-transaction',
    file: 'packages/mongo/src/due-work.ts',
    replace: [['{ session, hint: { _id: 1 } }', '{ hint: { _id: 1 } }']],
  },
  {
    name: 'unknown-commits-count-as-committed',
    file: 'packages/mongo/src/transaction.ts',
    replace: [['if (!isUnknown || deadline', 'if (isUnknown) return;\n      if (!isUnknown || deadline']],
  },
  {
    name: 'no-transaction-begins',
    file: 'packages/mongo/src/transaction.ts',
    replace: [['const deadline = new Deadline(deadlineMs);', 'throw new UnavailableError(NO_ANSWER);']],
  },
  {
    name: 'due-work-by-the-clock-of-the-machine',
    file: 'packages/mongo/src/due-work.ts',
    replace: [['return this.#options.clock.now();', 'return new Date();']],
  },
  {
    name: 'clocks-that-ignore-readings',
    file: 'packages/core/src/following-clock.ts',
    replace: [['const proven = ', 'const proven = this.#offsetMs; void ']],
  },
];

/** Each breaks a promise about pages. */
const OF_PAGES: readonly Mutation[] = [
  {
    name: 'checkpoints-outside-of-the-transaction',
    file: 'packages/mongo/src/checkpoint-transactions.ts',
    replace: [
      ['bulkWrite(batches.map(moveFromCheckpoint), { session })', 'bulkWrite(batches.map(moveFromCheckpoint))'],
      ["{ session, upsert: true, returnDocument: 'before' }", "{ upsert: true, returnDocument: 'before' }"],
    ],
  },
  {
    name: 'known-pages-that-are-not-looked-up',
    file: 'services/notifier/src/pages/consumer.ts',
    replace: [['attempt === 1', 'attempt > 0']],
  },
  {
    name: 'cancelled-messages-are-begun',
    file: 'services/notifier/src/messages/recheck.ts',
    replace: [['isPage(delivery) && delivery.cancelReason !== undefined', 'false']],
  },
  {
    name: 'pages-of-a-batch-ignore-its-cancels',
    file: 'services/notifier/src/pages/cancels.ts',
    replace: [['concerns(cancel, page) && (', 'concerns(cancel, page) && false && (']],
  },
  {
    name: 'repetitions-ignore-cancels',
    file: 'services/notifier/src/pages/store.ts',
    replace: [
      ["update: { $set: { 'next.cancelReason': reason } },", "update: { $unset: { 'next.cancelReason': 1 } },"],
    ],
  },
  {
    name: 'cancels-end-later-pages',
    file: 'services/notifier/src/pages/store.ts',
    replace: [['{ $lt: alertVersion }', '{ $lt: alertVersion + 2 }']],
  },
  {
    name: 'cancels-in-another-partition',
    file: 'packages/events/src/messages/pages.ts',
    replace: [
      [
        'return message.userId ?? message.alertId;',
        "return message.kind === 'cancel' ? `cancels of ${message.alertId}` : message.alertId;",
      ],
    ],
  },
  {
    name: 'leases-that-have-not-ended-are-freed',
    file: 'services/notifier/src/queue/lease-store.ts',
    replace: [["$expr: { $lte: ['$leaseUntil', '$$NOW'] }", "$expr: { $gte: ['$leaseUntil', '$$NOW'] }"]],
  },
  {
    name: 'leases-of-dead-processes-stay',
    file: 'services/notifier/src/queue/lease-store.ts',
    replace: [['if (!this.#hasLookedForALease() || expired.length === 0) return false;', 'return false;']],
  },
  {
    name: 'results-of-earlier-attempts-count',
    file: 'services/notifier/src/queue/delivery-store.ts',
    replace: [['filter: { _id: delivery.deliveryId, state, attempts },', 'filter: { _id: delivery.deliveryId },']],
  },
  {
    name: 'results-are-tried-once',
    file: 'services/notifier/src/queue/result-operations.ts',
    replace: [['attempt === 1 || !this.#stopping', 'attempt === 1']],
  },
  {
    name: 'messages-of-unknown-commits-are-handed-over',
    file: 'services/notifier/src/queue/new-delivery-store.ts',
    replace: [['whenCommitted(session, committed, onWaiting)', 'committed()']],
  },
  {
    name: 'two-processes-claim-a-queue',
    file: 'services/notifier/src/queue/lease-store.ts',
    replace: [['{ _id: { $in: [...ids] }, leaseUntil: null }', '{ _id: { $in: [...ids] } }']],
  },
  {
    name: 'replicas-are-used-before-they-are-complete',
    file: 'packages/kafka/src/topic-replicas.ts',
    replace: [['    await this.#waitUntilCaughtUp();', '    void this.#waitUntilCaughtUp();']],
  },
  {
    name: 'refused-requests-count-as-published',
    file: 'packages/kafka/src/produce-channel.ts',
    replace: [
      [
        'parts.unshift(wanted);\n          failures += 1;',
        'for (const { publication } of wanted) publication.written();',
      ],
    ],
  },
  {
    name: 'a-first-look-that-waited-frees-leases',
    file: 'services/notifier/src/queue/lease-store.ts',
    replace: [['    this.#lookedAt ??= this.#now();\n', '']],
  },
  {
    name: 'leases-are-freed-at-once-after-a-pause',
    file: 'services/notifier/src/queue/lease-store.ts',
    replace: [['!this.#hasLookedForALease() || ', '']],
  },
  {
    name: 'messages-before-they-are-due',
    file: 'services/notifier/src/queue/due-message-store.ts',
    replace: [['{ $match: { nextAt: { $lte: now }, ...', '{ $match: { ...']],
  },
];

/** Every mutation that must be found. */
export const MUTATIONS: readonly Mutation[] = [
  ...OF_PACKAGES,
  ...OF_PAGES.map((mutation) => ({ ...mutation, simulation: 'pages' })),
];

/**
 * Changes the code as it is loaded; the file stays as it is. To be called before that code is loaded.
 *
 * @throws TypeError where there is no such mutation.
 */
export function applyMutation(name: string): void {
  const mutation = MUTATIONS.find((each) => each.name === name);
  if (mutation === undefined)
    throw new TypeError(`There is no mutation ${name}. There are ${MUTATIONS.map((each) => each.name).join(', ')}.`);
  editSourcesAtLoad([mutation]);
}
