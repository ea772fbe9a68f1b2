import { describe, expect, it } from '@jest/globals';
import { escalationOf, forwardingOf, rotationOf, ruleFor, scheduleOf, teamOf } from '../testing/on-call-samples.ts';
import type { Participant } from '../schedules/schedule.ts';
import { dueRule, outcomes, paged, start } from '../testing/transition-samples.ts';
import { dueItems } from './due.ts';
import { applyEffects, fireDue } from './transitions.ts';

const at = (clock: string) => new Date(`2026-01-01T${clock}:00Z`);
const ada: Participant = { type: 'user', id: 'ada' };
const grace: Participant = { type: 'user', id: 'grace' };
const late: Participant = { type: 'escalation', id: 'late' };
const ops: Participant = { type: 'team', id: 'ops' };
const onCall = (id: string, ...participants: Participant[]) => scheduleOf(id, [rotationOf(participants)]);
const toSchedule = ruleFor({ type: 'schedule', id: 's1' });
const toGrace = (delayMinutes: number) => ruleFor({ type: 'user', id: 'grace' }, { delayMinutes });

describe('an escalation on call', () => {
  it('starts all its rules, their delays counted from when the rule that found it was due (S4)', () => {
    const { effects, state, view } = start([{ type: 'escalation', id: 'e1' }], {
      schedules: [onCall('s1', late)],
      escalations: [
        escalationOf('e1', [{ ...toSchedule, delayMinutes: 5 }]),
        escalationOf('late', [toGrace(0), toGrace(10)]),
      ],
    });
    expect(paged(effects)).toEqual([]);
    const due = fireDue(state, dueRule('escalation:e1', 0), view, at('00:05'));
    expect(paged(due)).toEqual(['grace']);
    const after = applyEffects(state, due);
    const [next, ...others] = dueItems(after);
    expect([next, others]).toMatchObject([{ routeId: due.started[0]?.id, ruleIndex: 1, dueAt: at('00:15') }, []]);
    const again = fireDue(after, next ?? dueRule('', 0), view, at('00:15'));
    expect(again.pages).toMatchObject([{ userId: 'grace', pagedAt: at('00:15').toISOString() }]);
  });

  it('is not opened again by a schedule that it pages itself (S4)', () => {
    const { effects } = start([{ type: 'escalation', id: 'late' }], {
      schedules: [onCall('s1', late)],
      escalations: [escalationOf('late', [toSchedule, toGrace(5)])],
    });
    expect(effects.started).toHaveLength(1);
    expect(paged(effects)).toEqual(['grace']);
    expect(outcomes(effects)).toContain('no-recipient');
  });
});

describe('a deleted participant', () => {
  const day = { startAt: at('00:00'), endAt: at('23:00'), rotationIds: undefined };
  const overridden = scheduleOf('s1', [rotationOf([ada])], {
    overrides: [
      { alias: 'older', user: { type: 'user', id: 'grace' }, ...day },
      { alias: 'newer', user: { type: 'user', id: 'gone' }, ...day },
    ],
  });

  it('is not on call by an override: the override before it or the rotation counts (S4)', () => {
    const [, newer] = overridden.overrides;
    const responders = [{ type: 'schedule', id: 's1' } as const];
    const { effects } = start(responders, { schedules: [overridden] });
    expect(paged(effects)).toEqual(['grace']);
    expect(effects.findings[0]?.text).toContain('Override [newer] is skipped: user [gone] does not exist any more.');
    const alone = { ...overridden, overrides: newer ? [newer] : [] };
    expect(paged(start(responders, { schedules: [alone] }).effects)).toEqual(['ada']);
  });

  it.each(['user', 'team', 'escalation'] as const)(
    'has no turn as a %s: the next participant of the rotation has it',
    (type) => {
      const { effects } = start([{ type: 'schedule', id: 's1' }], {
        schedules: [onCall('s1', { type, id: 'gone' }, ada)],
      });
      expect(paged(effects)).toEqual(['ada']);
      expect(effects.findings[0]?.text).toContain(`${type} [gone] is skipped: it does not exist any more.`);
    },
  );
});

describe('a random member of a team', () => {
  it('is one who is known, and the others are looked up', () => {
    const { effects } = start([{ type: 'escalation', id: 'e1' }], {
      teams: [teamOf('ops', { gone: 'user', ada: 'user' }, { type: 'none' })],
      escalations: [escalationOf('e1', [ruleFor({ type: 'team', id: 'ops' }, { notifyType: 'random' }), toGrace(5)])],
    });
    expect(paged(effects)).toEqual(['ada']);
    expect(effects.unknown).toEqual([{ type: 'user', id: 'gone' }]);
  });
});

describe('next and previous of a rotation', () => {
  const rules = (notifyType: 'next' | 'previous') => [escalationOf('e1', [{ ...toSchedule, notifyType }])];
  const responders = [{ type: 'escalation', id: 'e1' } as const];

  it('are routed where they are a team, and opened where they are an escalation', () => {
    const things = {
      schedules: [onCall('s1', ada, ops, late), onCall('s2', grace)],
      teams: [teamOf('ops', { ada: 'admin' }, { type: 'schedule', id: 's2' })],
    };
    const byTeam = start(responders, { ...things, escalations: rules('next') });
    expect(paged(byTeam.effects)).toEqual(['grace']);
    const escalations = [...rules('previous'), escalationOf('late', [toGrace(0)])];
    expect(paged(start(responders, { ...things, escalations }).effects)).toEqual(['grace']);
  });

  it('are forwarded like the user who is on call', () => {
    const things = { schedules: [onCall('s1', ada, grace)], forwardingRules: [forwardingOf('grace', 'edsger')] };
    const { effects } = start(responders, { ...things, escalations: rules('next') });
    expect(paged(effects)).toEqual(['edsger']);
    expect(effects.pages[0]?.why).toContain('forwarded from grace@example.com');
  });

  it('of a rotation that is not active are none: the next rule follows at once', () => {
    const asleep = rotationOf([ada, grace], {
      timeRestriction: { type: 'time-of-day', restriction: { startHour: 9, startMin: 0, endHour: 17, endMin: 0 } },
    });
    const { effects } = start(responders, {
      schedules: [scheduleOf('s1', [asleep])],
      escalations: [escalationOf('e1', [{ ...toSchedule, notifyType: 'next' }, toGrace(30)])],
    });
    expect(paged(effects)).toEqual(['grace']);
    expect(effects.withoutRecipient).toBe(1);
  });
});

describe('a rule for all members of a team', () => {
  it('pages the users to whom members forward, each once', () => {
    const { effects } = start([{ type: 'escalation', id: 'e1' }], {
      teams: [teamOf('ops', { ada: 'admin', grace: 'user', edsger: 'user' }, { type: 'none' })],
      escalations: [escalationOf('e1', [ruleFor({ type: 'team', id: 'ops' }, { notifyType: 'all' })])],
      forwardingRules: [forwardingOf('ada', 'grace')],
    });
    expect(paged(effects)).toEqual(['grace', 'edsger']);
    expect(effects.pages[0]?.why).toBe(
      'rule 1 of escalation [e1], member of team [ops], forwarded from ada@example.com',
    );
  });
});
