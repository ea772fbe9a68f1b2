import { editSourcesAtLoad, type SourceEdit } from '@tocsin/testkit/source-edits';

/** A change of the production code that breaks a promise, which the simulation has to find. */
export interface Mutation extends SourceEdit {
  readonly name: string;
}

export const MUTATIONS: readonly Mutation[] = [
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
