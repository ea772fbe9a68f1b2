import { describe, expect, it } from '@jest/globals';
import type { EscalationRepeat } from '@tocsin/events';
import { finished } from '@tocsin/core';
import { escalationOf, rotationOf, ruleFor, scheduleOf, teamOf } from '../testing/on-call-samples.ts';
import { Flow } from '../testing/flow-samples.ts';
import { start, view } from '../testing/transition-samples.ts';
import type { EscalationState } from './escalation-state.ts';
import { nextPage } from './next-page.ts';

const user = (id: string) => ({ type: 'user', id }) as const;
const team = { type: 'team', id: 't1' } as const;
const once: EscalationRepeat = { waitMinutes: 10, count: 1, resetRecipientStates: false, closeAlertAfterAll: false };
const later = ruleFor({ type: 'schedule', id: 's1' }, { delayMinutes: 5 });

type Things = Parameters<typeof start>[1];
/** The flow of an alert that escalates by `rules`, just after its start at midnight. */
const flow = (rules: Parameters<typeof escalationOf>[1], repeat?: EscalationRepeat, more: Things = {}) =>
  start([{ type: 'escalation', id: 'e1' }], {
    escalations: [escalationOf('e1', rules, repeat && { repeat })],
    schedules: [scheduleOf('s1', [rotationOf([user('grace')])])],
    ...more,
  });

const next = ({ state, view }: ReturnType<typeof flow>, change: Partial<EscalationState['alert']> = {}) =>
  finished(nextPage({ ...state, alert: { ...state.alert, ...change } }, view, () => false)).next;

describe('the next page of an escalation', () => {
  it('is that of the first rule that has not fired, to the user who is on call at its time', () => {
    expect(next(flow([ruleFor(user('ada')), later]))).toEqual({
      at: '2026-01-01T00:05:00.000Z',
      users: [{ id: 'grace', username: 'grace@example.com' }],
      why: 'rule 2 of escalation [e1], on call in schedule [s1]',
    });
  });

  it('is that of the rule after one without a recipient, at the time of that one', () => {
    const nothing = ruleFor({ type: 'schedule', id: 'gone' }, { delayMinutes: 3 });

    expect(next(flow([ruleFor(user('ada')), nothing, later]))?.at).toBe('2026-01-01T00:03:00.000Z');
  });

  it('comes with the repeat where all rules have fired, also where that resets the recipients first', () => {
    for (const repeat of [once, { ...once, resetRecipientStates: true }])
      expect(next(flow([ruleFor(user('ada'))], repeat))).toMatchObject({
        at: '2026-01-01T00:10:00.000Z',
        users: [{ id: 'ada' }],
      });
  });

  it('comes with a repeat that resets the acknowledgement of the alert, and not with one that keeps it', () => {
    const rules = [ruleFor(user('ada'), { delayMinutes: 1 }), later];

    expect(next(flow(rules, { ...once, resetRecipientStates: true }), { acknowledged: true })).toMatchObject({
      at: '2026-01-01T00:16:00.000Z',
      users: [{ id: 'ada' }],
    });
    expect(next(flow(rules, once), { acknowledged: true })).toBeUndefined();
  });

  it('is none where no rule is left, where the alert is acknowledged, and where the escalation closes the alert', () => {
    expect(next(flow([ruleFor(user('ada'))]))).toBeUndefined();
    expect(next(flow([ruleFor(user('ada')), later]), { acknowledged: true })).toBeUndefined();
    expect(next(flow([ruleFor(user('ada'))], { ...once, count: 0, closeAlertAfterAll: true }))).toBeUndefined();
  });

  it('is that of a rule that an acknowledgement does not skip', () => {
    const always = ruleFor(user('edsger'), { delayMinutes: 9, condition: 'if-not-closed' });

    expect(next(flow([ruleFor(user('ada')), later, always]), { acknowledged: true })).toMatchObject({
      at: '2026-01-01T00:09:00.000Z',
      users: [{ id: 'edsger' }],
    });
  });

  it('names no user where one is chosen at random, because another may be chosen then', () => {
    const random = ruleFor(team, { delayMinutes: 2, notifyType: 'random' });
    const teams = [teamOf('t1', { ada: 'user', grace: 'user' }, { type: 'none' })];

    expect(next(flow([ruleFor(user('edsger')), random], undefined, { teams }))).toMatchObject({
      at: '2026-01-01T00:02:00.000Z',
      users: [],
      why: 'rule 2 of escalation [e1], member of team [t1]',
    });
  });

  it('is unknown where the time is used up before', () => {
    const { state, view } = flow([ruleFor(user('ada')), later]);

    expect(finished(nextPage(state, view, () => true))).toMatchObject({ next: undefined, truncated: true });
  });
});

describe('a page that a look-up may lead to', () => {
  const things = {
    escalations: [escalationOf('e1', [ruleFor(user('ada')), ruleFor(user('grace'), { delayMinutes: 5 })])],
  };
  const unanswered = { ...view(things), isUnanswered: () => true };
  const lookUpAt = ({ state }: Flow, change: Partial<EscalationState['alert']> = {}, known = view(things)) =>
    finished(nextPage({ ...state, alert: { ...state.alert, ...change } }, known, () => false)).lookUpAt;

  it('may come at the first look-up, before the page of the next rule', () => {
    expect(lookUpAt(new Flow([user('ada')], things, ['ada']))).toEqual(new Date('2026-01-01T00:00:02.000Z'));
    expect(lookUpAt(new Flow([user('ada')], things))).toBeUndefined();
  });

  it('comes from a team, and not from a user, while the alert is acknowledged', () => {
    const acknowledged = { acknowledged: true };

    expect(lookUpAt(new Flow([user('ada')], things, ['ada']), acknowledged)).toBeUndefined();
    expect(lookUpAt(new Flow([team], things, ['t1']), acknowledged)).toEqual(new Date('2026-01-01T00:00:02.000Z'));
  });

  it('may come after the last rule, where directory does not answer for its recipient', () => {
    const state = new Flow([{ type: 'escalation', id: 'e1' }], things);
    const graceIsUnanswered = {
      ...unanswered,
      user: (id: string) => (id === 'grace' ? undefined : view(things).user(id)),
    };

    expect(lookUpAt(state, {}, graceIsUnanswered)).toEqual(new Date('2026-01-01T00:05:02.000Z'));
  });
});
