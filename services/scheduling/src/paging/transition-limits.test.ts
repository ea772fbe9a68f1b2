import { describe, expect, it } from '@jest/globals';
import type { DecisionFinding, TeamState } from '@tocsin/events';
import { finished } from '@tocsin/core';
import type { Schedule } from '../schedules/schedule.ts';
import {
  escalationOf,
  forwardingOf,
  rotationOf,
  ruleFor,
  scheduleOf,
  teamOf,
  userOf,
} from '../testing/on-call-samples.ts';
import { openAlert } from '../testing/alert-samples.ts';
import { paged, start, view } from '../testing/transition-samples.ts';
import { applyEvent } from './apply-event.ts';
import { compileRouting, type RoutingView } from './routing.ts';
import { dueItems } from './due.ts';
import { fireDue, openCycle } from './transitions.ts';

const many = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));
const user = (id: string) => ({ type: 'user', id }) as const;
const about = (findings: readonly DecisionFinding[], subject: string) =>
  findings.filter((finding) => finding.subject === subject);
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const schedule = (id: string, rotations: number): Schedule =>
  scheduleOf(
    id,
    many(rotations, (at) => rotationOf([user(`${id}-${at}`)], { id: `r${at}`, name: `R${at}` })),
  );
const usersOf = (...schedules: readonly Schedule[]) =>
  schedules.flatMap(({ id, rotations }) => rotations.map((_, at) => userOf(`${id}-${at}`)));

/** The effect of the start of a cycle where routing reads `known`. */
function startIn(known: RoutingView, responders: Parameters<typeof start>[0], description = '') {
  const state = openAlert({ description, responders });
  const applied = applyEvent(undefined, {
    alertId: 'a1',
    version: 1,
    state,
    facts: [],
    acceptedAt: state.createdAt,
  });
  if (applied?.opening === undefined) throw new Error('nothing starts');
  return finished(openCycle(applied.state, applied.opening, known, new Date('2026-01-01T00:00:00Z')));
}

/** A team whose patterns cost about half of what the rules of one team may cost for the longest description. */
const expensiveTeam = (id: string): TeamState => {
  const conditions = many(60, (at) => ({
    field: 'description' as const,
    not: false,
    operation: 'matches' as const,
    expectedValue: `.*x${at}y.*`,
  }));
  const team = teamOf(id, {}, { type: 'none' });
  const expensive = { ...team.routingRules[0], id: 'expensive', name: 'expensive', isDefault: false };
  const criteria = { type: 'match-any-condition' as const, conditions };
  return {
    ...team,
    routingRules: [...team.routingRules, { ...expensive, criteria } as TeamState['routingRules'][number]],
  };
};
const LONGEST = 'ab'.repeat(7_500);

describe('the targets of one transition', () => {
  it('resolves a schedule once, and reports its layers once, however many rules lead there', () => {
    const ops = schedule('ops', 2);
    const rules = many(3, () => ruleFor({ type: 'schedule', id: 'ops' }));
    const things = { schedules: [ops], escalations: [escalationOf('e1', rules)], users: usersOf(ops) };
    const { effects } = start([{ type: 'escalation', id: 'e1' }], things);
    const said = about(effects.findings, 'on-call');
    expect(said.map(({ text }) => text)).toEqual(many(3, () => said[0]?.text));
    expect(said[0]?.facts).toMatchObject({ layers: [{ rotation: { id: 'r0' } }, { rotation: { id: 'r1' } }] });
    for (const { facts } of said.slice(1)) {
      expect(facts).toMatchObject({ scheduleId: 'ops', turn: 'default', layersIn: 'escalation:e1' });
      expect(facts).not.toHaveProperty('layers');
    }
  });

  it('reports the layers of each turn of a schedule', () => {
    const things = {
      schedules: [scheduleOf('s1', [rotationOf([user('ada'), user('grace')])])],
      escalations: [
        escalationOf('e1', [
          ruleFor({ type: 'schedule', id: 's1' }),
          ruleFor({ type: 'schedule', id: 's1' }, { notifyType: 'next' }),
        ]),
      ],
    };
    const { effects } = start([{ type: 'escalation', id: 'e1' }], things);
    expect(paged(effects)).toEqual(['ada', 'grace']);
    for (const { facts } of about(effects.findings, 'on-call')) expect(facts).toHaveProperty('layers');
  });

  it('routes a team once, however many rules lead there', () => {
    const ops = teamOf('ops', {}, { type: 'none' });
    const rules = many(50, () => ruleFor({ type: 'team', id: 'ops' }));
    const known = view({ teams: [ops], escalations: [escalationOf('e1', rules)] });
    let asked = 0;
    const routing: RoutingView['routing'] = (team) => (describe, at, exists, sharedBudget) => {
      asked += 1;
      return compileRouting(team)(describe, at, exists, sharedBudget);
    };
    const { findings } = startIn({ ...known, routing }, [{ type: 'escalation', id: 'e1' }]);
    expect(about(findings, 'routing-rule')).toHaveLength(50);
    expect(asked).toBe(1);
  });

  it('evaluates the patterns of ten teams with the most expensive ones, and no more', () => {
    const teams = many(12, (at) => expensiveTeam(`t${at}`));
    const responders = teams.map(({ id }) => ({ type: 'team', id }) as const);
    const { findings } = startIn(view({ teams }), responders, LONGEST);
    const skipped = findings.filter(({ outcome }) => outcome === 'skipped');
    const because = skipped.map(({ facts }) => (facts?.['rules'] as { because: string }[])[0]?.because);
    expect(because.slice(0, 9)).toEqual(many(9, () => 'criteria'));
    expect(because.at(-1)).toBe('too-expensive');
  });
});

describe('the bounds of one transition', () => {
  it('page all users of fifty rules that lead to schedules of fifty rotations, and of teams of fifty members', () => {
    const schedules = many(50, (at) => schedule(`s${at}`, 50));
    const teams = many(50, (at) =>
      teamOf(`t${at}`, Object.fromEntries(many(50, (m) => [`m${m}`, 'user'])), { type: 'none' }),
    );
    const rules = [
      ...schedules.map(({ id }) => ruleFor({ type: 'schedule', id })),
      ...teams.map(({ id }) => ruleFor({ type: 'team', id }, { notifyType: 'all' })),
    ];
    const users = new Map([...usersOf(...schedules), ...many(50, (m) => userOf(`m${m}`))].map((one) => [one.id, one]));
    const known = view({ schedules, teams, escalations: [escalationOf('e1', rules)] });
    const effects = startIn({ ...known, user: (id) => users.get(id) }, [{ type: 'escalation', id: 'e1' }]);
    expect(new Set(paged(effects)).size).toBe(50 * 50 + 50);
    expect(about(effects.findings, 'path')).toEqual([]);
  });

  it('keep all findings of twenty rules that lead to a schedule of fifty rotations', () => {
    const ops = schedule('ops', 50);
    const rules = many(20, () => ruleFor({ type: 'schedule', id: 'ops' }));
    const things = { schedules: [ops], escalations: [escalationOf('e1', rules)], users: usersOf(ops) };
    const { effects } = start([{ type: 'escalation', id: 'e1' }], things);
    expect(effects.pages).toHaveLength(50);
    expect(about(effects.findings, 'decision')).toEqual([]);
  });

  it('page the users who are reached before they are used up, and say that routing stopped', () => {
    const schedules = many(60, (at) => schedule(`s${at}`, 1_000));
    const rules = schedules.map(({ id }) => ruleFor({ type: 'schedule', id }));
    const known = view({ schedules, escalations: [escalationOf('e1', rules)] });
    const effects = startIn({ ...known, user: userOf }, [{ type: 'escalation', id: 'e1' }]);
    expect(effects.pages.length).toBeGreaterThan(5_000);
    expect(paged(effects).slice(0, 2)).toEqual(['s0-0', 's0-1']);
    expect(about(effects.findings, 'path')).toMatchObject([
      { outcome: 'ended', text: expect.stringMatching(/^Routing stopped after/) },
    ]);
  });

  it('leave a rule that is due later to its own time, where one before it is left out', () => {
    const things = {
      escalations: [
        escalationOf(
          'e1',
          many(1_000, () => ruleFor(user('ada'))),
        ),
        escalationOf('e2', [ruleFor(user('ada')), ruleFor(user('grace'), { delayMinutes: 5 })]),
      ],
    };
    const responders = ['e1', 'e2'].map((id) => ({ type: 'escalation', id }) as const);
    const { effects, state, view: known } = start(responders, things);
    expect(about(effects.findings, 'path')).toMatchObject([{ outcome: 'ended' }]);
    const due = dueItems(state).map((item) => fireDue(state, item, known, item.dueAt));
    expect(due.map(paged)).toEqual([['grace']]);
  });

  it('count each forwarding rule that is followed, of long chains too', () => {
    const members = many(1_000, (at) => `m${at}`);
    const things = {
      users: members.map(userOf),
      teams: [teamOf('ops', Object.fromEntries(members.map((id) => [id, 'user'])), { type: 'none' })],
      forwardingRules: members.slice(1).map((id, at) => forwardingOf(`m${at}`, id)),
      escalations: [escalationOf('e1', [ruleFor({ type: 'team', id: 'ops' }, { notifyType: 'all' })])],
    };
    const { effects } = start([{ type: 'escalation', id: 'e1' }], things);
    expect(paged(effects)).toEqual(['m999']);
    expect(about(effects.findings, 'path')).toMatchObject([{ outcome: 'ended' }]);
  });

  it('page a team of a thousand about an alert with a long description, and leave out users beyond 40 MB', () => {
    const teams = many(5, (at) =>
      teamOf(`t${at}`, Object.fromEntries(many(1_000, (m) => [`u${at}-${m}`, 'user'])), { type: 'none' }),
    );
    const rules = teams.map(({ id }) => ruleFor({ type: 'team', id }, { notifyType: 'all' }));
    const known = { ...view({ teams, escalations: [escalationOf('e1', rules)] }), user: userOf };
    const effects = startIn(known, [{ type: 'escalation', id: 'e1' }], 'é'.repeat(15_000));
    expect(effects.pages.length).toBeGreaterThanOrEqual(1_000);
    expect(effects.pages.length).toBeLessThan(1_500);
    expect(about(effects.findings, 'path')).toMatchObject([{ outcome: 'ended' }]);
  });

  it('leave out findings that do not fit into one record, and report how many', () => {
    const ops = schedule('ops', 1_000);
    const rules = many(400, () => ruleFor({ type: 'schedule', id: 'ops' }));
    const users = new Map(usersOf(ops).map((one) => [one.id, one]));
    const known = view({ schedules: [ops], escalations: [escalationOf('e1', rules)] });
    const effects = startIn({ ...known, user: (id) => users.get(id) }, [{ type: 'escalation', id: 'e1' }]);
    const { findings } = effects;
    expect(effects.pages).toHaveLength(1_000);
    expect(bytesOf(findings)).toBeLessThan(850_000);
    expect(findings.filter(({ outcome }) => outcome === 'paged').length).toBeGreaterThan(500);
    const withoutDueItem = about(findings, 'decision');
    expect(findings.at(-1)).toBe(withoutDueItem[0]);
    expect(withoutDueItem).toMatchObject([
      { outcome: 'left-out', text: expect.stringMatching(/^\d+ more findings are left out/) },
    ]);
  });

  it('keep an escalation state one document: of rules, of escalations that follow one another, and of look-ups', () => {
    const long = many(30, (at) =>
      escalationOf(
        `e${at}`,
        many(1_000, () => ruleFor(user('ada'), { delayMinutes: 5 })),
      ),
    );
    const all = scheduleOf(
      'all',
      long.map(({ id }) => rotationOf([{ type: 'escalation', id }], { id })),
    );
    const { state } = start([{ type: 'schedule', id: 'all' }], { schedules: [all], escalations: long });
    expect(state.escalations).toHaveLength(20);

    const chain = {
      schedules: many(60, (at) => scheduleOf(`s${at}`, [rotationOf([{ type: 'escalation', id: `e${at + 1}` }])])),
      escalations: many(60, (at) => escalationOf(`e${at}`, [ruleFor({ type: 'schedule', id: `s${at}` })])),
    };
    const deep = start([{ type: 'escalation', id: 'e0' }], chain);
    expect(deep.state.escalations).toHaveLength(25);
    expect(about(deep.effects.findings, 'path')).toMatchObject([{ outcome: 'ended' }]);

    const unavailable = {
      ...view({
        teams: many(2, (at) =>
          teamOf(`t${at}`, Object.fromEntries(many(999, (m) => [`u${at}-${m}`, 'user'])), { type: 'none' }),
        ),
        escalations: [
          escalationOf(
            'e1',
            many(2, (at) => ruleFor({ type: 'team', id: `t${at}` }, { notifyType: 'all' })),
          ),
        ],
      }),
      isUnanswered: () => true,
    };
    expect(startIn(unavailable, [{ type: 'escalation', id: 'e1' }]).lookUps).toHaveLength(1_000);
  });
});
