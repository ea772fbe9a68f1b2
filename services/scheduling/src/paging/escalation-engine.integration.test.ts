import { describe, expect, it } from '@jest/globals';
import type { AlertFact, AlertState } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import {
  escalationOf,
  forwardingOf,
  rotationOf,
  ruleFor,
  scheduleOf,
  teamOf,
  userOf,
} from '../testing/on-call-samples.ts';
import { batchOf, batchOfRecords, useEngines } from '../testing/engine-fixture.ts';
import { start } from '../testing/open-engine.ts';

const engineFixture = useEngines();

/** An alert whose escalation names, as its third, a user whom directory alone knows. Two escalate requests lead to that user. */
async function thirdIsNew() {
  const fixture = await engineFixture();
  const rules = ['ada', 'grace', 'new'].map((id, index) => ruleFor({ type: 'user', id }, { delayMinutes: 60 * index }));
  fixture.configuration.change({ escalations: { put: [escalationOf('e1', rules)] } });
  await fixture.receive(1);
  fixture.users.ownerHas('id', 'new', userOf('new'));
  return fixture;
}

const escalate = (version: number): AlertFact => ({
  factId: `f${version}`,
  kind: 'escalated',
  actor: 'ada',
  at: start.toISOString(),
  responder: { type: 'escalation', id: 'e1' },
});

const flow = { responders: 1 };
const batchOfEscalates = (...versions: readonly number[]) =>
  batchOfRecords(
    versions.flatMap((version) => batchOf(version, { version, facts: [escalate(version)] }, { flow }).records),
  );

describe('the escalation state of an alert', () => {
  it('pages the user on call at once and the next user at the delay of their rule', async () => {
    const { receive, advance, paged, published, routed } = await engineFixture();
    await receive(1);
    expect(paged()).toEqual(['ada']);
    await advance(4);
    expect(paged()).toEqual(['ada']);
    await advance(1);
    expect(paged()).toEqual(['ada', 'grace']);
    expect(published.decisions.map(({ stage }) => stage)).toEqual(['route', 'route']);
    expect(routed).toEqual([0]);
  });

  it('pages once, however often its event comes', async () => {
    const { receive, advance, paged } = await engineFixture();
    await receive(1);
    await receive(1);
    await advance(5);
    expect(paged()).toEqual(['ada', 'grace']);
  });

  it.each([
    ['an acknowledgement', { acknowledged: true }],
    ['a close', { status: 'closed' as const }],
  ])('does not go on after %s', async (_, change) => {
    const { receive, advance, paged } = await engineFixture();
    await receive(1);
    await receive(2, change);
    await advance(10);
    expect(paged()).toEqual(['ada']);
  });

  it('starts again with a new cycle, and the rules of the old one do not fire', async () => {
    const { receive, advance, clock, paged } = await engineFixture();
    await receive(1);
    await advance(1);
    await receive(2, { cycle: 2, flowStartedAt: clock.now().toISOString() });
    expect(paged()).toEqual(['ada', 'ada']);
    await advance(4);
    expect(paged()).toEqual(['ada', 'ada']);
    await advance(1);
    expect(paged()).toEqual(['ada', 'ada', 'grace']);
  });

  it('uses the present schedules and users, and counts missing ones', async () => {
    const { receive, advance, configuration, paged, withoutRecipient } = await engineFixture();
    configuration.change({
      schedules: { put: [scheduleOf('s1', [])] },
    });
    await receive(1);
    await advance(10);
    expect(paged()).toEqual(['grace']);
    expect(withoutRecipient()).toBe(1);
  });

  it('counts a schedule without a user on call that is reached without a rule', async () => {
    const { receive, withoutRecipient, configuration } = await engineFixture();
    configuration.change({ schedules: { put: [scheduleOf('s1', [])] } });
    await receive(1, { responders: [{ type: 'schedule', id: 's1' }] });
    expect(withoutRecipient()).toBe(1);
  });

  it('counts a missing user once where a later cycle of the batch pages the responders', async () => {
    const { receiveEvents, withoutRecipient, configuration } = await engineFixture();
    configuration.change({ schedules: { put: [scheduleOf('s1', [])] } });
    const records = [1, 2].flatMap(
      (cycle) =>
        batchOf(cycle, { version: cycle, facts: [] }, { cycle, responders: [{ type: 'schedule', id: 's1' }] }).records,
    );
    await receiveEvents(batchOfRecords(records));
    expect(withoutRecipient()).toBe(1);
  });

  it('reads the routing rules of a team once for as long as its state is the same', async () => {
    const { receive, teams, paged } = await engineFixture();
    const team = teamOf('ops', {}, { type: 'schedule', id: 's1' });
    let reads = 0;
    const counted = Object.defineProperty({ ...team }, 'routingRules', {
      get: () => ((reads += 1), team.routingRules),
    });
    teams.put('ops', counted);
    await receive(1);
    await receive(2, { cycle: 2 });
    expect(reads).toBe(1);
    teams.put('ops', teamOf('ops', {}, { type: 'none' }));
    await receive(3, { cycle: 3 });
    expect(paged()).toEqual(['ada', 'ada']);
  });

  it('writes nothing for an alert without responders', async () => {
    const { state, receive } = await engineFixture();
    expect(await receive(1, { responders: [] })).toEqual({ outcome: 'done' });
    expect(await state()).toBeUndefined();
  });

  it('finds a team that was created a moment ago by asking its owner', async () => {
    const { receive, teams, paged } = await engineFixture();
    const fresh = teamOf('new', { grace: 'user' }, { type: 'schedule', id: 's1' });
    teams.fetch = (_, id) => Promise.resolve(id === 'new' ? fresh : undefined);
    await receive(1, { responders: [{ type: 'team', id: 'new' }] });
    expect(paged()).toEqual(['ada']);
  });

  it('forwards to a user who was created a moment ago, whom the owner has', async () => {
    const { receive, configuration, users, paged } = await engineFixture();
    configuration.change({ forwardingRules: { put: [forwardingOf('ada', 'new')] } });
    users.ownerHas('id', 'new', userOf('new'));
    await receive(1);
    expect(paged()).toEqual(['new']);
  });

  it('pages a user who was created a moment ago, whom the second of two escalate requests in one batch reaches', async () => {
    const { receiveEvents, paged } = await thirdIsNew();
    expect(await receiveEvents(batchOfEscalates(2, 3))).toEqual({ outcome: 'done' });
    expect(paged()).toEqual(['ada', 'grace', 'new']);
  });

  it('pages a user who was created a moment ago, whom an event reaches because another was settled after the escalation state was read', async () => {
    const { advance, receiveEvents, paged, published, store } = await thirdIsNew();
    const find = store.find.bind(store);
    store.find = async (ids) => {
      const states = await find(ids);
      store.find = find;
      await receiveEvents({ ...batchOfEscalates(2), partition: 1 });
      return states;
    };
    await receiveEvents(batchOfEscalates(3));
    await advance(1);
    expect(paged()).toEqual(['ada', 'grace', 'new']);
    const outcomes = published.decisions.flatMap(({ findings }) => findings.map(({ outcome }) => outcome));
    expect(outcomes).not.toContain('unknown');
  });

  it('pages all other users while the owner of an unknown user is unavailable, and looks them up again later', async () => {
    const { receive, users, paged, published, advance } = await engineFixture();
    users.refuseWith(new UnavailableError('Directory is unavailable.'));
    const responders: AlertState['responders'] = [
      { type: 'user', id: 'new' },
      { type: 'team', id: 'ops' },
    ];
    expect(await receive(1, { responders })).toEqual({ outcome: 'done' });
    expect(paged()).toEqual(['ada']);
    const outcomes = published.decisions.flatMap(({ findings }) => findings.map(({ outcome }) => outcome));
    expect([outcomes.includes('waiting'), outcomes.includes('unknown')]).toEqual([true, false]);
    await advance(1);
    users.refuseWith(undefined);
    users.ownerHas('id', 'new', userOf('new'));
    await advance(1);
    await advance(1);
    expect(paged()).toEqual(['ada', 'new']);
  });

  it.each([
    ['a team', { type: 'team', id: 'new' }, ['ada']],
    ['a schedule whose user is new', { type: 'schedule', id: 's2' }, ['new']],
  ] as const)('looks up what %s leads through once its owner answers again', async (_, responder, expected) => {
    const { receive, configuration, users, teams, paged, advance } = await engineFixture();
    const s2 = scheduleOf('s2', [rotationOf([{ type: 'user', id: 'new' }])]);
    configuration.change({ schedules: { put: [s2] } });
    for (const replica of [users, teams]) replica.refuseWith(new UnavailableError('Directory is unavailable.'));
    await receive(1, { responders: [responder] });
    expect(paged()).toEqual([]);
    for (const replica of [users, teams]) replica.refuseWith(undefined);
    users.ownerHas('id', 'new', userOf('new'));
    teams.ownerHas('id', 'new', teamOf('new', {}, { type: 'schedule', id: 's1' }));
    await advance(1);
    await advance(1);
    expect(paged()).toEqual(expected);
  });

  it('pages the user on call while the owner of a user to whom it is forwarded is unavailable, and them once it answers', async () => {
    const { receive, configuration, users, paged, advance } = await engineFixture();
    configuration.change({ forwardingRules: { put: [forwardingOf('ada', 'new')] } });
    users.refuseWith(new UnavailableError('Directory is unavailable.'));
    await receive(1);
    await advance(1);
    expect(paged()).toEqual(['ada']);
    users.refuseWith(undefined);
    users.ownerHas('id', 'new', userOf('new'));
    await advance(1);
    await advance(1);
    expect(paged()).toEqual(['ada', 'new']);
  });

  it('looks no user up again for an alert that is closed or acknowledged by then', async () => {
    const { receive, users, paged, advance } = await engineFixture();
    users.refuseWith(new UnavailableError('Directory is unavailable.'));
    await receive(1, { responders: [{ type: 'user', id: 'new' }] });
    await receive(2, { responders: [{ type: 'user', id: 'new' }], acknowledged: true });
    users.refuseWith(undefined);
    users.ownerHas('id', 'new', userOf('new'));
    await advance(1);
    expect(paged()).toEqual([]);
  });

  it('reports a user who is known to be deleted, and asks no owner', async () => {
    const { receive, users, published } = await engineFixture();
    users.put('gone', userOf('gone'));
    users.remove('gone');
    users.refuseWith(new UnavailableError('Directory is unavailable.'));
    await receive(1, { responders: [{ type: 'user', id: 'gone' }] });
    expect(published.decisions[0]?.findings.map(({ outcome }) => outcome)).toEqual(['unknown']);
  });

  it('of 50 events waits once where the directory never answers', async () => {
    const { receiveEvents, users, paged } = await engineFixture();
    const asked: string[] = [];
    users.fetch = (_, id) => {
      asked.push(id);
      return new Promise(() => undefined);
    };
    const events = Array.from({ length: 50 }, (_, index) => {
      const responders = [{ type: 'user', id: `unknown-${index}` } as const, { type: 'team', id: 'ops' } as const];
      const [record] = batchOf(index, { version: 1, facts: [] }, { responders }).records;
      if (record === undefined) throw new Error('a batch of one event has one record');
      return { ...record, value: { ...record.value, alertId: `a${index}` } };
    });
    const batch = batchOfRecords(events);
    expect(await receiveEvents(batch)).toEqual({ outcome: 'done' });
    expect(asked).toEqual(['unknown-0']);
    expect(paged()).toEqual(Array.from({ length: 50 }, () => 'ada'));
  });

  it('waits while the configuration cannot be read', async () => {
    const { receive, configuration, paged } = await engineFixture();
    configuration.current = () => Promise.reject(new UnavailableError('The database did not answer in time.'));
    expect(await receive(1)).toMatchObject({ outcome: 'retry' });
    expect(paged()).toEqual([]);
  });
});
