import { describe, expect, it } from '@jest/globals';
import type { EscalationRepeat, Responder } from '@tocsin/events';
import {
  escalationOf,
  forwardingOf,
  rotationOf,
  ruleFor,
  scheduleOf,
  teamOf,
  userOf,
} from '../testing/on-call-samples.ts';
import { Flow } from '../testing/flow-samples.ts';

const user = (id: string) => ({ type: 'user', id }) as const;
const schedule = (id: string) => ({ type: 'schedule', id }) as const;
const e1 = { type: 'escalation', id: 'e1' } as const;
const every: EscalationRepeat = { waitMinutes: 5, count: 2, resetRecipientStates: false, closeAlertAfterAll: false };
const PEOPLE = ['ada', 'grace', 'edsger', 'new'].map(userOf);

/** Who is paged about an alert with `responders` until directory names `unanswered` after `minutes`, and who within the hour after. */
function pagedAround(
  responders: readonly Responder[],
  things: ConstructorParameters<typeof Flow>[1],
  unanswered: readonly string[],
  minutes = 1,
) {
  const flow = new Flow(responders, { users: PEOPLE, ...things }, unanswered);
  flow.until(minutes);
  const before = [...flow.paged];
  flow.answer();
  flow.until(minutes + 60);
  return [before, flow.paged.slice(before.length)];
}

describe('a user who is looked up later', () => {
  it('is paged from then on, and the user to whom it was forwarded is not paged again, where each forwards to the other', () => {
    const forwardingRules = [forwardingOf('ada', 'new'), forwardingOf('new', 'ada')];
    expect(pagedAround([user('ada')], { forwardingRules }, ['new'])).toEqual([['ada'], ['new']]);
  });

  it('is paged once where two responders forward to them', () => {
    const forwardingRules = [forwardingOf('ada', 'new'), forwardingOf('grace', 'new')];
    const paged = pagedAround([user('ada'), user('grace')], { forwardingRules }, ['new']);
    expect(paged).toEqual([['ada', 'grace'], ['new']]);
  });

  it('pages no user whom the same event has paged in another way', () => {
    const things = {
      forwardingRules: [forwardingOf('ada', 'new'), forwardingOf('new', 'edsger')],
      schedules: [scheduleOf('s1', [rotationOf([user('edsger')])])],
      escalations: [escalationOf('e1', [ruleFor(user('edsger'))])],
      teams: [teamOf('ops', {}, e1), teamOf('db', {}, schedule('s1'))],
    };
    const responders = [user('ada'), schedule('s1'), { type: 'team', id: 'ops' }, { type: 'team', id: 'db' }] as const;
    expect(pagedAround(responders, things, ['new', 'ops', 'db'])).toEqual([['ada', 'edsger'], []]);
  });

  it('pages no user again to whom a user still to be looked up forwards', () => {
    const things = {
      forwardingRules: [forwardingOf('ada', 'new')],
      escalations: [escalationOf('e1', [ruleFor(user('ada'))])],
      teams: [teamOf('ops', {}, e1)],
    };
    const flow = new Flow([user('ada'), { type: 'team', id: 'ops' }], { users: PEOPLE, ...things }, ['new', 'ops']);
    flow.answer('ops');
    flow.until(5);
    flow.answer();
    flow.until(10);
    expect(flow.paged).toEqual(['ada', 'new']);
  });

  it('pages the user to whom a user on call forwards, at once', () => {
    const things = {
      forwardingRules: [forwardingOf('new', 'edsger')],
      schedules: [scheduleOf('s1', [rotationOf([user('new')])])],
    };
    expect(pagedAround([schedule('s1')], things, ['new'], 0)).toEqual([['edsger'], []]);
  });

  it('is paged by an escalation that a user asks for while the alert is snoozed (A9)', () => {
    const things = { users: PEOPLE, escalations: [escalationOf('e1', [ruleFor(user('new'))])] };
    const flow = new Flow([user('ada')], things, ['new']);
    flow.take({ kind: 'snooze' });
    flow.take({ kind: 'escalate', which: e1 });
    flow.until(1);
    flow.answer();
    flow.until(5);
    expect(flow.pages).toMatchObject([{ userId: 'ada' }, { userId: 'new' }]);
  });

  it('is paged by an escalation during a snooze also after an unacknowledgement, which does not end the snooze (A5)', () => {
    const things = { users: PEOPLE, escalations: [escalationOf('e1', [ruleFor(user('new'))])] };
    const flow = new Flow([user('ada')], things, ['new']);
    for (const kind of ['acknowledge', 'snooze'] as const) flow.take({ kind });
    flow.take({ kind: 'escalate', which: e1 });
    flow.take({ kind: 'unacknowledge' });
    flow.answer();
    flow.until(5);
    expect(flow.pages.at(-1)).toMatchObject({ userId: 'new', cancelOn: 'close' });
  });

  it('is not paged by an escalation once the alert is snoozed after it', () => {
    const things = { users: PEOPLE, escalations: [escalationOf('e1', [ruleFor(user('new'))])] };
    const flow = new Flow([user('ada')], things, ['new']);
    flow.take({ kind: 'escalate', which: e1 });
    flow.take({ kind: 'snooze' });
    flow.answer();
    flow.until(5);
    expect(flow.paged).toEqual(['ada']);
  });

  it('leads, acknowledged or not, to the rules of a team that go on until the close (A4)', () => {
    const rules = [ruleFor(user('ada')), ruleFor(user('grace'), { delayMinutes: 5, condition: 'if-not-closed' })];
    const things = { users: PEOPLE, escalations: [escalationOf('e1', rules)], teams: [teamOf('ops', {}, e1)] };
    const flow = new Flow([{ type: 'team', id: 'ops' }], things, ['ops']);
    flow.take({ kind: 'acknowledge' });
    flow.answer();
    flow.until(10);
    expect(flow.paged).toEqual(['grace']);
  });

  it('is paged by the present repeat alone of an escalation that repeats meanwhile', () => {
    const ops = { type: 'team', id: 'ops' } as const;
    const things = {
      escalations: [
        escalationOf('e1', [ruleFor(user('new')), ruleFor(ops)], { repeat: every }),
        escalationOf('e2', [ruleFor(user('grace'))]),
      ],
      teams: [teamOf('ops', {}, { type: 'escalation', id: 'e2' })],
    };
    expect(pagedAround([e1], things, ['new', 'ops'], 11)).toEqual([[], ['new', 'grace']]);
  });

  it('is paged as soon as they are found where the next repeat has begun and their rule is not due in it', () => {
    const late = ruleFor({ type: 'team', id: 'ops' }, { delayMinutes: 10 });
    const things = {
      escalations: [
        escalationOf('e1', [ruleFor(user('ada')), late], { repeat: { ...every, waitMinutes: 1, count: 1 } }),
      ],
      teams: [teamOf('ops', {}, schedule('s1'))],
      schedules: [scheduleOf('s1', [rotationOf([user('grace')])])],
    };
    const flow = new Flow([e1], { users: PEOPLE, ...things }, ['ops']);
    flow.until(12);
    expect(flow.paged).toEqual(['ada', 'ada']);
    flow.answer();
    flow.until(13);
    expect(flow.paged).toEqual(['ada', 'ada', 'grace']);
    flow.until(60);
    expect(flow.paged).toEqual(['ada', 'ada', 'grace', 'grace']);
  });

  it('does not count, in the next repeat, a look-up that ends with the former one', () => {
    const members = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`m${at}`, 'user']));
    const things = {
      escalations: [
        escalationOf('e1', [ruleFor({ type: 'team', id: 'ops' }, { notifyType: 'all' })], {
          repeat: { ...every, waitMinutes: 1, count: 1 },
        }),
      ],
      teams: [teamOf('ops', members, { type: 'none' })],
      users: Object.keys(members).map(userOf),
    };
    expect(pagedAround([e1], things, Object.keys(members), 1.1)).toEqual([[], Object.keys(members)]);
  });

  it('is paged again by a rule that led to them after the page', () => {
    const things = {
      escalations: [
        escalationOf('e1', [ruleFor(user('ada')), ruleFor({ type: 'team', id: 'ops' }, { delayMinutes: 5 })]),
      ],
      teams: [teamOf('ops', {}, schedule('s1'))],
      schedules: [scheduleOf('s1', [rotationOf([user('ada')])])],
    };
    expect(pagedAround([user('new'), e1], things, ['new', 'ops'], 6)).toEqual([['ada'], ['new', 'ada']]);
  });

  it('leads to another page of the users who were paged before it, where a rule asks for one until the close', () => {
    const toMembers = ruleFor({ type: 'team', id: 'ops' }, { condition: 'if-not-closed', notifyType: 'all' });
    const things = {
      escalations: [escalationOf('e1', [ruleFor(user('ada')), toMembers])],
      teams: [teamOf('ops', { ada: 'user' }, { type: 'none' })],
    };
    const flow = new Flow([e1], { users: PEOPLE, ...things }, ['ops']);
    flow.answer();
    flow.until(5);
    const wanted = flow.pages.map(({ userId, cancelOn }) => [userId, cancelOn]);
    expect(wanted).toEqual([
      ['ada', 'ack'],
      ['ada', 'close'],
    ]);
  });

  it('leads on to rules that ask for "not closed" after an acknowledgement, and pages no other user any more (A4)', () => {
    const rules = [
      ruleFor(user('ada')),
      ruleFor(user('grace'), { condition: 'if-not-closed' }),
      ruleFor(user('edsger'), { condition: 'if-not-closed', delayMinutes: 5 }),
    ];
    const things = {
      escalations: [escalationOf('e1', rules)],
      teams: [teamOf('ops', {}, e1), teamOf('db', {}, schedule('s1'))],
      schedules: [scheduleOf('s1', [rotationOf([user('new')])])],
    };
    const responders = [
      { type: 'team', id: 'ops' },
      { type: 'team', id: 'db' },
    ] as const;
    const flow = new Flow(responders, { users: PEOPLE, ...things }, ['ops', 'db']);
    flow.until(1);
    flow.take({ kind: 'acknowledge' });
    flow.until(2);
    flow.answer();
    flow.until(4);
    expect(flow.paged).toEqual(['grace']);
    flow.until(60);
    expect(flow.paged).toEqual(['grace', 'edsger']);
  });

  it('is paged by a manual request that holds against a snooze before it, and by none before the snooze (A9)', () => {
    const things = { escalations: [escalationOf('e1', [ruleFor(user('new'))])] };
    const flow = new Flow([user('edsger')], { users: PEOPLE, ...things }, ['edsger', 'new']);
    flow.until(1);
    flow.take({ kind: 'add', which: user('grace') });
    flow.take({ kind: 'snooze' });
    flow.until(2);
    flow.take({ kind: 'escalate', which: e1 });
    flow.until(3);
    flow.answer();
    flow.until(60);
    expect(flow.paged).toEqual(['grace', 'new']);
  });
});
