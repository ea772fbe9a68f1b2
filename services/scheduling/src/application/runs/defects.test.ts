import { describe, expect, it } from '@jest/globals';
import type { AlertEvent, BuriedRecord } from '@tocsin/contracts';
import { alertEventHandler } from '../../events/alert-event-handler.ts';
import { escalationOf, ruleFor } from '../../testing/on-call-samples.ts';
import { batchOf, batchOfRecords, engineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';

const of = (alertId: string, offset: number, responders = [{ type: 'escalation' as const, id: 'e1' }]) => {
  const [record] = batchOf(offset, { version: 1, facts: [] }, { responders }).records;
  if (record === undefined) throw new Error('a batch of one event has one record');
  return { ...record, value: { ...record.value, alertId } };
};
const batch = (...records: ReturnType<typeof of>[]) => batchOfRecords(records);

/** From now on our own code fails on everybody who is `userId`. */
function breakOn(userId: string, { users }: EngineFixture): void {
  const get = users.get.bind(users);
  users.get = (id) => {
    if (id === userId) throw new TypeError('odd');
    return get(id);
  };
}

const text = ({ store }: EngineFixture) =>
  store.decisions.flatMap(({ alertId, verdicts }) =>
    verdicts.filter(({ outcome }) => outcome === 'buried').map((verdict) => `${alertId ?? ''}: ${verdict.text}`),
  );

describe('an event on which our own code fails', () => {
  it('is refused for good with those that came with it, and nothing of them is done', async () => {
    const fixture = await engineFixture();
    breakOn('grace', fixture);
    const odd = of('odd', 1, [{ type: 'user' as const, id: 'grace' } as never]);
    const handler = alertEventHandler(fixture.engine, fixture.store, fixture.clock);
    expect(await handler.settle(batch(of('a1', 0), odd))).toMatchObject({ outcome: 'refused' });
    expect([fixture.paged(), (await fixture.store.find(['a1'])).size]).toEqual([[], 0]);
    expect(await handler.settle(batch(of('a1', 0)))).toEqual({ outcome: 'done' });
    expect(fixture.paged()).toEqual(['ada']);
  });

  it('is said in the log of its alert once it is buried; of bytes that are no event nothing is said', async () => {
    const fixture = await engineFixture();
    const handler = alertEventHandler(fixture.engine, fixture.store, fixture.clock);
    const record: BuriedRecord<AlertEvent> = { topic: 't', partition: 0, clusterId: 'c1', ...of('a1', 0) };
    await handler.bury(record, 'TypeError: odd');
    await handler.bury({ ...record, value: undefined }, 'no JSON');
    expect(text(fixture)).toEqual([expect.stringMatching(/^a1: .*version 1 .*dead letter: TypeError: odd/)]);
  });
});

describe('a rule on which our own code fails when its time comes', () => {
  it('is left out and told in the log of its alert, and holds up none that is due with it', async () => {
    const fixture = await engineFixture();
    const e2 = escalationOf('e2', [ruleFor({ type: 'user', id: 'ada' }, { delayMinutes: 5 })]);
    await fixture.configuration.change(() => ({ escalations: { put: [e2] }, answer: undefined }));
    const second = of('whole', 1, [{ type: 'escalation', id: 'e2' }]);
    await fixture.engine.settleEvents(batch(of('odd', 0), second));
    breakOn('grace', fixture);
    await fixture.advance(5);
    expect(fixture.paged()).toEqual(['ada', 'ada']);
    expect(fixture.store.pages.at(-1)).toMatchObject({ alertId: 'whole' });
    expect(text(fixture)).toEqual([expect.stringMatching(/^odd: Rule 2 of \[escalation:e1\] .*TypeError: odd/)]);
    expect(fixture.store.findDue(fixture.clock.now())).toEqual([]);
  });
});
