import { describe, expect, it } from '@jest/globals';
import { MATCH_ALL, type EscalationState, type Responder, type TeamState, type UserState } from '@tocsin/contracts';
import type { OnCallAnswer, RoutingView } from './routing-view.ts';
import { observe, type Run } from './run.ts';
import { diskFull } from './run.samples.ts';
import { ruleDue, settled, startRun } from './settle-run.ts';

const at = (clock: string) => new Date(`2026-01-01T${clock}:00Z`);

const user = (id: string): UserState => ({
  id,
  username: `${id}@example.com`,
  fullName: id,
  role: 'user',
  timeZone: 'UTC',
  locale: 'en_US',
  blocked: false,
  contacts: [],
  notificationRules: [],
});

const rule = (
  delayMinutes: number,
  recipient: EscalationState['rules'][number]['recipient'],
  change: Partial<EscalationState['rules'][number]> = {},
): EscalationState['rules'][number] => ({
  condition: 'if-not-acked',
  notifyType: 'default',
  delayMinutes,
  recipient,
  ...change,
});

const escalation = (id: string, rules: EscalationState['rules']): EscalationState => ({
  id,
  name: id,
  description: '',
  rules,
});

const team = (
  id: string,
  notify: TeamState['routingRules'][number]['notify'],
  change: Partial<TeamState> = {},
): TeamState => ({
  id,
  name: id,
  description: '',
  members: [
    { userId: 'ada', role: 'admin' },
    { userId: 'grace', role: 'user' },
  ],
  routingRules: [{ id: 'r0', name: '', isDefault: true, order: 0, timezone: 'UTC', criteria: MATCH_ALL, notify }],
  ...change,
});

interface World {
  readonly teams?: readonly TeamState[];
  readonly escalations?: readonly EscalationState[];
  readonly schedules?: Readonly<Record<string, Partial<OnCallAnswer>>>;
}

const view = ({ teams = [], escalations = [], schedules = {} }: World): RoutingView => ({
  user: (id) => (['ada', 'grace', 'edsger'].includes(id) ? user(id) : undefined),
  team: (id) => teams.find((each) => each.id === id),
  escalation: (id) => escalations.find((each) => each.id === id),
  onCall: (id, _, turn) => {
    const answer = schedules[turn === 'default' ? id : `${id}:${turn}`];
    return answer && { scheduleName: id, userIds: [], opened: [], text: `on call in ${id}`, facts: {}, ...answer };
  },
  pick: (items) => items[0],
});

function runOf(responders: Responder[]): Run {
  const observation = observe(undefined, {
    alertId: 'a1',
    version: 1,
    state: { ...diskFull, responders },
    facts: [],
    acceptedAt: '2026-01-01T00:00:00.000Z',
  });
  if (observation.kind !== 'started') throw new Error('the sample does not start a flow');
  return observation.run;
}

function start(responders: Responder[], world: World) {
  const run = runOf(responders);
  const effects = startRun(run, view(world), at('00:00'));
  return { run: settled(run, effects), effects, view: view(world) };
}

const paged = (effects: { pages: readonly { userId: string }[] }) => effects.pages.map(({ userId }) => userId);

describe('the start of a run', () => {
  it('pages a user and the users on call at once', () => {
    const world = { schedules: { s1: { userIds: ['grace'] } } };
    const { effects } = start(
      [
        { type: 'user', id: 'ada' },
        { type: 'schedule', id: 's1' },
      ],
      world,
    );
    expect(paged(effects)).toEqual(['ada', 'grace']);
    expect(effects.pages[0]?.pageId).toBe('a1:1:user:ada:-:0:ada:create-alert');
    expect(effects.pages[1]?.why).toBe('on call in schedule [s1]');
  });

  it('routes a team by its default rule to an escalation, fires what is due and leaves timers for the rest', () => {
    const { effects, run } = start([{ type: 'team', id: 'ops' }], {
      teams: [team('ops', { type: 'escalation', id: 'e1' })],
      escalations: [escalation('e1', [rule(0, { type: 'user', id: 'ada' }), rule(5, { type: 'user', id: 'grace' })])],
    });
    expect(paged(effects)).toEqual(['ada']);
    expect(effects.timers).toEqual([
      { alertId: 'a1', branchId: run.branches[0]?.id, ruleIndex: 1, epoch: 1, dueAt: at('00:05') },
    ]);
  });

  it('takes the first routing rule whose criteria hold before the default one', () => {
    const ops = team('ops', { type: 'none' });
    const disks = {
      ...ops.routingRules[0],
      id: 'r1',
      name: 'disks',
      isDefault: false,
      timezone: 'UTC',
      order: 7,
      criteria: {
        type: 'match-all-conditions' as const,
        conditions: [{ field: 'message', not: false, operation: 'contains' as const, expectedValue: 'Disk' }],
      },
      notify: { type: 'schedule' as const, id: 's1' },
    };
    const { effects } = start([{ type: 'team', id: 'ops' }], {
      teams: [{ ...ops, routingRules: [...ops.routingRules, disks] }],
      schedules: { s1: { userIds: ['ada'] } },
    });
    expect(paged(effects)).toEqual(['ada']);
  });

  it('says so when a routing rule notifies nobody, and when there is no responder', () => {
    const nobody = start([{ type: 'team', id: 'ops' }], { teams: [team('ops', { type: 'none' })] });
    expect(nobody.effects.verdicts).toMatchObject([{ subject: 'routing-rule', outcome: 'nobody' }]);
    expect(start([], {}).effects.verdicts).toMatchObject([{ subject: 'responders', outcome: 'none' }]);
  });

  it('goes on at once to the next rule when nobody is on call, and says so', () => {
    const { effects } = start([{ type: 'escalation', id: 'e1' }], {
      escalations: [
        escalation('e1', [
          rule(0, { type: 'schedule', id: 's1' }),
          rule(5, { type: 'schedule', id: 's1' }, { notifyType: 'next' }),
          rule(10, { type: 'team', id: 'ops' }, { notifyType: 'all' }),
        ]),
      ],
      teams: [team('ops', { type: 'none' })],
      schedules: { s1: {}, 's1:next': {} },
    });
    expect(paged(effects)).toEqual(['ada', 'grace']);
    expect(effects.timers).toEqual([]);
    expect(effects.verdicts.filter(({ outcome }) => outcome === 'nobody')).toHaveLength(4);
  });

  it('pages a user once, however many ways lead there', () => {
    const { effects } = start(
      [
        { type: 'user', id: 'ada' },
        { type: 'schedule', id: 's1' },
      ],
      { schedules: { s1: { userIds: ['ada'] } } },
    );
    expect(paged(effects)).toEqual(['ada']);
    expect(effects.verdicts.map(({ outcome }) => outcome)).toContain('folded');
  });

  it('skips what does not exist any more, says so, and goes on', () => {
    const { effects } = start(
      [
        { type: 'user', id: 'gone' },
        { type: 'team', id: 'gone' },
        { type: 'schedule', id: 'gone' },
        { type: 'escalation', id: 'gone' },
        { type: 'user', id: 'ada' },
      ],
      {},
    );
    expect(paged(effects)).toEqual(['ada']);
    expect(effects.verdicts.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(4);
  });

  it('ends where teams and escalations lead back to each other', () => {
    const { effects } = start([{ type: 'team', id: 'ops' }], {
      teams: [team('ops', { type: 'escalation', id: 'e1' })],
      escalations: [escalation('e1', [rule(0, { type: 'team', id: 'ops' }), rule(1, { type: 'user', id: 'ada' })])],
    });
    expect(paged(effects)).toEqual(['ada']);
    expect(effects.verdicts.map(({ subject }) => subject)).toContain('path');
  });

  it('opens a team that takes part in a rotation', () => {
    const { effects } = start([{ type: 'schedule', id: 's1' }], {
      teams: [team('ops', { type: 'schedule', id: 's2' })],
      schedules: { s1: { opened: [{ type: 'team', id: 'ops' }] }, s2: { userIds: ['grace'] } },
    });
    expect(paged(effects)).toEqual(['grace']);
  });
});

describe('a rule whose time has come', () => {
  const world: World = {
    teams: [team('ops', { type: 'none' })],
    escalations: [
      escalation('e1', [
        rule(0, { type: 'user', id: 'ada' }),
        rule(5, { type: 'team', id: 'ops' }, { notifyType: 'users' }),
        rule(9, { type: 'team', id: 'ops' }, { notifyType: 'admins', condition: 'if-not-closed' }),
      ]),
    ],
  };
  const started = () => start([{ type: 'escalation', id: 'e1' }], world);
  const branch = (run: Run) => run.branches[0]?.id ?? '';

  it('pages, once', () => {
    const { run, view: current } = started();
    const effects = ruleDue(run, branch(run), 1, current, at('00:05'));
    expect(paged(effects)).toEqual(['grace']);
    expect(paged(ruleDue(settled(run, effects), branch(run), 1, current, at('00:05')))).toEqual([]);
  });

  it('is skipped after an acknowledgement unless it asks for not closed', () => {
    const { run, view: current } = started();
    const acknowledged: Run = { ...run, alert: { ...run.alert, acknowledged: true } };
    const skipped = ruleDue(acknowledged, branch(run), 1, current, at('00:05'));
    expect(paged(skipped)).toEqual([]);
    expect(skipped.verdicts).toMatchObject([{ outcome: 'skipped' }]);
    const fired = ruleDue(acknowledged, branch(run), 2, current, at('00:09'));
    expect(fired.pages).toMatchObject([{ userId: 'ada', wantedWhile: 'open' }]);
  });

  it('keeps the rules with which its flow started', () => {
    const { run } = started();
    const changed = view({ ...world, escalations: [escalation('e1', [])] });
    expect(paged(ruleDue(run, branch(run), 1, changed, at('00:05')))).toEqual(['grace']);
  });
});
