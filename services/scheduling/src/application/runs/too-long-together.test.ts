import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { AlertState } from '@tocsin/contracts';
import { alertEventHandler } from '../../events/alert-event-handler.ts';
import { escalationOf, ruleFor, teamOf, userOf } from '../../testing/on-call-samples.ts';
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

const ada: Partial<AlertState> = { responders: [{ type: 'user', id: 'ada' }] };
const of = (alertIds: readonly string[], change = ada) => {
  const batch = batchOf(0, { version: 1, facts: [] }, change);
  const records = alertIds.flatMap((alertId, offset) =>
    batch.records.map((record) => ({ ...record, offset, key: alertId, value: { ...record.value, alertId } })),
  );
  return { ...batch, records };
};

describe('what takes too long to be settled together', () => {
  it('comes again as fewer events, and one alone is settled however long it takes', async () => {
    const fixture = await engineFixture();
    slowDown(fixture);
    const tried = await fixture.engine.settleEvents(of(['a1', 'a2', 'a3']));
    expect([tried.outcome, fixture.paged()]).toEqual(['retry', []]);
    expect(await fixture.engine.settleEvents(of(['a1']))).toEqual({ outcome: 'done' });
    expect(fixture.paged()).toEqual(['ada']);
  });

  it('is settled partition by partition where the batches of several came together', async () => {
    const fixture = await engineFixture();
    slowDown(fixture);
    const handler = alertEventHandler(fixture.engine, fixture.store, fixture.clock);
    const batches = ['a1', 'a2', 'a3'].map((id, partition) => ({ ...of([id]), partition }));
    const settled = await Promise.all(batches.map((batch) => handler.settle(batch)));
    expect(settled.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
    expect(fixture.paged()).toEqual(['ada', 'ada', 'ada']);
  });

  it('is found out by the pages that have to be written, too', async () => {
    const { configuration, engine, paged, teams, users } = await engineFixture();
    const ids = Array.from({ length: 1_000 }, (_, at) => `u${at}`);
    for (const id of ids) users.put(id, userOf(id));
    teams.put('all', teamOf('all', Object.fromEntries(ids.map((id) => [id, 'user'])), { type: 'none' }));
    const e2 = escalationOf('e2', [ruleFor({ type: 'team', id: 'all' }, { notifyType: 'all' })]);
    await configuration.change(() => ({ escalations: { put: [e2] }, answer: undefined }));
    const responders = [{ type: 'escalation' as const, id: 'e2' }];
    const long = { responders, description: 'x'.repeat(15_000) };
    const alerts = ['a1', 'a2', 'a3'];
    expect(await engine.settleEvents(of(alerts, { responders }))).toEqual({ outcome: 'done' });
    expect(paged()).toHaveLength(3_000);
    expect(await engine.settleEvents(of(['b1', 'b2', 'b3'], long))).toMatchObject({ outcome: 'retry' });
    expect(await engine.settleEvents(of(['b1'], long))).toEqual({ outcome: 'done' });
    expect(paged()).toHaveLength(4_000);
  });

  it('fires in several transactions, with turns for others in between', async () => {
    const fixture = await engineFixture({ rules: [ruleFor({ type: 'user', id: 'ada' }, { delayMinutes: 5 })] });
    const ids = ['a1', 'a2', 'a3', 'a4'];
    await fixture.engine.settleEvents(of(ids, { responders: [{ type: 'escalation', id: 'e1' }] }));
    slowDown(fixture);
    const count = { passes: 0, turns: 0, isDone: false };
    const prepareDue = fixture.engine.prepareDue.bind(fixture.engine);
    fixture.engine.prepareDue = (...args) => ((count.passes += 1), prepareDue(...args));
    const ticking = (async () => {
      for (; !count.isDone; count.turns += 1) await setImmediate();
    })();
    await fixture.advance(5);
    count.isDone = true;
    await ticking;
    expect(fixture.paged()).toEqual(ids.map(() => 'ada'));
    expect(count.passes).toBeGreaterThan(1);
    expect(count.turns).toBeGreaterThan(1);
  });
});
