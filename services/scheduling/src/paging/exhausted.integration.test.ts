import { describe, expect, it } from '@jest/globals';
import type { AlertFact } from '@tocsin/events';
import { useEngines, type EngineFixture } from '../testing/engine-fixture.ts';
import { start } from '../testing/open-engine.ts';
import { scheduleOf } from '../testing/on-call-samples.ts';

const engineFixture = useEngines();

const grace = { type: 'user', id: 'grace' } as const;
const added: AlertFact = {
  factId: 'f1',
  kind: 'responder-added',
  actor: 'ada',
  at: start.toISOString(),
  responder: { type: 'user', id: 'ada' },
};

/** How often the log says that the flow is exhausted. */
const said = ({ published }: EngineFixture): number =>
  published.decisions.flatMap(({ findings }) => findings).filter(({ outcome }) => outcome === 'exhausted').length;

describe('a flow that no user acknowledges', () => {
  it('logs once, 10 minutes after the last page, that no user has acknowledged', async () => {
    const fixture = await engineFixture();
    const { advance, exhausted, receive } = fixture;
    await receive(1);
    await advance(5);
    await advance(9);
    expect([said(fixture), exhausted()]).toEqual([0, 0]);
    await advance(1);
    expect([said(fixture), exhausted()]).toEqual([1, 1]);
    await receive(2, { message: 'again' });
    await advance(60);
    expect([said(fixture), exhausted()]).toEqual([1, 1]);
  });

  it.each([
    ['acknowledged', { acknowledged: true }],
    ['snoozed', { snoozed: true }],
    ['closed', { status: 'closed' as const }],
  ])('says nothing of an alert that is %s by then', async (_, state) => {
    const fixture = await engineFixture();
    await fixture.receive(1, { responders: [grace] });
    await fixture.advance(9);
    await fixture.receive(2, { responders: [grace], ...state });
    await fixture.advance(60);
    expect(said(fixture)).toBe(0);
  });

  it('waits for users who were paged since, by a responder that was added', async () => {
    const fixture = await engineFixture();
    await fixture.receive(1, { responders: [grace] });
    await fixture.advance(9);
    await fixture.receive(2, { responders: [grace, { type: 'user', id: 'ada' }] }, [added]);
    await fixture.advance(9);
    expect(said(fixture)).toBe(0);
    await fixture.advance(1);
    expect(said(fixture)).toBe(1);
  });

  it('waits for the last repeat of its escalations', async () => {
    const repeat = { waitMinutes: 30, count: 1, resetRecipientStates: false, closeAlertAfterAll: false };
    const fixture = await engineFixture({ repeat });
    await fixture.receive(1);
    for (const minutes of [5, 29, 1, 5, 9]) await fixture.advance(minutes);
    expect(fixture.paged()).toEqual(['ada', 'grace', 'ada', 'grace']);
    expect(said(fixture)).toBe(0);
    await fixture.advance(1);
    expect(said(fixture)).toBe(1);
  });

  it('says it again of the next start of the flow', async () => {
    const fixture = await engineFixture();
    const { advance, clock, receive } = fixture;
    await receive(1, { responders: [grace] });
    await advance(10);
    await receive(2, { responders: [grace], cycle: 2, flowStartedAt: clock.now().toISOString() });
    await advance(10);
    expect([said(fixture), fixture.exhausted()]).toEqual([2, 2]);
  });

  it('says it also where its rules found no recipient', async () => {
    const fixture = await engineFixture();
    fixture.configuration.change({ schedules: { put: [scheduleOf('s1', [])] } });
    fixture.users.remove('grace');
    await fixture.receive(1);
    await fixture.advance(10);
    expect([fixture.paged(), said(fixture)]).toEqual([[], 1]);
  });

  it('does not report it where it had no responders', async () => {
    const fixture = await engineFixture();
    await fixture.receive(1, { notifications: { kind: 'suppressed', reason: 'policy' } });
    await fixture.advance(60);
    expect(said(fixture)).toBe(0);
  });
});
