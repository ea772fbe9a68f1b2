import { describe, expect, it } from '@jest/globals';
import { finished } from '@tocsin/core';
import {
  escalationOf,
  forwardingOf,
  rotationOf,
  ruleFor,
  scheduleOf,
  snapshotOf,
  teamOf,
  userOf,
} from '../testing/on-call-samples.ts';
import { userNamesOf, nextOnCallSteps, onCallSteps } from './on-call-tree.ts';
import { Budget } from './budget.ts';

const onCallTree = (...asked: Parameters<typeof onCallSteps>) => finished(onCallSteps(...asked));

const at = new Date('2026-01-01T12:00:00Z');
const ada = { type: 'user', id: 'ada', name: 'ada@example.com', participants: [] };
const users = [userOf('ada'), userOf('bob'), userOf('eve')];

describe('onCallTree', () => {
  it('opens a team to the target of its default rule and an escalation to all its rules', () => {
    const inner = scheduleOf('inner', [
      rotationOf([
        { type: 'user', id: 'ada' },
        { type: 'user', id: 'bob' },
      ]),
    ]);
    const outer = scheduleOf('outer', [rotationOf([{ type: 'team', id: 'sre' }])]);
    const escalation = escalationOf('esc', [
      ruleFor({ type: 'schedule', id: 'inner' }),
      ruleFor({ type: 'schedule', id: 'inner' }, { delayMinutes: 5, notifyType: 'next' }),
      ruleFor({ type: 'team', id: 'sre' }, { delayMinutes: 10, notifyType: 'all' }),
    ]);
    const snapshot = snapshotOf({
      schedules: [inner, outer],
      escalations: [escalation],
      teams: [teamOf('sre', { ada: 'admin', eve: 'user' }, { type: 'escalation', id: 'esc' })],
      users,
    });
    const { participants } = onCallTree(snapshot, outer, at);
    expect(participants).toMatchObject([
      {
        type: 'team',
        name: 'sre',
        participants: [
          {
            type: 'escalation',
            name: 'esc',
            participants: [
              { type: 'schedule', escalationTime: 0, notifyType: 'default', participants: [ada] },
              { type: 'schedule', escalationTime: 5, notifyType: 'next', participants: [{ name: 'bob@example.com' }] },
              { type: 'team', escalationTime: 10, notifyType: 'all', participants: [ada, { name: 'eve@example.com' }] },
            ],
          },
        ],
      },
    ]);
    expect(userNamesOf(participants)).toEqual(['ada@example.com', 'bob@example.com', 'eve@example.com']);
  });

  it('forwards the duty of a user, wherever the user was found', () => {
    const schedule = scheduleOf('ops', [
      rotationOf([{ type: 'user', id: 'ada' }]),
      rotationOf([{ type: 'escalation', id: 'esc' }]),
    ]);
    const snapshot = snapshotOf({
      escalations: [escalationOf('esc', [ruleFor({ type: 'user', id: 'ada' })])],
      users,
      forwardingRules: [forwardingOf('ada', 'bob'), forwardingOf('bob', 'gone')],
    });
    const bob = {
      type: 'user',
      id: 'bob',
      name: 'bob@example.com',
      forwardedFrom: { type: 'user', id: 'ada', name: 'ada@example.com' },
    };
    expect(onCallTree(snapshot, schedule, at)).toMatchObject({
      participants: [bob, { type: 'escalation', participants: [{ ...bob, escalationTime: 0 }] }],
      unknown: [{ type: 'user', id: 'gone' }],
    });
  });

  it('does not open again what is on the path already', () => {
    const circle = scheduleOf('circle', [rotationOf([{ type: 'escalation', id: 'esc' }])]);
    const escalation = escalationOf('esc', [
      ruleFor({ type: 'schedule', id: 'circle' }),
      ruleFor({ type: 'team', id: 'sre' }),
      ruleFor({ type: 'user', id: 'ada' }),
    ]);
    const teams = [teamOf('sre', {}, { type: 'escalation', id: 'esc' })];
    const snapshot = snapshotOf({ schedules: [circle], escalations: [escalation], teams, users });
    expect(onCallTree(snapshot, circle, at).participants).toMatchObject([
      {
        type: 'escalation',
        participants: [
          { type: 'schedule', name: 'circle', participants: [] },
          { type: 'team', participants: [{ type: 'escalation', participants: [] }] },
          { type: 'user', name: 'ada@example.com', escalationTime: 0, notifyType: 'default' },
        ],
      },
    ]);
  });

  it('opens a bounded number of teams, schedules and escalations, however they name each other', () => {
    const ids = Array.from({ length: 12 }, (_, index) => String(index));
    const schedules = ids.map((id) =>
      scheduleOf(
        id,
        ids.map((other) => rotationOf([{ type: 'escalation', id: other }])),
      ),
    );
    const escalations = ids.map((id) =>
      escalationOf(
        id,
        ids.map((other) => ruleFor({ type: 'schedule', id: other })),
      ),
    );
    const first = schedules[0] ?? scheduleOf('', []);
    const { participants } = onCallTree(snapshotOf({ schedules, escalations }), first, at);
    const count = (nodes: typeof participants): number =>
      nodes.reduce((sum, node) => sum + 1 + count(node.participants), 0);
    expect(count(participants)).toBeLessThanOrEqual(12_000);
  });

  it('lists at most about ten thousand users, however often rules name a large team', () => {
    const members = Array.from({ length: 300 }, (_, index) => `m${index}`);
    const team = teamOf('sre', Object.fromEntries(members.map((id) => [id, 'user'])), { type: 'none' });
    const rules = Array.from({ length: 1_000 }, () => ruleFor({ type: 'team', id: 'sre' }, { notifyType: 'all' }));
    const schedule = scheduleOf('ops', [rotationOf([{ type: 'escalation', id: 'esc' }])]);
    const [member = userOf('m')] = users;
    const snapshot = {
      ...snapshotOf({ escalations: [escalationOf('esc', rules)], teams: [team] }),
      user: () => member,
    };
    const [opened] = onCallTree(snapshot, schedule, at).participants;
    const listed = opened?.participants.flatMap((one) => one.participants) ?? [];
    expect([listed.length >= 10_000, listed.length <= 10_300]).toEqual([true, true]);
  });

  it.each([
    ['people', [], [2, 2, 0, 0]],
    ['forwarding rules', [forwardingOf('ada', 'bob'), forwardingOf('bob', 'eve')], [2, 0, 0, 0]],
  ])('opens nothing for a schedule once %s have used up the budget of the answer', (_, forwardingRules, expected) => {
    const escalations = [
      escalationOf('esc', [ruleFor({ type: 'user', id: 'ada' }), ruleFor({ type: 'user', id: 'ada' })]),
    ];
    const snapshot = snapshotOf({ users, escalations, forwardingRules });
    const budget = new Budget(10);
    const found = ['a', 'b', 'c', 'd'].map(
      (id) =>
        onCallTree(snapshot, scheduleOf(id, [rotationOf([{ type: 'escalation', id: 'esc' }])]), at, budget)
          .participants,
    );
    expect(found.map((one) => one[0]?.participants.length ?? 0)).toEqual(expected);
  });

  it('leaves out participants of type none and those that do not exist, and names unknown users and teams', () => {
    const schedule = scheduleOf('ops', [
      rotationOf([{ type: 'none' }]),
      rotationOf([{ type: 'user', id: 'gone' }]),
      rotationOf([{ type: 'team', id: 'lost' }]),
      rotationOf([{ type: 'escalation', id: 'missing' }]),
      rotationOf([{ type: 'user', id: 'ada' }]),
    ]);
    expect(onCallTree(snapshotOf({ users }), schedule, at)).toEqual({
      participants: [ada],
      unknown: [
        { type: 'user', id: 'gone' },
        { type: 'team', id: 'lost' },
      ],
    });
  });

  it.each([
    ['users', ['bob@example.com']],
    ['admins', ['ada@example.com']],
    ['all', ['ada@example.com', 'bob@example.com']],
    ['random', ['ada@example.com', 'bob@example.com']],
  ] as const)('lists the members that %s may mean', (notifyType, expected) => {
    const schedule = scheduleOf('ops', [rotationOf([{ type: 'escalation', id: 'esc' }])]);
    const snapshot = snapshotOf({
      escalations: [escalationOf('esc', [ruleFor({ type: 'team', id: 'sre' }, { notifyType })])],
      teams: [teamOf('sre', { ada: 'admin', bob: 'user' }, { type: 'none' })],
      users,
    });
    expect(userNamesOf(onCallTree(snapshot, schedule, at).participants)).toEqual(expected);
  });
});

describe('nextOnCallSteps', () => {
  it('says whose duty comes to whom, also where two users forward to each other', () => {
    const schedule = scheduleOf('ops', [
      rotationOf([
        { type: 'user', id: 'eve' },
        { type: 'user', id: 'ada' },
      ]),
    ]);
    const snapshot = snapshotOf({
      schedules: [schedule],
      users,
      forwardingRules: [forwardingOf('ada', 'bob'), forwardingOf('bob', 'ada')],
    });
    const { byTurn, exact } = finished(nextOnCallSteps(snapshot, schedule, at));
    const bob = {
      type: 'user',
      id: 'bob',
      name: 'bob@example.com',
      forwardedFrom: { type: 'user', id: 'ada', name: 'ada@example.com' },
      participants: [],
    };
    expect([byTurn, exact]).toEqual([[bob], [bob]]);
  });
});
