import { describe, expect, it } from '@jest/globals';
import type { EscalationRepeat } from '@tocsin/events';
import { escalationOf, ruleFor, userOf } from '../testing/on-call-samples.ts';
import { useEngines } from '../testing/engine-fixture.ts';

const engineFixture = useEngines();

const repeat: EscalationRepeat = {
  waitMinutes: 10,
  count: 1,
  resetRecipientStates: false,
  closeAlertAfterAll: false,
};
const resetting = { ...repeat, resetRecipientStates: true };
const resetDone = (factId: string) =>
  [{ factId, kind: 'reset', actor: 'System', at: '2026-01-01T00:15:00.000Z' }] as const;

describe('an escalation that repeats', () => {
  it('starts again after its wait, and its first latency alone is measured', async () => {
    const { receive, advance, paged, routed } = await engineFixture({ repeat });
    await receive(1);
    await advance(14);
    expect(paged()).toEqual(['ada', 'grace']);
    await advance(1);
    await advance(5);
    await advance(600);
    expect(paged()).toEqual(['ada', 'grace', 'ada', 'grace']);
    expect(routed).toEqual([0]);
  });

  it('looks up the users on call again at each repeat, and counts missing ones', async () => {
    const { receive, advance, configuration, paged, withoutRecipient } = await engineFixture({ repeat });
    await receive(1);
    await advance(5);
    const gone = (await configuration.current()).schedules.all();
    configuration.change({ schedules: { removed: gone } });
    await advance(10);
    expect(paged()).toEqual(['ada', 'grace', 'grace']);
    expect(withoutRecipient()).toBe(1);
  });

  it('ends with a close, whatever would have been due', async () => {
    const { receive, advance, published, paged } = await engineFixture({
      repeat: { ...repeat, closeAlertAfterAll: true },
    });
    await receive(1);
    await receive(2, { status: 'closed' });
    await advance(600);
    await advance(600);
    expect([paged(), published.commands]).toEqual([['ada'], []]);
  });
});

describe('a repeat that resets recipients', () => {
  it('orders the reset by a command about this cycle, and starts again when an event reports that it is done', async () => {
    const { receive, advance, published, paged } = await engineFixture({ repeat: resetting });
    await receive(1);
    await receive(2, { acknowledged: true });
    await advance(15);
    expect(paged()).toEqual(['ada']);
    expect(published.commands).toEqual([
      {
        kind: 'reset-recipient-states',
        requestId: 'escalation:a1:1',
        cycle: 1,
        identifier: { type: 'id', value: 'a1' },
        integration: { id: 'scheduling', name: 'Tocsin', type: 'System' },
        actor: 'System',
        source: 'System',
        acceptedAt: '2026-01-01T00:15:00.000Z',
      },
    ]);
    await receive(3, { acknowledged: true });
    expect(paged()).toEqual(['ada']);
    await receive(4, { acknowledged: false }, resetDone('escalation:a1:1'));
    await receive(4, { acknowledged: false }, resetDone('escalation:a1:1'));
    expect(paged()).toEqual(['ada', 'ada']);
    expect(published.pages.at(-1)).toMatchObject({ alertVersion: 4, actionType: 'renotified-alert' });
    await advance(5);
    expect(paged()).toEqual(['ada', 'ada', 'grace']);
  });

  it('finds a user who was created a moment ago by asking their owner', async () => {
    const rules = [ruleFor({ type: 'user', id: 'new' })];
    const { receive, advance, paged, users } = await engineFixture({ rules, repeat: resetting });
    await receive(1);
    expect(paged()).toEqual([]);
    await advance(10);
    users.fetch = (_, id) => Promise.resolve(id === 'new' ? userOf('new') : undefined);
    await receive(2, {}, resetDone('escalation:a1:1'));
    expect(paged()).toEqual(['new']);
  });
});

describe('an escalation that closes its alert after all', () => {
  it('sends one close about this cycle, also for an alert that is acknowledged', async () => {
    const { receive, published, advance } = await engineFixture({
      repeat: { ...repeat, closeAlertAfterAll: true },
    });
    await receive(1, { cycle: 7 });
    await receive(2, { cycle: 7, acknowledged: true });
    await advance(5);
    await advance(10);
    expect(published.commands).toEqual([]);
    await advance(15);
    await advance(600);
    expect(published.commands).toMatchObject([{ kind: 'close', requestId: 'escalation:a1:1', cycle: 7 }]);
  });
});

describe('a flow', () => {
  it('keeps the rules with which it started, through its repeats', async () => {
    const { receive, advance, configuration, paged, published } = await engineFixture({ repeat });
    await receive(1);
    configuration.change({
      escalations: { put: [escalationOf('e1', [], { version: { epoch: 1, n: 2 } })] },
    });
    await advance(5);
    await advance(10);
    expect(paged()).toEqual(['ada', 'grace', 'ada']);
    const said = published.decisions.flatMap(({ findings }) => findings.map(({ text }) => text));
    expect(said.filter((text) => text.includes('the escalation was changed since'))).toHaveLength(2);
  });
});
