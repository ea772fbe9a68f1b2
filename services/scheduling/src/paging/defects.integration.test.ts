import { describe, expect, it } from '@jest/globals';
import type { AlertEvent, FailedRecord } from '@tocsin/events';
import { eventually } from '@tocsin/testkit';
import { escalationOf, ruleFor } from '../testing/on-call-samples.ts';
import { batchOf, batchOfRecords, useEngines, type EngineFixture } from '../testing/engine-fixture.ts';

const engineFixture = useEngines();

const of = (alertId: string, offset: number, responders = [{ type: 'escalation' as const, id: 'e1' }]) => {
  const [record] = batchOf(offset, { version: 1, facts: [] }, { responders }).records;
  if (record === undefined) throw new Error('a batch of one event has one record');
  return { ...record, value: { ...record.value, alertId } };
};
const batch = (...records: ReturnType<typeof of>[]) => batchOfRecords(records);

/** From now on our own code fails on the user `userId`. */
function breakOn(userId: string, { users }: EngineFixture): void {
  const get = users.get.bind(users);
  users.get = (id) => {
    if (id === userId) throw new TypeError('odd');
    return get(id);
  };
}

const text = ({ published }: EngineFixture) =>
  published.decisions.flatMap(({ alertId, findings }) =>
    findings.filter(({ outcome }) => outcome === 'dead-letter').map((finding) => `${alertId ?? ''}: ${finding.text}`),
  );

describe('an event on which a defect of scheduling fails', () => {
  it('is refused for good with its batch, and nothing of it is done', async () => {
    const fixture = await engineFixture();
    breakOn('grace', fixture);
    const odd = of('odd', 1, [{ type: 'user' as const, id: 'grace' } as never]);
    expect(await fixture.receiveEvents(batch(of('a1', 0), odd))).toMatchObject({ outcome: 'refused' });
    expect([fixture.paged(), await fixture.state()]).toEqual([[], undefined]);
    expect(await fixture.receiveEvents(batch(of('a1', 0)))).toEqual({ outcome: 'done' });
    expect(fixture.paged()).toEqual(['ada']);
  });

  it('is logged at its alert when it becomes a dead letter; bytes that are no event are not logged', async () => {
    const fixture = await engineFixture();
    const record: FailedRecord<AlertEvent> = { topic: 't', partition: 0, clusterId: 'c1', ...of('a1', 0) };
    await fixture.deadLetter(record, 'TypeError: odd');
    await fixture.deadLetter({ ...record, offset: 1, value: undefined }, 'no JSON');
    expect(text(fixture)).toEqual([expect.stringMatching(/^a1: .*version 1 .*dead letter: TypeError: odd/)]);
  });
});

describe('a rule on which a defect of scheduling fails when it is due', () => {
  it('is skipped, which the log of its alert says, and delays nothing that is due with it', async () => {
    const fixture = await engineFixture();
    const e2 = escalationOf('e2', [ruleFor({ type: 'user', id: 'ada' }, { delayMinutes: 5 })]);
    fixture.configuration.change({ escalations: { put: [e2] } });
    const second = of('whole', 1, [{ type: 'escalation', id: 'e2' }]);
    await fixture.receiveEvents(batch(of('odd', 0), second));
    breakOn('grace', fixture);
    await fixture.advance(5);
    expect(fixture.paged()).toEqual(['ada', 'ada']);
    // It is tried again after a second.
    await eventually(async () => {
      await fixture.advance(0);
      expect(await fixture.dueWork.countDue()).toBe(0);
    });
    expect(fixture.published.pages.at(-1)).toMatchObject({ alertId: 'whole' });
    expect(text(fixture)).toEqual([expect.stringMatching(/^odd: Rule 2 of \[escalation:e1\] .*TypeError: odd/)]);
  });
});
