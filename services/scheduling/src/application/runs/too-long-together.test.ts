import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { alertEventHandler } from '../../events/alert-event-handler.ts';
import { batchOf, engineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';

/** From now on each look at ada takes a second, as the clock that measures work has it. */
function slowDown({ users }: EngineFixture): void {
  let ms = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => ms);
  const get = users.get.bind(users);
  users.get = (id) => {
    if (id === 'ada') ms += 1_000;
    return get(id);
  };
}

afterEach(() => {
  jest.restoreAllMocks();
});

const of = (...alertIds: readonly string[]) => {
  const batch = batchOf(0, { version: 1, facts: [] }, { responders: [{ type: 'user', id: 'ada' }] });
  const records = alertIds.flatMap((alertId, offset) =>
    batch.records.map((record) => ({ ...record, offset, key: alertId, value: { ...record.value, alertId } })),
  );
  return { ...batch, records };
};

describe('what takes too long to be settled together', () => {
  it('comes again as fewer events, and one alone is settled however long it takes', async () => {
    const fixture = await engineFixture();
    slowDown(fixture);
    const tried = await fixture.engine.settleEvents(of('a1', 'a2', 'a3'));
    expect([tried.outcome, fixture.paged()]).toEqual(['retry', []]);
    expect(await fixture.engine.settleEvents(of('a1'))).toEqual({ outcome: 'done' });
    expect(fixture.paged()).toEqual(['ada']);
  });

  it('is settled partition by partition where the batches of several came together', async () => {
    const fixture = await engineFixture();
    slowDown(fixture);
    const handler = alertEventHandler(fixture.engine, fixture.store, fixture.clock);
    const batches = ['a1', 'a2', 'a3'].map((id, partition) => ({ ...of(id), partition }));
    const settled = await Promise.all(batches.map((batch) => handler.settle(batch)));
    expect(settled.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
    expect(fixture.paged()).toEqual(['ada', 'ada', 'ada']);
  });

  it('fires in several transactions, with turns for others in between', async () => {
    const fixture = await engineFixture({
      rules: [
        { condition: 'if-not-acked', notifyType: 'default', delayMinutes: 5, recipient: { type: 'user', id: 'ada' } },
      ],
    });
    const escalation = { responders: [{ type: 'escalation' as const, id: 'e1' }] };
    const ids = ['a1', 'a2', 'a3', 'a4'];
    for (const alertId of ids) {
      const batch = batchOf(0, { version: 1, facts: [] }, escalation);
      const records = batch.records.map((record) => ({ ...record, key: alertId, value: { ...record.value, alertId } }));
      await fixture.engine.settleEvents({ ...batch, records });
    }
    slowDown(fixture);
    let [lots, turns] = [0, 0];
    const settleRules = fixture.store.settleRules.bind(fixture.store);
    fixture.store.settleRules = (...args) => ((lots += 1), settleRules(...args));
    const ticking = (async () => {
      for (; lots === 0; turns += 1) await setImmediate();
    })();
    await fixture.advance(5);
    await ticking;
    expect(fixture.paged()).toEqual(ids.map(() => 'ada'));
    expect(lots).toBeGreaterThan(1);
    expect(turns).toBeGreaterThan(1);
  });
});
