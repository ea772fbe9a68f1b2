import type { AlertEvent, Settlement } from '@tocsin/contracts';
import type { BatchHandler } from '@tocsin/messaging';
import type { CollectWords } from '../application/collect-words.ts';
import { orFailure } from './failure.ts';

const DONE: Settlement = { outcome: 'done' };

/** Takes the words of the service's own `alert-events.v1` into the search. */
export function wordsHandler(words: CollectWords): BatchHandler<AlertEvent> {
  return {
    settle: ({ records }) => orFailure(words.collect(records.map(({ value }) => value)).then((): Settlement => DONE)),
    bury: () => Promise.resolve(DONE),
  };
}
