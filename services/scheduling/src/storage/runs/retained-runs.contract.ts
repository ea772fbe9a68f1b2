import { describe, expect, it } from '@jest/globals';
import type { AlertState } from '@tocsin/contracts';
import { startedBy } from '../../testing/run-samples.ts';
import { batch, decide, event, type StoreUnderTest } from './run-store.contract.ts';

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 5, 8, minute));

async function open(create: () => Promise<StoreUnderTest>) {
  const { store } = await create();
  let offset = 0;
  /** Settles, at a minute, that an alert is as it is now. */
  const settle = (alertId: string, status: AlertState['status'], minute: number) => {
    const version = (offset += 1);
    const of = { ...event(version), alertId, state: startedBy(version, { status }) };
    return store.settleEvents([batch([of], version)], (run, each) => {
      const change = decide(run, each);
      return change && { ...change, at: at(minute) };
    });
  };
  const left = async (...alertIds: readonly string[]) => [...(await store.find(alertIds)).keys()].toSorted();
  const removeAll = async (until: Date): Promise<void> => {
    while ((await store.removeEnded(until)) > 0);
  };
  return { settle, left, removeAll, store };
}

/** What everything that keeps runs for a time promises. */
export function describeRetainedRuns(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} as runs that are kept for a time`, () => {
    it('loses the runs of closed and deleted alerts that were changed last by then; open ones stay', async () => {
      const { settle, left, removeAll, store } = await open(create);
      for (const alertId of ['open', 'closed', 'deleted', 'young']) await settle(alertId, 'open', 0);
      await settle('closed', 'closed', 5);
      await settle('deleted', 'deleted', 5);
      await settle('young', 'closed', 6);
      const all = ['closed', 'deleted', 'open', 'young'];
      expect(await store.removeEnded(new Date(at(5).getTime() - 1))).toBe(0);
      expect(await left(...all)).toEqual(all);
      await removeAll(at(5));
      expect(await left(...all)).toEqual(['open', 'young']);
      await removeAll(at(60));
      expect(await left(...all)).toEqual(['open']);
    });

    it('counts from the last change after the close, such as a note', async () => {
      const { settle, left, removeAll } = await open(create);
      await settle('a1', 'open', 0);
      await settle('a1', 'closed', 5);
      await settle('a1', 'closed', 20);
      await removeAll(at(19));
      expect(await left('a1')).toEqual(['a1']);
      await removeAll(at(20));
      expect(await left('a1')).toEqual([]);
    });

    it('gives back of a closed run what it was, and nothing of how long it is kept', async () => {
      const { settle, store } = await open(create);
      await settle('a1', 'closed', 5);
      const run = (await store.find(['a1'])).get('a1');
      expect(Object.keys(run ?? {})).not.toContain('endedAt');
      expect(run?.alert.status).toBe('closed');
    });

    it('removes each run once when several processes sweep at the same time', async () => {
      const { settle, left, removeAll } = await open(create);
      const ids = Array.from({ length: 20 }, (_, n) => `a${n}`);
      for (const alertId of ids) await settle(alertId, 'closed', 5);
      await settle('young', 'closed', 6);
      await Promise.all([removeAll(at(5)), removeAll(at(5)), removeAll(at(5))]);
      expect(await left(...ids, 'young')).toEqual(['young']);
    });
  });
}
