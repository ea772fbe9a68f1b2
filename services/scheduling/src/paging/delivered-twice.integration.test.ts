import { describe, expect, it } from '@jest/globals';
import { AlertFact, type AlertState } from '@tocsin/events';
import { batchOf, batchOfRecords, useEngines, type EngineFixture } from '../testing/engine-fixture.ts';
import { start } from '../testing/open-engine.ts';

const engineFixture = useEngines();

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

const everything = async ({ published, state }: EngineFixture): Promise<unknown> =>
  structuredClone({
    state: await state(),
    pages: published.pages,
    commands: published.commands,
    decisions: published.decisions,
  });

describe('an alert event that is delivered twice', () => {
  it.each(AlertFact.shape.kind.options)('with the fact %s changes the state, and pages, once', async (kind) => {
    const fixture = await engineFixture();
    const { state, more = {} } = AFTER[kind];
    const fact: AlertFact = { factId: `fact-${kind}`, kind, actor: 'ada', at: start.toISOString(), ...more };
    const isFirst = kind === 'created';
    if (!isFirst) await fixture.receive(1);
    const give = () => fixture.receive(isFirst ? 1 : 2, state, [fact]);

    expect(await give()).toEqual({ outcome: 'done' });
    const once = await everything(fixture);
    await give();
    expect(await everything(fixture)).toEqual(once);
    if (!isFirst) await fixture.receive(1);
    await give();
    expect(await everything(fixture)).toEqual(once);

    await fixture.advance(10);
    const later = await everything(fixture);
    await give();
    await fixture.advance(0);
    expect(await everything(fixture)).toEqual(later);
  });
});

describe('an acknowledgement that was undone', () => {
  const created: AlertFact = { factId: 'f1', kind: 'created', actor: 'ada', at: start.toISOString() };
  const acked: AlertFact = { ...created, factId: 'f2', kind: 'acknowledged' };
  const undone: AlertFact = { ...created, factId: 'f3', kind: 'unacknowledged' };
  const first = { responders: 1 };
  const second: Partial<AlertState> = { ...again, flow: { responders: 1 } };
  /** The users who were called to the alert, with the cycles. */
  const cycles = ({ published }: EngineFixture) =>
    published.pages
      .filter(({ statusUpdate }) => statusUpdate === undefined)
      .map(({ cycle, userId }) => `${userId} ${cycle}`);

  const records = [
    ...batchOf(0, { version: 1, facts: [created] }, { flow: first }).records,
    ...batchOf(1, { version: 2, facts: [acked] }, { flow: first, acknowledged: true }).records,
    ...batchOf(2, { version: 3, facts: [undone] }, second).records,
  ];
  const receive = ({ receiveEvents }: EngineFixture, ...versions: readonly number[]) =>
    receiveEvents(batchOfRecords(versions.flatMap((version) => records[version - 1] ?? [])));

  it('starts one flow where its events come again after a newer event', async () => {
    const fixture = await engineFixture();
    for (const version of [1, 2, 3]) await receive(fixture, version);
    await fixture.receive(4, second, [{ ...created, factId: 'f4', kind: 'tags-added' }]);
    for (const version of [2, 3]) await receive(fixture, version);
    await fixture.advance(5);
    await receive(fixture, 1, 2, 3);
    await fixture.advance(60);
    expect(cycles(fixture)).toEqual(['ada 1', 'ada 2', 'grace 2']);
  });

  it.each([
    ['once', [[1, 2, 3]]],
    ['and again with it', [[1, 2, 1, 2, 3, 1, 2, 3]]],
    ['and again after it', [[1, 2, 3], [1, 2], [3]]],
  ])('pages by the second flow alone where its events come in one batch %s', async (_, batches) => {
    const fixture = await engineFixture();
    for (const versions of batches) expect(await receive(fixture, ...versions)).toEqual({ outcome: 'done' });
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
      ...batchOf(4, { version: 5, facts: [undone] }, { ...again, responders, flow: { responders: 2 } }).records,
    ];
    await fixture.receiveEvents(batchOfRecords(records));
    expect(cycles(fixture)).toEqual(['grace 1', 'grace 2', 'ada 2']);
    expect(await fixture.state()).toMatchObject({ hasStarted: true, alert: { cycle: 2 } });
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
    const flow = { responders: 1 };
    await fixture.receive(2, { flow, message: 'newer' });
    await fixture.receive(1, { flow });
    await fixture.receive(4, { flow, message: 'newest' });
    const before = await everything(fixture);
    await fixture.receive(3, { flow }, [escalated]);
    expect(await everything(fixture)).toEqual(before);
    expect(fixture.paged()).toEqual(['ada']);
    expect(await fixture.state()).toMatchObject({
      alertVersion: 4,
      alert: { message: 'newest' },
    });
  });

  it('processes a redriven dead letter where no event came after it', async () => {
    const fixture = await engineFixture();
    await fixture.receive(2);
    await fixture.receive(3, {}, [escalated]);
    expect(fixture.paged()).toEqual(['ada', 'grace']);
  });
});
