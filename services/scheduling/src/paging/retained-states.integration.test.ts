import { describe, expect, it } from '@jest/globals';
import type { AlertState } from '@tocsin/events';
import { openAlert } from '../testing/alert-samples.ts';
import { batch, decide, event, useStateStores } from '../testing/state-store-fixture.ts';

const create = useStateStores();

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 5, 8, minute));

async function open() {
  const { receiveEvents, store } = await create();
  let offset = 0;
  /** Settles, at a minute, that an alert is as it is now. */
  const receive = (alertId: string, status: AlertState['status'], minute: number) => {
    const version = (offset += 1);
    const of = { ...event(version), alertId, state: openAlert({ status }) };
    return receiveEvents([batch([of], version)], (state, each) => {
      const change = decide(state, each);
      return change && { ...change, at: at(minute) };
    });
  };
  const left = async (...alertIds: readonly string[]) => [...(await store.find(alertIds)).keys()].toSorted();
  const removeAll = async (until: Date): Promise<void> => {
    while ((await store.removeEnded(until)) > 0);
  };
  return { receive, left, removeAll, store };
}

describe('the store of escalation states that are kept for a time', () => {
  it('loses the escalation states of closed and deleted alerts that were changed last by then; open ones stay', async () => {
    const { receive, left, removeAll, store } = await open();
    for (const alertId of ['open', 'closed', 'deleted', 'young']) await receive(alertId, 'open', 0);
    await receive('closed', 'closed', 5);
    await receive('deleted', 'deleted', 5);
    await receive('young', 'closed', 6);
    const all = ['closed', 'deleted', 'open', 'young'];
    expect(await store.removeEnded(new Date(at(5).getTime() - 1))).toBe(0);
    expect(await left(...all)).toEqual(all);
    await removeAll(at(5));
    expect(await left(...all)).toEqual(['open', 'young']);
    await removeAll(at(60));
    expect(await left(...all)).toEqual(['open']);
  });

  it('counts from the last change after the close, such as a note', async () => {
    const { receive, left, removeAll } = await open();
    await receive('a1', 'open', 0);
    await receive('a1', 'closed', 5);
    await receive('a1', 'closed', 20);
    await removeAll(at(19));
    expect(await left('a1')).toEqual(['a1']);
    await removeAll(at(20));
    expect(await left('a1')).toEqual([]);
  });

  it('gives back a closed state without the instant from which its retention counts', async () => {
    const { receive, store } = await open();
    await receive('a1', 'closed', 5);
    const state = (await store.find(['a1'])).get('a1');
    expect(Object.keys(state ?? {})).not.toContain('endedAt');
    expect(state?.alert.status).toBe('closed');
  });

  it('removes each escalation state once when several processes sweep at the same time', async () => {
    const { receive, left, removeAll } = await open();
    const ids = Array.from({ length: 20 }, (_, n) => `a${n}`);
    for (const alertId of ids) await receive(alertId, 'closed', 5);
    await receive('young', 'closed', 6);
    await Promise.all([removeAll(at(5)), removeAll(at(5)), removeAll(at(5))]);
    expect(await left(...ids, 'young')).toEqual(['young']);
  });
});
