import { describe, expect, it } from '@jest/globals';
import type { NextPage, NextPageAnswer, Responder } from '@tocsin/events';
import type { Alert } from '../alerts/alert.ts';
import { acknowledge, byAlias, close, create, DUTY, order } from '../testing/commands-samples.ts';
import {
  after,
  at,
  closedAfter,
  delayedBy,
  PlannedAlert,
  restartedEvery,
  type Lived,
  type Step,
} from '../testing/flow-samples.ts';
import { nextPageOf } from './next-page.ts';

const DISK = byAlias('disk');
const GRACE = { id: 'u-grace', username: 'grace' };
const ADA = { id: 'u-ada', username: 'ada' };
const page = (minute: number, change: Partial<NextPage> = {}): NextPageAnswer => ({
  next: { at: after(minute), users: [GRACE], why: 'rule 2 of escalation [Ops]', ...change },
});
const NONE: NextPageAnswer = {};
const LOOKED_UP = { state: 'unknown', text: 'Responders are still being looked up.' };

const only = ({ alerts: [alert] }: Lived): Alert => {
  if (alert === undefined) throw new Error('there is no alert');
  return alert;
};
const lived = (plan: ConstructorParameters<typeof PlannedAlert>[0], ...steps: readonly Step[]): Alert =>
  only(new PlannedAlert(plan).live(...steps));
/** An alert with a responder whose owner does not answer, and `others`. */
const unresolved = (others: readonly Responder[], ...steps: readonly Step[]): Alert => {
  const responders = [{ type: 'user', id: 'unavailable' } as const, ...others];
  return only(new PlannedAlert({}, create('disk', { at: after(0), alert: { responders } })).live(...steps));
};
const open = lived({});

describe('the next page of an alert', () => {
  it('is the earliest that a service reports, with whom it pages and why', () => {
    const message = page(3, { users: [ADA, GRACE], why: 'call by a notification rule' });

    expect(nextPageOf(open, [page(5), message])).toEqual({
      state: 'due',
      at: at(3),
      users: [ADA, GRACE],
      text: 'To ada, grace: call by a notification rule.',
    });
    expect(nextPageOf(open, [NONE, page(5)])).toMatchObject({ at: at(5), users: [GRACE] });
  });

  it('names no user where one is chosen at random', () => {
    expect(nextPageOf(open, [page(5, { users: [] })])).toMatchObject({
      users: [],
      text: 'To a user who is chosen at random then: rule 2 of escalation [Ops].',
    });
  });

  it('is unknown where a service does not answer, whatever the other one reports', () => {
    expect(nextPageOf(open, [page(5), 'no-answer'])).toEqual({
      state: 'unknown',
      text: 'A service that knows it does not answer.',
    });
  });

  it('is the start of the flow at the end of a snooze, at the end of a delay, or by a policy', () => {
    const snoozed = lived({}, order(DISK, { kind: 'snooze', endTime: after(30) }, { at: after(1) }));
    const starts = [snoozed, lived({ hold: delayedBy(20) }), lived(restartedEvery(10, 2))];

    expect(starts.map((alert) => nextPageOf(alert, [NONE, NONE]))).toMatchObject([
      { state: 'starts', at: at(30), text: 'The snooze ends, and the escalation starts from the beginning.' },
      { state: 'starts', at: at(20), text: 'The delay by a policy ends, and the escalation starts.' },
      { state: 'starts', at: at(10), text: 'A policy starts the escalation from the beginning.' },
    ]);
  });

  it('is no start at the end of the delay of an acknowledged alert, which stays held then (P16)', () => {
    const acknowledged = lived({ hold: delayedBy(20) }, acknowledge(DISK, { at: after(1) }));
    const past = lived({ hold: delayedBy(20) }, acknowledge(DISK, { at: after(1) }), at(20));

    for (const alert of [acknowledged, past])
      expect(nextPageOf(alert, [NONE, NONE])).toEqual({ state: 'none', text: 'The alert is acknowledged.' });
  });

  it('is the start at the end of the snooze of an acknowledged alert, which takes the acknowledgement back (A5)', () => {
    const snoozed = lived(
      {},
      acknowledge(DISK, { at: after(1) }),
      order(DISK, { kind: 'snooze', endTime: after(30) }, { at: after(2) }),
    );

    expect(nextPageOf(snoozed, [NONE, NONE])).toMatchObject({ state: 'starts', at: at(30) });
  });

  it('is no start at the end of the snooze of a suppressed alert', () => {
    const snoozed = lived(
      { suppressed: 'Policy [Quiet] suppresses notifications' },
      order(DISK, { kind: 'snooze', endTime: after(30) }, { at: after(1) }),
    );

    expect(nextPageOf(snoozed, [NONE, NONE])).toEqual({
      state: 'none',
      text: 'The pages of the alert are suppressed.',
    });
  });

  it('is unknown where scheduling looks up a user before', () => {
    expect(nextPageOf(open, [{ ...page(5), lookUpAt: after(1) }, NONE])).toEqual(LOOKED_UP);
    expect(nextPageOf(open, [{ lookUpAt: after(1) }, NONE])).toEqual(LOOKED_UP);
    expect(nextPageOf(open, [{ ...page(5), lookUpAt: after(6) }, NONE])).toMatchObject({ state: 'due', at: at(5) });
    expect(nextPageOf(lived(closedAfter(1)), [{ lookUpAt: after(2) }, NONE])).toMatchObject({ state: 'none' });
  });

  it('is unknown while a responder of the alert is still looked up, also of a snoozed one, and none of an acknowledged one', () => {
    const snooze = order(DISK, { kind: 'snooze', endTime: after(30) }, { at: after(1) });
    const running = unresolved([]);
    const alsoPaging = unresolved([DUTY]);
    const snoozed = unresolved([], snooze);
    const acknowledged = unresolved([], acknowledge(DISK, { at: after(1) }));

    for (const alert of [running, alsoPaging, snoozed]) expect(nextPageOf(alert, [page(40), NONE])).toEqual(LOOKED_UP);
    expect(nextPageOf(acknowledged, [NONE, NONE])).toMatchObject({ state: 'none', text: 'The alert is acknowledged.' });
  });

  it('is none where the alert closes by itself before', () => {
    const closing = lived(closedAfter(4));

    expect(nextPageOf(closing, [page(5)])).toEqual({
      state: 'none',
      text: 'The alert closes by itself before it pages again.',
    });
    expect(nextPageOf(closing, [page(3)])).toMatchObject({ state: 'due', at: at(3) });
  });

  it('is none with the reason where nothing is due', () => {
    const withoutResponders = new PlannedAlert({}, create('disk', { at: after(0) })).live().alerts;
    const alerts = [
      lived({}, close(DISK)),
      lived({}, acknowledge(DISK, { at: after(1), actor: 'ada' })),
      ...withoutResponders,
      open,
    ];

    expect(alerts.map((alert) => nextPageOf(alert, [NONE, NONE]))).toEqual([
      { state: 'none', text: 'The alert is closed.' },
      { state: 'none', text: 'The alert is acknowledged.' },
      { state: 'none', text: 'The alert has no responders.' },
      { state: 'none', text: 'No further step is due.' },
    ]);
  });
});
