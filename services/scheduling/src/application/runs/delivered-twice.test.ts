import { describe, expect, it } from '@jest/globals';
import { AlertFact, type AlertState } from '@tocsin/contracts';
import { batchOf, batchOfRecords, engineFixture, start, type EngineFixture } from '../../testing/engine-fixture.ts';

type Kind = AlertFact['kind'];

const again: Partial<AlertState> = { cycle: 2, flowStartedAt: start.toISOString() };
const grace = { type: 'user', id: 'grace' } as const;

/** How an alert is after a fact of each kind, and who the fact is about. A kind that the contract gains is missed here. */
const AFTER: Readonly<Record<Kind, { readonly state: Partial<AlertState>; readonly more?: Partial<AlertFact> }>> = {
  created: { state: {} },
  acknowledged: { state: { acknowledged: true } },
  unacknowledged: { state: again },
  snoozed: { state: { snoozed: true } },
  'snooze-ended': { state: again },
  released: { state: again },
  restarted: { state: again },
  closed: { state: { status: 'closed' } },
  deleted: { state: { status: 'deleted' } },
  noted: { state: {}, more: { note: 'looking' } },
  reset: { state: {} },
  assigned: { state: { owner: 'grace' }, more: { responder: grace } },
  'responder-added': { state: { responders: [{ type: 'team', id: 'ops' }, grace] }, more: { responder: grace } },
  escalated: { state: {}, more: { responder: { type: 'escalation', id: 'e1' } } },
  'tags-added': { state: { tags: ['a'] } },
  'tags-removed': { state: { tags: [] } },
  'details-added': { state: { details: { rack: 'b2' } } },
  'details-removed': { state: { details: {} } },
  'action-executed': { state: {}, more: { action: 'Restart' } },
  updated: { state: { message: 'Disk very full' } },
};

const everything = async ({ store }: EngineFixture): Promise<unknown> =>
  structuredClone({
    runs: await store.find(['a1']),
    pages: store.pages,
    commands: store.commands,
    decisions: store.decisions,
  });

describe('an alert event that is delivered twice', () => {
  it.each(AlertFact.shape.kind.options)('with the fact %s changes what is kept, and pages, once', async (kind) => {
    const fixture = await engineFixture();
    const { state, more = {} } = AFTER[kind];
    const fact: AlertFact = { factId: `fact-${kind}`, kind, actor: 'ada', at: start.toISOString(), ...more };
    const isFirst = kind === 'created';
    if (!isFirst) await fixture.settle(1);
    const give = () => fixture.settle(isFirst ? 1 : 2, state, [fact]);

    expect(await give()).toEqual({ outcome: 'done' });
    const once = await everything(fixture);
    await give();
    expect(await everything(fixture)).toEqual(once);
    if (!isFirst) await fixture.settle(1);
    await give();
    expect(await everything(fixture)).toEqual(once);

    await fixture.advance(10);
    const later = await everything(fixture);
    await give();
    await fixture.advance(0);
    expect(await everything(fixture)).toEqual(later);
  });
});

describe('an acknowledgement that was taken back', () => {
  const created: AlertFact = { factId: 'f1', kind: 'created', actor: 'ada', at: start.toISOString() };
  const acked: AlertFact = { ...created, factId: 'f2', kind: 'acknowledged' };
  const undone: AlertFact = { ...created, factId: 'f3', kind: 'unacknowledged' };
  const first = { version: 1, responders: 1, began: true };
  const second: Partial<AlertState> = { ...again, flow: { version: 3, responders: 1, began: true } };
  /** Who was called to the alert, and in which cycle. */
  const cycles = ({ store }: EngineFixture) =>
    store.pages.filter(({ news }) => news === undefined).map(({ cycle, userId }) => `${userId} ${cycle}`);

  const records = [
    ...batchOf(0, { version: 1, facts: [created] }, { flow: first }).records,
    ...batchOf(1, { version: 2, facts: [acked] }, { flow: first, acknowledged: true }).records,
    ...batchOf(2, { version: 3, facts: [undone] }, second).records,
  ];
  const settle = ({ engine }: EngineFixture, ...versions: readonly number[]) =>
    engine.settleEvents(batchOfRecords(versions.flatMap((version) => records[version - 1] ?? [])));

  it('starts one flow where its events come again after a newer event', async () => {
    const fixture = await engineFixture();
    for (const version of [1, 2, 3]) await settle(fixture, version);
    await fixture.settle(4, second, [{ ...created, factId: 'f4', kind: 'tags-added' }]);
    for (const version of [2, 3]) await settle(fixture, version);
    await fixture.advance(5);
    await settle(fixture, 1, 2, 3);
    await fixture.advance(60);
    expect(cycles(fixture)).toEqual(['ada 1', 'ada 2', 'grace 2']);
  });

  it.each([
    ['once', [[1, 2, 3]]],
    ['and again with it', [[1, 2, 1, 2, 3, 1, 2, 3]]],
    ['and again after it', [[1, 2, 3], [1, 2], [3]]],
  ])('pages by the second flow alone where its events come in one batch %s', async (_, batches) => {
    const fixture = await engineFixture();
    for (const versions of batches) expect(await settle(fixture, ...versions)).toEqual({ outcome: 'done' });
    await fixture.advance(5);
    await fixture.advance(60);
    expect(cycles(fixture)).toEqual(['ada 2', 'grace 2']);
  });

  it('does not keep an escalate request of the first flow from paging', async () => {
    const fixture = await engineFixture();
    const escalated: AlertFact = {
      ...created,
      factId: 'f2',
      kind: 'escalated',
      responder: { type: 'escalation', id: 'e1' },
    };
    const added: AlertFact = { ...created, factId: 'f3', kind: 'responder-added', responder: grace };
    const responders: AlertState['responders'] = [{ type: 'team', id: 'ops' }, grace];
    const records = [
      ...batchOf(0, { version: 1, facts: [created] }, { flow: first }).records,
      ...batchOf(1, { version: 2, facts: [escalated] }, { flow: first }).records,
      ...batchOf(2, { version: 3, facts: [added] }, { flow: first, responders }).records,
      ...batchOf(3, { version: 4, facts: [acked] }, { flow: first, responders, acknowledged: true }).records,
      ...batchOf(
        4,
        { version: 5, facts: [undone] },
        { ...again, responders, flow: { version: 5, responders: 2, began: true } },
      ).records,
    ];
    await fixture.engine.settleEvents(batchOfRecords(records));
    expect(cycles(fixture)).toEqual(['grace 1', 'grace 2', 'ada 2']);
    expect((await fixture.store.find(['a1'])).get('a1')).toMatchObject({ begun: true, alert: { cycle: 2 } });
  });
});

describe('an alert whose events are missing', () => {
  const escalated: AlertFact = {
    factId: 'f3',
    kind: 'escalated',
    actor: 'ada',
    at: start.toISOString(),
    responder: { type: 'escalation', id: 'e1' },
  };

  it('goes on with the next one, and does nothing by a dead letter that is redriven after that', async () => {
    const fixture = await engineFixture();
    const flow = { version: 1, responders: 1, began: true };
    await fixture.settle(2, { flow, message: 'newer' });
    await fixture.settle(1, { flow });
    await fixture.settle(4, { flow, message: 'newest' });
    const before = await everything(fixture);
    await fixture.settle(3, { flow }, [escalated]);
    expect(await everything(fixture)).toEqual(before);
    expect(fixture.paged()).toEqual(['ada']);
    expect((await fixture.store.find(['a1'])).get('a1')).toMatchObject({
      alertVersion: 4,
      alert: { message: 'newest' },
    });
  });

  it('does what a redriven dead letter asks for where nothing came after it', async () => {
    const fixture = await engineFixture();
    await fixture.settle(2);
    await fixture.settle(3, {}, [escalated]);
    expect(fixture.paged()).toEqual(['ada', 'grace']);
  });
});
