import { beforeEach, describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { draftsStore, keepDraft, removeDrafts } from '../shell/unsaved.ts';
import { NOT_APPLIED_YET } from './alert-write.ts';
import { actOnAll, bulkDraftPlace, countsOf, removeBulkDraft, selectedAfter } from './bulk.ts';

const refused = (status: number, retryAfterSeconds?: number) =>
  new CallError({ status, message: `Refused with ${status}.`, retryAfterSeconds });

function run(act: (item: number) => Promise<string | undefined>, count: number) {
  const waits: number[] = [];
  const finished: number[] = [];
  const wait = (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  };
  const items = Array.from({ length: count }, (_, index) => index);
  const onResult = ({ item }: { item: number }) => finished.push(item);
  return { waits, finished, results: actOnAll(items, { act, wait, onResult }) };
}

describe('an action on many alerts', () => {
  test('Each alert has its own result, and one that fails stops no other one.', async () => {
    const { finished, results } = run(
      (item) =>
        item === 1 ? Promise.reject(refused(403)) : Promise.resolve(item === 2 ? 'Alert does not exist' : undefined),
      20,
    );

    const faults = (await results).map(({ fault }) => fault);

    expect(faults.slice(0, 4)).toEqual([undefined, 'Refused with 403.', 'Alert does not exist', undefined]);
    expect(faults.filter((fault) => fault === undefined)).toHaveLength(18);
    expect(finished.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test('Few writes are under way at once.', async () => {
    let underWay = 0;
    let most = 0;
    const { results } = run(async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      return undefined;
    }, 100);

    await results;

    expect(most).toBe(6);
  });

  test('A write that came too soon is sent again after the wait that the answer names.', async () => {
    let calls = 0;
    const { results, waits } = run(() => {
      calls += 1;
      return calls === 1 ? Promise.reject(refused(429, 7)) : Promise.resolve(undefined);
    }, 1);

    expect(await results).toEqual([{ item: 0, fault: undefined }]);
    expect(waits).toEqual([7_000]);
  });

  test('A write that always comes too soon fails after four tries.', async () => {
    const { results, waits } = run(() => Promise.reject(refused(429)), 1);

    expect(await results).toEqual([{ item: 0, fault: 'Refused with 429.' }]);
    expect(waits).toEqual([1_000, 1_000, 1_000]);
  });
});

describe('the counts of many writes', () => {
  test('A write that was accepted and is not applied yet is neither done nor failed.', () => {
    const results = [undefined, NOT_APPLIED_YET, 'Alert does not exist', undefined].map((fault) => ({ fault }));

    expect(countsOf(results)).toEqual({ done: 2, accepted: 1, failed: 1 });
  });
});

describe('the selection while an action is under way', () => {
  test('Each alert that was changed leaves it at once, and one that failed stays.', () => {
    const selected = new Set(['first', 'gone', 'selected meanwhile']);
    const after = selectedAfter(selected, { item: { id: 'first' }, fault: undefined });

    expect([...after]).toEqual(['gone', 'selected meanwhile']);
    expect(selectedAfter(after, { item: { id: 'gone' }, fault: 'Alert does not exist' })).toBe(after);
  });
});

describe('what was typed for an action on many alerts', () => {
  beforeEach(removeDrafts);
  const kept = () => [...draftsStore.get().values()];

  test('It is removed once the action was done to all, so that the next selection does not get it.', () => {
    keepDraft(bulkDraftPlace('assign'), 'grace@example.com ');
    keepDraft(bulkDraftPlace('tags'), 'disk');
    removeBulkDraft(bulkDraftPlace('assign'), 'grace@example.com ', [{ fault: undefined }, { fault: undefined }]);

    expect(kept()).toEqual(['disk']);
  });

  test('It stays for alerts that failed, and where the person went on typing.', () => {
    keepDraft(bulkDraftPlace('tags'), 'disk');
    removeBulkDraft(bulkDraftPlace('tags'), 'disk', [{ fault: undefined }, { fault: 'Alert does not exist' }]);
    removeBulkDraft(bulkDraftPlace('tags'), 'dis', [{ fault: undefined }]);

    expect(kept()).toEqual(['disk']);
  });
});
