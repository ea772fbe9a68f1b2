import type { DueWorkOptions } from '@tocsin/persistence';
import type { RepeatSteps } from '../application/repeat-steps.ts';
import type { ExpandRepetition } from '../ports/flow-store.ts';
import { toRepetitions, type PageDocument } from './delivery-document.ts';
import { DELIVERIES } from './documents.ts';
import type { MongoFlowStore } from './mongo-flow-store.ts';

export interface PreparedRepetitions {
  readonly expand: ExpandRepetition;
  readonly now: Date;
}

type RepetitionWork = Pick<
  DueWorkOptions<PageDocument, PreparedRepetitions>,
  'batch' | 'collection' | 'leaveOut' | 'prepare' | 'process'
>;

/** Pages that are repeated together at most. Each has the content of its alert. */
const MAX_PAGES = 100;

/** Repeats the steps of pages. The parts may be made later. */
export const repetitionWork = (
  parts: () => {
    readonly steps: Pick<RepeatSteps, 'giveUp' | 'prepare'>;
    readonly store: Pick<MongoFlowStore, 'repeat'>;
  },
): RepetitionWork => ({
  collection: DELIVERIES,
  batch: MAX_PAGES,
  prepare: async (found, now) => ({ now, expand: await parts().steps.prepare(found.flatMap(toRepetitions), now) }),
  process: (session, due, { expand, now }) => parts().store.repeat(session, due.flatMap(toRepetitions), expand, now),
  leaveOut: (session, page, reason, now) => {
    const { steps, store } = parts();
    return store.repeat(session, toRepetitions(page), (repetition) => steps.giveUp(repetition, reason, now), now);
  },
});
