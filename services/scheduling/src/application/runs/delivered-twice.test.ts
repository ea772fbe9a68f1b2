import { describe, expect, it } from '@jest/globals';
import { AlertFact, type AlertState } from '@tocsin/contracts';
import { engineFixture, start, type EngineFixture } from '../../testing/engine-fixture.ts';

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
    timers: store.timers,
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

describe('an alert event that was left behind by a crash and comes after a newer one', () => {
  it('still pages who was added by it, once, and the state of the newer one stays', async () => {
    const fixture = await engineFixture();
    const { settle, paged, store } = fixture;
    const { state, more = {} } = AFTER['responder-added'];
    const fact: AlertFact = { factId: 'f2', kind: 'responder-added', actor: 'ada', at: start.toISOString(), ...more };
    await settle(1);
    await settle(3, { ...state, message: 'newer' });
    for (let times = 0; times < 2; times += 1) await settle(2, state, [fact]);
    expect(paged()).toEqual(['ada', 'grace']);
    expect((await store.find(['a1'])).get('a1')).toMatchObject({ alertVersion: 3, alert: { message: 'newer' } });
  });
});
