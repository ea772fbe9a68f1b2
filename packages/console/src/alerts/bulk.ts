import { CallError } from '../api/call-error.ts';
import { problemText } from '../api/problem-text.ts';
import { removeSentDraft } from '../shell/unsaved.ts';
import type { FormAction } from './actions.ts';
import { NOT_APPLIED_YET } from './alert-write.ts';

/** What became of one of many writes. */
export interface BulkResult<T> {
  readonly item: T;
  /** Why it did not happen; undefined where it did. */
  readonly fault: string | undefined;
}

/** How many of many writes were done, how many were accepted and are not applied yet, and how many failed. */
export function countsOf(results: readonly Pick<BulkResult<unknown>, 'fault'>[]): {
  readonly done: number;
  readonly accepted: number;
  readonly failed: number;
} {
  const done = results.filter(({ fault }) => fault === undefined).length;
  const accepted = results.filter(({ fault }) => fault === NOT_APPLIED_YET).length;
  return { done, accepted, failed: results.length - done - accepted };
}

interface BulkOptions<T> {
  readonly act: (item: T) => Promise<string | undefined>;
  readonly wait: (ms: number) => Promise<void>;
  readonly onResult: (result: BulkResult<T>) => void;
}

/** The selection after a result: an alert that was changed is not selected any more, and all that was selected meanwhile stays. */
export function selectedAfter(
  selected: ReadonlySet<string>,
  { fault, item }: BulkResult<{ readonly id: string }>,
): ReadonlySet<string> {
  return fault === undefined ? selected.difference(new Set([item.id])) : selected;
}

/** Removes what was typed at a place for an action that was done to all alerts. Where one failed it stays, so that it can be sent again. */
export function removeBulkDraft(
  place: string,
  sent: string,
  results: readonly Pick<BulkResult<unknown>, 'fault'>[],
): void {
  if (results.every(({ fault }) => fault === undefined)) removeSentDraft(place, sent);
}

/** Where what was typed for an action on all selected alerts is kept. */
export const bulkDraftPlace = (action: FormAction): string => `selected ${action}`;

const AT_ONCE = 6;
/** How often a write is sent again that came too soon. */
const MAX_TRIES = 4;
const DEFAULT_WAIT_SECONDS = 1;

/**
 * Does the same to many items, a few at once, and tells the result of each. One that fails stops no other one.
 *
 * @returns the results in the order of the items
 */
export async function actOnAll<T>(items: readonly T[], options: BulkOptions<T>): Promise<readonly BulkResult<T>[]> {
  const results = new Map<T, BulkResult<T>>();
  const open = [...items];
  const work = async () => {
    for (let item = open.shift(); item !== undefined; item = open.shift()) {
      const result = { item, fault: await faultOf(item, options) };
      results.set(item, result);
      options.onResult(result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return items.flatMap((item) => results.get(item) ?? []);
}

async function faultOf<T>(item: T, { act, wait }: BulkOptions<T>): Promise<string | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act(item);
    } catch (error) {
      const isTooSoon = error instanceof CallError && error.failure === 'throttled';
      if (!isTooSoon || tries === MAX_TRIES) return problemText(error).what;
      await wait((error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS) * 1_000);
    }
  }
}
