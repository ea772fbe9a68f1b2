import { describe, expect, it } from '@jest/globals';
import type { Responder, TeamState } from '@tocsin/events';
import { escalationOf, forwardingOf, rotationOf, ruleFor, scheduleOf, teamOf } from '../testing/on-call-samples.ts';
import type { Participant } from '../schedules/schedule.ts';
import type { RoutingView } from './routing.ts';
import type { EscalationState } from './escalation-state.ts';
import { dueRule, outcomes, paged, start, view } from '../testing/transition-samples.ts';
import { dueItems } from './due.ts';
import { applyEffects, fireDue } from './transitions.ts';

const at = (clock: string) => new Date(`2026-01-01T${clock}:00Z`);
const MEMBERS = { ada: 'admin', grace: 'user' };
const userRule = (id: string, delayMinutes: number) => ruleFor({ type: 'user', id }, { delayMinutes });
const onCall = (id: string, ...participants: Participant[]) => scheduleOf(id, [rotationOf(participants)]);
const user = (id: string): Participant => ({ type: 'user', id });

describe('the start of an escalation state', () => {
  it('pages a user and the users on call at once', () => {
    const { effects } = start(
      [
        { type: 'user', id: 'ada' },
        { type: 'schedule', id: 's1' },
      ],
      { schedules: [onCall('s1', user('grace'), user('edsger'))] },
    );
    expect(paged(effects)).toEqual(['ada', 'grace']);
    expect(effects.pages[0]?.pageId).toBe('a1:1:user:ada:-:0:ada:create-alert');
    expect(effects.pages[1]?.why).toBe('on call in schedule [s1]');
  });

  it('pages the user who has taken over the duty, of a user named directly and of one on call, once and with the reason', () => {
    const { effects } = start(
      [
        { type: 'user', id: 'ada' },
        { type: 'schedule', id: 's1' },
      ],
      { schedules: [onCall('s1', user('ada'))], forwardingRules: [forwardingOf('ada', 'grace')] },
    );
    expect(paged(effects)).toEqual(['grace']);
    expect(effects.pages[0]?.why).toBe('responder user, forwarded from ada@example.com');
    expect(effects.findings).toContainEqual(
      expect.objectContaining({
        subject: 'forwarding',
        text: 'Pages of ada@example.com are forwarded to grace@example.com.',
        facts: { branch: 'user:ada', fromUserId: 'ada', toUserId: 'grace', rules: ['ada-grace'] },
      }),
    );
  });

  it('routes a team by its default rule to an escalation, fires the due work and leaves the rest for its time', () => {
    const { effects, state } = start([{ type: 'team', id: 'ops' }], {
      teams: [teamOf('ops', MEMBERS, { type: 'escalation', id: 'e1' })],
      escalations: [escalationOf('e1', [userRule('ada', 0), userRule('grace', 5)])],
    });
    expect(paged(effects)).toEqual(['ada']);
    expect(dueItems(state)).toEqual([
      { kind: 'rule', routeId: state.escalations[0]?.id, ruleIndex: 1, repeatNumber: 0, dueAt: at('00:05') },
    ]);
  });

  it('takes the first routing rule whose criteria hold before the default one (S10)', () => {
    const ops = teamOf('ops', MEMBERS, { type: 'none' });
    const disks: TeamState['routingRules'][number] = {
      id: 'r1',
      name: 'disks',
      isDefault: false,
      timezone: 'UTC',
      order: 7,
      criteria: {
        type: 'match-all-conditions',
        conditions: [{ field: 'message', not: false, operation: 'contains', expectedValue: 'Disk' }],
      },
      notify: { type: 'schedule', id: 's1' },
    };
    const { effects } = start([{ type: 'team', id: 'ops' }], {
      teams: [{ ...ops, routingRules: [...ops.routingRules, disks] }],
      schedules: [onCall('s1', user('ada'))],
    });
    expect(paged(effects)).toEqual(['ada']);
  });

  it('says so when a routing rule notifies no user', () => {
    const { effects } = start([{ type: 'team', id: 'ops' }], { teams: [teamOf('ops', MEMBERS, { type: 'none' })] });
    expect(effects.findings).toMatchObject([{ subject: 'routing-rule', outcome: 'no-recipient' }]);
  });

  it('goes on at once to the next rule when no user is on call, and says so (S9)', () => {
    const empty = { type: 'schedule', id: 's1' } as const;
    const { effects, state } = start([{ type: 'escalation', id: 'e1' }], {
      escalations: [
        escalationOf('e1', [
          ruleFor(empty),
          ruleFor(empty, { delayMinutes: 5, notifyType: 'next' }),
          ruleFor({ type: 'team', id: 'ops' }, { delayMinutes: 10, notifyType: 'all' }),
        ]),
      ],
      teams: [teamOf('ops', MEMBERS, { type: 'none' })],
      schedules: [scheduleOf('s1', [])],
    });
    expect(paged(effects)).toEqual(['ada', 'grace']);
    expect(effects.pages.map(({ pagedAt }) => pagedAt)).toEqual(Array(2).fill(at('00:00').toISOString()));
    expect(dueItems(state)).toEqual([]);
    expect(outcomes(effects).filter((outcome) => outcome === 'no-recipient')).toHaveLength(4);
  });

  it('pages a user once, however many routes lead there', () => {
    const responders: Responder[] = [
      { type: 'user', id: 'ada' },
      { type: 'schedule', id: 's1' },
    ];
    const { effects } = start(responders, { schedules: [onCall('s1', user('ada'))] });
    expect(paged(effects)).toEqual(['ada']);
    expect(outcomes(effects)).toContain('folded');
  });

  it('pages until the close the user whom two rules page at once, where one of them asks for it (A4)', () => {
    const { effects } = start([{ type: 'escalation', id: 'e1' }], {
      escalations: [escalationOf('e1', [userRule('ada', 0), { ...userRule('ada', 0), condition: 'if-not-closed' }])],
    });
    expect(effects.pages).toMatchObject([{ userId: 'ada', cancelOn: 'close' }]);
  });

  it('skips deleted targets, reports them by name, and continues', () => {
    const gone = (['user', 'team', 'escalation'] as const).map((type): Responder => ({ type, id: 'gone' }));
    const { effects } = start([...gone, { type: 'schedule', id: 'gone' }, { type: 'user', id: 'ada' }]);
    expect(paged(effects)).toEqual(['ada']);
    expect(effects.unknown).toEqual(gone);
    expect(outcomes(effects)).toEqual(['unknown', 'unknown', 'unknown', 'no-recipient', 'paged']);
  });

  it('ends where teams and escalations lead back to each other (S4)', () => {
    const { effects } = start([{ type: 'team', id: 'ops' }], {
      teams: [teamOf('ops', MEMBERS, { type: 'escalation', id: 'e1' })],
      escalations: [escalationOf('e1', [ruleFor({ type: 'team', id: 'ops' }), userRule('ada', 1)])],
    });
    expect(paged(effects)).toEqual(['ada']);
    expect(effects.findings.map(({ subject }) => subject)).toContain('path');
  });

  it('routes a team that takes part in a rotation (S4)', () => {
    const { effects } = start([{ type: 'schedule', id: 's1' }], {
      teams: [teamOf('ops', MEMBERS, { type: 'schedule', id: 's2' })],
      schedules: [onCall('s1', { type: 'team', id: 'ops' }), onCall('s2', user('grace'))],
    });
    expect(paged(effects)).toEqual(['grace']);
  });

  it('that is noticed late fires all rules that are due, for the users who are on call now', () => {
    const { effects } = start(
      [{ type: 'escalation', id: 'e1' }],
      {
        escalations: [escalationOf('e1', [ruleFor({ type: 'schedule', id: 's1' }), userRule('edsger', 60)])],
        schedules: [onCall('s1', user('ada'), user('grace'))],
      },
      new Date('2026-01-02T00:30:00Z'),
    );
    expect(effects.pages).toMatchObject([
      { userId: 'grace', pagedAt: '2026-01-01T00:00:00.000Z' },
      { userId: 'edsger', pagedAt: '2026-01-01T01:00:00.000Z' },
    ]);
  });

  it.each([
    ['next', 'grace'],
    ['previous', 'edsger'],
  ] as const)('reaches the %s of a rotation', (notifyType, expected) => {
    const { effects } = start([{ type: 'escalation', id: 'e1' }], {
      escalations: [escalationOf('e1', [ruleFor({ type: 'schedule', id: 's1' }, { notifyType })])],
      schedules: [onCall('s1', user('ada'), user('grace'), user('edsger'))],
    });
    expect(paged(effects)).toEqual([expected]);
  });
});

describe('a rule whose time has come', () => {
  const toMembers = (notifyType: 'users' | 'admins' | 'random', delayMinutes: number) =>
    ruleFor({ type: 'team', id: 'ops' }, { delayMinutes, notifyType });
  const things = {
    teams: [teamOf('ops', MEMBERS, { type: 'none' })],
    escalations: [
      escalationOf('e1', [
        userRule('ada', 0),
        toMembers('users', 5),
        { ...toMembers('admins', 9), condition: 'if-not-closed' as const },
        toMembers('random', 10),
      ]),
    ],
  };
  const started = () => start([{ type: 'escalation', id: 'e1' }], things);
  const due = (state: EscalationState, ruleIndex: number, current: RoutingView, now: Date) =>
    fireDue(state, dueRule(state.escalations[0]?.id ?? '', ruleIndex), current, now);

  it('pages, once', () => {
    const { state, view: current } = started();
    const effects = due(state, 1, current, at('00:05'));
    expect(paged(effects)).toEqual(['grace']);
    expect(paged(due(applyEffects(state, effects), 1, current, at('00:05')))).toEqual([]);
    expect(paged(due(state, 3, current, at('00:10')))).toEqual(['ada']);
  });

  it('is skipped after an acknowledgement unless it asks for not closed (A4)', () => {
    const { state, view: current } = started();
    const acknowledged: EscalationState = { ...state, alert: { ...state.alert, acknowledged: true } };
    const skipped = due(acknowledged, 1, current, at('00:05'));
    expect(paged(skipped)).toEqual([]);
    expect(outcomes(skipped)).toEqual(['skipped']);
    const fired = due(acknowledged, 2, current, at('00:09'));
    expect(fired.pages).toMatchObject([{ userId: 'ada', cancelOn: 'close' }]);
  });

  it('keeps the rules with which its flow started (S9)', () => {
    const { state } = started();
    const changed = view({ ...things, escalations: [] });
    expect(paged(due(state, 1, changed, at('00:05')))).toEqual(['grace']);
  });

  it('of an active escalation that is gone does nothing', () => {
    const { state, view: current } = started();
    expect(fireDue(state, dueRule('escalation:other', 0), current, at('00:05')).findings).toEqual([]);
  });
});
