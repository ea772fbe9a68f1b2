import { describe, expect, it } from '@jest/globals';
import type { AlertState, ConditionSet, RoutingRuleState, TeamState } from '@tocsin/events';
import { finished } from '@tocsin/core';
import { diskFull, openAlert } from '../testing/alert-samples.ts';
import { escalationOf, rotationOf, scheduleOf, snapshotOf, teamOf, userOf } from '../testing/on-call-samples.ts';
import { applyEvent } from './apply-event.ts';
import { compileRouting, routedSubject, type RoutingView } from './routing.ts';
import { openCycle } from './transitions.ts';

const NIGHT: RoutingRuleState['timeRestriction'] = {
  type: 'time-of-day',
  restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 15 },
};

const condition = (field: string, expectedValue: string): ConditionSet => ({
  type: 'match-any-condition',
  conditions: [{ field, not: false, operation: 'contains', expectedValue }],
});

const ruleOf = (name: string, over: Partial<RoutingRuleState> = {}): RoutingRuleState => ({
  id: `rule-${name}`,
  name,
  isDefault: false,
  order: 0,
  timezone: 'UTC',
  criteria: { type: 'match-all', conditions: [] },
  notify: { type: 'none' },
  ...over,
});

const toSchedule = (id: string) => ({ type: 'schedule', id }) as const;

/** Team `ops`, whose default rule reaches ada, with `rules` before it. */
function opsWith(...rules: readonly RoutingRuleState[]): TeamState {
  const ops = teamOf('ops', {}, toSchedule('day'));
  return { ...ops, routingRules: [...ops.routingRules.map((rule) => ({ ...rule, order: rules.length })), ...rules] };
}

const snapshot = snapshotOf({
  users: [userOf('ada'), userOf('grace')],
  schedules: [
    scheduleOf('day', [rotationOf([{ type: 'user', id: 'ada' }])]),
    scheduleOf('night', [rotationOf([{ type: 'user', id: 'grace' }])]),
  ],
  escalations: [escalationOf('pager', [])],
  teams: [teamOf('ops', {}, { type: 'none' })],
});

function routed(team: TeamState, alert: Partial<AlertState> = {}, firedAt?: Date) {
  const view: RoutingView = {
    ...snapshot,
    team: (id) => (id === team.id ? team : undefined),
    routing: compileRouting,
    pick: (items) => items[0],
  };
  const state = openAlert(alert);
  const event = { alertId: 'a1', version: 1, state, facts: [], acceptedAt: state.flowStartedAt };
  const applied = applyEvent(undefined, event);
  if (applied?.opening === undefined) throw new Error('the sample does not start a flow');
  const { pages, findings } = finished(
    openCycle(applied.state, applied.opening, view, firedAt ?? new Date(state.flowStartedAt)),
  );
  const said = findings.filter(({ subject }) => subject === 'routing-rule');
  return {
    paged: pages.map(({ userId }) => userId),
    said: said.map(({ outcome, text }) => [outcome, text]),
    pages,
    findings,
  };
}

const startedAt = (clock: string) => ({ flowStartedAt: `2026-01-05T${clock}:00.000Z` });

describe('the routing rules of a team', () => {
  it('are skipped where their patterns are too expensive, which is logged (P3)', () => {
    const criteria: ConditionSet = {
      type: 'match-all-conditions',
      conditions: [{ field: 'description', not: true, operation: 'matches', expectedValue: '.*a[ab]{0,990}[cd]' }],
    };
    const { paged, said } = routed(
      opsWith(ruleOf('old', { order: 0, criteria }), ruleOf('next', { order: 1, notify: toSchedule('night') })),
      { description: 'ab'.repeat(7_500) },
    );
    expect(paged).toEqual(['grace']);
    expect(said[0]?.[1]).toBe('Team [ops] skips routing rule [old]: its criteria were not evaluated: too expensive.');
  });

  it('are skipped where their target is deleted, which is logged (S12)', () => {
    const { paged, said } = routed(
      opsWith(
        ruleOf('old', { order: 0, notify: toSchedule('gone') }),
        ruleOf('next', { order: 1, notify: toSchedule('night') }),
      ),
    );
    expect(paged).toEqual(['grace']);
    expect(said[0]?.[1]).toBe(
      'Team [ops] skips routing rule [old]: the schedule that it notifies does not exist any more.',
    );
  });

  it('are tried by their order, whatever the order of the list, the default one last', () => {
    const { paged, said } = routed(
      opsWith(
        ruleOf('second', { order: 1, notify: toSchedule('night') }),
        ruleOf('first', { order: 0, criteria: condition('message', 'CPU') }),
      ),
    );
    expect(paged).toEqual(['grace']);
    expect(said).toEqual([
      ['skipped', 'Team [ops] skips routing rule [first]: the alert does not meet its criteria.'],
      ['matched', 'Routing rule [second] of team [ops] chose the schedule.'],
    ]);
  });

  it.each([
    ['21:59', 'ada'],
    ['22:00', 'grace'],
    ['06:14', 'grace'],
    ['06:15', 'ada'],
  ])('send what starts at %s to %s where a rule holds from 22:00 to 6:15', (clock, expected) => {
    const night = ruleOf('Night', { timeRestriction: NIGHT, notify: toSchedule('night') });
    expect(routed(opsWith(night), startedAt(clock)).paged).toEqual([expected]);
  });

  it('hold on the wall clock of the zone of each rule', () => {
    const tokyo = ruleOf('Tokyo', {
      timeRestriction: NIGHT,
      timezone: 'Asia/Tokyo',
      notify: toSchedule('night'),
    });
    expect(routed(opsWith(tokyo), startedAt('13:00')).paged).toEqual(['grace']);
    const { paged, said } = routed(opsWith(tokyo), startedAt('22:00'));
    expect(paged).toEqual(['ada']);
    expect(said[0]).toEqual([
      'skipped',
      'Team [ops] skips routing rule [Tokyo]: it does not hold at that time in Asia/Tokyo.',
    ]);
  });

  it('are read at the start of the escalation state, also when that is noticed late', () => {
    const night = ruleOf('Night', { timeRestriction: NIGHT, notify: toSchedule('night') });
    expect(routed(opsWith(night), startedAt('05:00'), new Date('2026-01-05T09:00:00Z')).paged).toEqual(['grace']);
  });

  it('page no user where the matching rule notifies none, and report it', () => {
    const { paged, said } = routed(opsWith(ruleOf('', { criteria: condition('tags', 'test') })), { tags: ['test'] });
    expect(paged).toEqual([]);
    expect(said).toEqual([['no-recipient', 'Routing rule 1 of team [ops] notifies no recipient.']]);
  });

  it('page no user where not even the default rule matches at that time, and report it', () => {
    const ops = teamOf('ops', {}, toSchedule('day'));
    const atNight = { ...ops, routingRules: ops.routingRules.map((rule) => ({ ...rule, timeRestriction: NIGHT })) };
    const { paged, said } = routed(atNight, startedAt('12:00'));
    expect(paged).toEqual([]);
    expect(said).toEqual([
      ['skipped', 'Team [ops] skips the default routing rule: it does not hold at that time in UTC.'],
      ['no-recipient', 'No routing rule of team [ops] matches the alert: no recipient is notified.'],
    ]);
  });

  it('are named with their reasons: all in the facts, the first ten in the sentence', () => {
    const tagged = Array.from({ length: 13 }, (_, order) =>
      ruleOf(String(order), { order, criteria: condition('tags', 'none') }),
    );
    const { findings } = routed(opsWith(...tagged));
    expect(findings[0]?.text).toMatch(/^Team \[ops\] skips routing rule \[0\]: .* \[9\]: [a-z ]+; and 3 more[.]$/);
    expect(findings[0]?.facts).toEqual({
      branch: 'team:ops',
      teamId: 'ops',
      rules: tagged.map(({ id }) => ({ ruleId: id, because: 'criteria' })),
    });
    expect(findings[1]?.facts).toMatchObject({ teamId: 'ops', ruleId: 'ops-default', target: toSchedule('day') });
  });

  it('describe an alert once at most, and only for a rule with criteria', () => {
    let described = 0;
    const describeAlert = () => {
      described += 1;
      return {};
    };
    const rules = [1, 2, 3].map((order) => ruleOf(String(order), { order, criteria: condition('message', 'x') }));
    compileRouting(opsWith())(describeAlert, new Date(0), () => true);
    expect(described).toBe(0);
    compileRouting(opsWith(...rules))(describeAlert, new Date(0), () => true);
    expect(described).toBe(1);
  });
});

describe('the fields that criteria compare', () => {
  const responders: AlertState['responders'] = [
    { type: 'team', id: 'ops' },
    { type: 'user', id: 'ada' },
    { type: 'schedule', id: 'day' },
    { type: 'escalation', id: 'pager' },
    { type: 'user', id: 'gone' },
  ];

  it('is the responders of the alert by id and by name (P3)', () => {
    expect(routedSubject({ ...diskFull, responders }, snapshot)).toMatchObject({
      teams: ['ops', 'ops'],
      recipients: ['ada', 'ada@example.com', 'day', 'day', 'pager', 'pager', 'gone'],
    });
  });

  it('is in each page, for the notification rules of its user', () => {
    const known = { type: 'user', id: 'ada', name: 'ada@example.com' };
    const { pages } = routed(opsWith(), {
      responders: [responders[1], responders[4]].filter((each) => each !== undefined),
    });
    expect(pages[0]?.alert.responders).toEqual([known, { type: 'user', id: 'gone' }]);
  });

  it.each([
    ['teams', 'ops'],
    ['recipients', 'ada'],
    ['recipients', 'ada@example.com'],
    ['responders', 'ada@example.com'],
    ['message', 'Disk'],
    ['entity', 'db-1'],
    ['tags', 'night'],
    ['actions', 'restart'],
    ['extra-properties', 'region'],
    ['details', 'region'],
    ['priority', 'P3'],
  ])('is every documented field, such as %s with %s', (field, expectedValue) => {
    const alert = { entity: 'db-1', tags: ['night'], actions: ['restart'], details: { region: 'eu' } };
    const chosen = ruleOf('Chosen', { criteria: condition(field, expectedValue), notify: toSchedule('night') });
    expect(routed(opsWith(chosen), { ...alert, responders: responders.slice(0, 2) }).said[0]?.[0]).toBe('matched');
  });
});
