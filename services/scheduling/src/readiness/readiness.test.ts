import { describe, expect, it } from '@jest/globals';
import type { NotificationRuleState, TeamState, UserState } from '@tocsin/events';
import fc from 'fast-check';
import { finished } from '@tocsin/core';
import { Catalogue } from '../configuration/configuration.ts';
import type { Escalation } from '../escalations/escalation.ts';
import { type ForwardingRule, Forwardings } from '../forwarding/forwarding.ts';
import { covers } from '../on-call/span.ts';
import { timelineOf } from '../on-call/timeline.ts';
import { Budget } from '../on-call/budget.ts';
import type { Schedule } from '../schedules/schedule.ts';
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
import { aScene, aZone, existsIn, NORMAL, runs } from '../testing/random-schedules.ts';
import { LOOK_AHEAD_MS, lengthText } from './finding.ts';
import { countsOf, idOf, readinessSteps } from './readiness.ts';
import { gapsSteps } from './schedule-findings.ts';

const NOW = new Date('2026-03-20T12:00:00Z');
const user = (id: string) => ({ type: 'user', id }) as const;
const mail = (id: string) => ({ method: 'email', to: `${id}@example.com` }) as const;
const RULE: Omit<NotificationRuleState, 'steps'> = {
  id: 'rule',
  name: 'New alerts',
  actionType: 'create-alert',
  order: 0,
  enabled: true,
  criteria: { type: 'match-all', conditions: [] },
};
const newAlerts = (id: string, over: Partial<NotificationRuleState> = {}): NotificationRuleState => ({
  ...RULE,
  steps: [{ id: 'step', contact: mail(id), sendAfterMinutes: 0, enabled: true }],
  ...over,
});

/** A user whom a P1 alert reaches at any time. */
const ready = (id: string, over: Partial<UserState> = {}): UserState => ({
  ...userOf(id),
  contacts: [{ id: 'contact', ...mail(id), enabled: true }],
  notificationRules: [newAlerts(id)],
  ...over,
});

interface Things {
  readonly schedules?: readonly Schedule[];
  readonly escalations?: readonly Escalation[];
  readonly teams?: readonly TeamState[];
  readonly users?: readonly UserState[];
  readonly forwardingRules?: readonly ForwardingRule[];
}

const USERS = [ready('ada'), ready('bob')];

const readiness = (things: Things, now = NOW) => finished(stepsOf(things, now));

function stepsOf(things: Things, now = NOW) {
  const { escalations = [], forwardingRules = [], schedules = [], teams = [], users = USERS } = things;
  const snapshot = snapshotOf({ ...things, users });
  return readinessSteps(
    {
      schedules: new Catalogue(schedules),
      escalations: new Catalogue(escalations),
      forwardingRules: new Catalogue(forwardingRules),
      users,
      teams,
      given: [],
    },
    {
      schedule: (id) => snapshot.schedule(id),
      escalation: (id) => snapshot.escalation(id),
      team: (id) => snapshot.team(id),
      user: (id) => snapshot.user(id),
      exists: ({ id, type }) => snapshot[type](id) !== undefined,
      now: now.getTime(),
    },
  );
}

/** The findings as `severity kind message`. */
const found = (things: Things, now = NOW): readonly string[] =>
  readiness(things, now).findings.map(({ kind, message, severity }) => `${severity} ${kind}: ${message}`);

const pair = (over: Partial<Schedule> = {}): Schedule =>
  scheduleOf('nights', [rotationOf([user('ada'), user('bob')])], { ownerTeamId: 'sre', ...over });

describe('a configuration in which each alert pages a user', () => {
  it('has no finding', () => {
    const teams = [teamOf('sre', { ada: 'admin', bob: 'user' }, { type: 'schedule', id: 'nights' })];
    const escalations = [
      escalationOf('both', [ruleFor({ type: 'schedule', id: 'nights' }), ruleFor(user('bob'), { delayMinutes: 5 })]),
    ];
    expect(found({ schedules: [pair()], teams, escalations })).toEqual([]);
  });
});

describe('a user without a usable contact', () => {
  const message = (why: string) =>
    `error user-without-contact: Schedule [nights] pages ada@example.com, who gets no message: ${why}.`;

  it.each<[string, Partial<UserState>, string]>([
    ['none', { contacts: [] }, 'the user has no contact'],
    [
      'one that is not verified',
      { contacts: [{ id: 'contact', ...mail('ada'), enabled: true, unverified: true }] },
      'no contact of the user is enabled and verified',
    ],
    [
      'one that is disabled',
      { contacts: [{ id: 'contact', ...mail('ada'), enabled: false }] },
      'no contact of the user is enabled and verified',
    ],
    [
      'a browser that is no longer subscribed',
      { contacts: [{ id: 'contact', method: 'mobile', to: 'browser-1', enabled: true, subscriptionEnded: true }] },
      'no contact of the user is enabled and verified',
    ],
    ['a block', { blocked: true }, 'the user is blocked'],
  ])('is an error where a schedule leads to the user, with %s', (_, over, why) => {
    expect(found({ schedules: [pair()], users: [ready('ada', over), ready('bob')] })).toEqual([message(why)]);
  });

  it('is used as a device that no push has reached yet', () => {
    const device = { method: 'mobile', to: 'phone' } as const;
    const ada = ready('ada', {
      contacts: [{ id: 'contact', ...device, enabled: true, unverifiedDevice: true }],
      notificationRules: [
        newAlerts('ada', { steps: [{ id: 's', contact: device, sendAfterMinutes: 0, enabled: true }] }),
      ],
    });
    expect(found({ schedules: [pair()], users: [ada, ready('bob')] })).toEqual([]);
  });

  it('is a warning where nothing leads to the user, but not of those who only read or are blocked', () => {
    const users = [
      ready('ada', { contacts: [] }),
      ready('bob', { contacts: [], role: 'observer' }),
      ready('eve', { contacts: [], role: 'stakeholder' }),
      ready('kim', { contacts: [], blocked: true }),
    ];
    expect(found({ users })).toEqual([
      'warning user-without-contact: An alert with ada@example.com as responder sends no message: the user has no contact.',
    ]);
  });

  it.each<[string, Things]>([
    [
      'Schedule [late]',
      {
        schedules: [
          pair({
            id: 'late',
            name: 'late',
            overrides: [
              {
                alias: 'one',
                user: user('eve'),
                startAt: new Date('2026-03-21T00:00:00Z'),
                endAt: new Date('2026-03-22T00:00:00Z'),
                rotationIds: undefined,
              },
            ],
          }),
        ],
      },
    ],
    ['Escalation [both]', { escalations: [escalationOf('both', [ruleFor(user('ada')), ruleFor(user('eve'))])] }],
    [
      'Escalation [team]',
      {
        escalations: [
          escalationOf('team', [ruleFor({ type: 'team', id: 'ops' }, { notifyType: 'all' }), ruleFor(user('ada'))]),
        ],
        teams: [teamOf('ops', { eve: 'user' }, { type: 'schedule', id: 'nights' })],
        schedules: [pair()],
      },
    ],
    [
      'A forwarding rule of ada@example.com',
      {
        schedules: [pair()],
        forwardingRules: [forwardingOf('ada', 'bob'), forwardingOf('ada', 'eve', { id: 'other' })],
      },
    ],
  ])('names what leads to the user: %s', (lead, things) => {
    expect(found({ ...things, users: [...USERS, ready('eve', { contacts: [] })] })).toEqual([
      `error user-without-contact: ${lead} pages eve@example.com, who gets no message: the user has no contact.`,
    ]);
  });

  it('concerns the teams of the user and those whose schedule leads to the user', () => {
    const teams = [teamOf('ops', { ada: 'user' }, { type: 'schedule', id: 'nights' })];
    const [finding] = readiness({
      schedules: [pair()],
      teams,
      users: [ready('ada', { contacts: [] }), ready('bob')],
    }).findings;
    expect(finding?.teamIds).toEqual(['ops', 'sre']);
  });

  it('names for the key of a team what leads to the user of this team, and nothing of others', () => {
    const schedules = [
      pair({ id: 'nights', name: 'nights', ownerTeamId: 'sre' }),
      pair({ id: 'days', name: 'days', ownerTeamId: 'ops' }),
      pair({ id: 'weekends', name: 'weekends', ownerTeamId: 'ops' }),
    ];
    const [finding] = readiness({ schedules, users: [ready('ada', { contacts: [] }), ready('bob')] }).findings;
    expect(finding?.message).toMatch(/^Schedule \[days\] pages ada/);
    expect(['sre', 'ops', 'web'].map((teamId) => finding?.messageFor?.(teamId).split(' pages ')[0])).toEqual([
      'Schedule [nights]',
      'Schedule [days]',
      'A schedule or an escalation outside the team',
    ]);
  });

  it('is nothing to say of those whom only a rotation that is over or a disabled schedule names', () => {
    const users = [ready('ada', { contacts: [], role: 'observer' }), ready('bob')];
    const over = rotationOf([user('ada')], { endAt: new Date('2026-03-01T00:00:00Z') });
    const schedules = [scheduleOf('over', [over, rotationOf([user('bob'), { type: 'team', id: 'sre' }])])];
    expect(found({ schedules: [...schedules, pair({ enabled: false })], users, teams: [] })).toEqual([]);
  });
});

describe('a user on call without a notification rule for P1', () => {
  const p3 = {
    type: 'match-all-conditions' as const,
    conditions: [{ field: 'priority', not: false, operation: 'equals' as const, expectedValue: 'P3' }],
  };
  const never = (lead = 'Schedule [nights]') =>
    `error user-without-rule: ${lead} pages ada@example.com, who gets no message about a P1 alert: no notification rule for new alerts holds for P1 and has a step to a usable contact.`;

  it.each<[string, NotificationRuleState[]]>([
    ['no rule', []],
    ['a rule that is disabled', [newAlerts('ada', { enabled: false })]],
    ['a rule of another kind', [newAlerts('ada', { actionType: 'add-note' })]],
    ['a rule for another priority', [newAlerts('ada', { criteria: p3 })]],
    ['a rule without steps', [newAlerts('ada', { steps: [] })]],
    [
      'a rule whose step is disabled',
      [newAlerts('ada', { steps: [{ id: 's', contact: mail('ada'), sendAfterMinutes: 0, enabled: false }] })],
    ],
    ['a rule to a contact that is gone', [newAlerts('bob')]],
  ])('is an error with %s', (_, notificationRules) => {
    expect(found({ schedules: [pair()], users: [ready('ada', { notificationRules }), ready('bob')] })).toEqual([
      never(),
    ]);
  });

  it('is nothing where nothing leads to the user', () => {
    expect(found({ users: [ready('ada', { notificationRules: [] })] })).toEqual([]);
  });

  it('is nothing where a rule may hold', () => {
    const criteria = {
      type: 'match-all-conditions' as const,
      conditions: [{ field: 'tags', not: false, operation: 'contains' as const, expectedValue: 'db' }],
    };
    const users = [ready('ada', { notificationRules: [newAlerts('ada', { criteria })] }), ready('bob')];
    expect(found({ schedules: [pair()], users })).toEqual([]);
  });

  it('is looked for one rule at a time', () => {
    let reads = 0;
    const never = { type: 'match-all-conditions' as const, conditions: [...p3.conditions, ...p3.conditions] };
    const notificationRules = Array.from({ length: 132 }, () => ({
      ...newAlerts('ada'),
      get criteria() {
        reads += 1;
        return never;
      },
    }));
    const steps = stepsOf({ schedules: [pair()], users: [ready('ada', { notificationRules })] });
    const readsOfSteps: number[] = [];
    for (let isDone = false; !isDone;) {
      const before = reads;
      isDone = steps.next().done === true;
      readsOfSteps.push(reads - before);
    }
    expect([reads, Math.max(...readsOfSteps)]).toEqual([132, 1]);
  });

  it('is a warning with the times where time restrictions leave some, on the clock of the user', () => {
    const hours = (startHour: number, endHour: number) => ({
      type: 'time-of-day' as const,
      restriction: { startHour, startMin: 0, endHour, endMin: 0 },
    });
    const ada = ready('ada', {
      timeZone: 'Asia/Tokyo',
      notificationRules: [
        newAlerts('ada', { timeRestriction: hours(8, 20) }),
        newAlerts('ada', { id: 'other', timeRestriction: hours(20, 2) }),
      ],
    });
    const { findings } = readiness({ schedules: [pair()], users: [ada, ready('bob')] });
    expect(findings.map(({ kind, severity }) => [kind, severity])).toEqual([['user-without-rule', 'warning']]);
    expect(findings[0]?.message).toContain('84 hours of the next 14 days');
    // 02:00 to 08:00 in Tokyo.
    const [from, until] = ['2026-03-20T17:00:00Z', '2026-03-20T23:00:00Z'].map((at) => Date.parse(at));
    expect(findings[0]?.periods?.[0]).toEqual({ from, until });
    expect(findings[0]?.periods).toHaveLength(14);
  });
});

describe('a schedule', () => {
  const office = {
    type: 'time-of-day' as const,
    restriction: { startHour: 8, startMin: 0, endHour: 20, endMin: 0 },
  };

  it('with times without a user has one finding with all of them', () => {
    const schedules = [scheduleOf('days', [rotationOf([user('ada'), user('bob')], { timeRestriction: office })])];
    const { findings } = readiness({ schedules });
    expect(findings.map(({ message }) => message)).toEqual([
      'No user is on call in schedule [days] for 7 days of the next 14 days, first at 2026-03-20T20:00:00Z: an alert that comes then reaches no user by this schedule.',
    ]);
    expect(findings[0]?.periods).toHaveLength(14);
  });

  it.each<[string, Schedule]>([
    ['no rotation', scheduleOf('empty', [])],
    ['only deleted users', scheduleOf('empty', [rotationOf([user('gone'), user('lost')])])],
    [
      'a rotation that is over',
      scheduleOf('empty', [rotationOf([user('ada'), user('bob')], { endAt: new Date('2026-03-01T00:00:00Z') })]),
    ],
    ['only turns without a user', scheduleOf('empty', [rotationOf([{ type: 'none' }])])],
  ])('has no user at any time with %s', (_, schedule) => {
    expect(found({ schedules: [schedule] })).toEqual([
      'error schedule-gap: No user is on call in schedule [empty] in the next 14 days: an alert that comes then reaches no user by this schedule.',
    ]);
  });

  it('has no gap while an override asks for no user, nor where it is disabled', () => {
    const none = {
      alias: 'holiday',
      user: { type: 'none' } as const,
      startAt: new Date('2026-03-01T00:00:00Z'),
      endAt: new Date('2026-05-01T00:00:00Z'),
      rotationIds: undefined,
    };
    const rotations = [rotationOf([user('ada'), user('bob')], { timeRestriction: office })];
    expect(found({ schedules: [scheduleOf('days', rotations, { overrides: [none] })] })).toEqual([]);
    expect(found({ schedules: [scheduleOf('days', rotations, { enabled: false })] })).toEqual([]);
  });

  it('with more than 10 000 shifts is not looked through, and counted', () => {
    const rotations = Array.from({ length: 40 }, (_, index) =>
      rotationOf([user('ada'), user('bob')], { id: `r${index}`, type: 'hourly', timeRestriction: office }),
    );
    expect(readiness({ schedules: [scheduleOf('many', rotations)] })).toMatchObject({
      findings: [],
      uncheckedSchedules: 1,
    });
  });

  it('has a rotation of one user, which may name the user several times', () => {
    const schedules = [scheduleOf('solo', [rotationOf([user('ada'), user('ada')], { name: 'Primary' })])];
    const { findings } = readiness({ schedules });
    expect(findings.map(({ kind, message }) => [kind, message])).toEqual([
      [
        'rotation-of-one',
        'Rotation [Primary] of schedule [solo] has one user: while ada@example.com does not answer, it pages no other user.',
      ],
    ]);
    expect(findings[0]).toMatchObject({
      part: { type: 'rotation', id: 'rotation' },
      path: '/v2/schedules/solo/rotations/rotation',
    });
  });

  it.each([
    [
      'Europe/Rome',
      '2026-03-20T12:00:00Z',
      '23 hours instead of 24 hours',
      '2026-03-28T23:00:00Z',
      '2026-03-29T22:00:00Z',
    ],
    [
      'Europe/Rome',
      '2026-10-20T12:00:00Z',
      '25 hours instead of 24 hours',
      '2026-10-24T22:00:00Z',
      '2026-10-25T23:00:00Z',
    ],
    [
      'Australia/Lord_Howe',
      '2026-03-28T12:00:00Z',
      '24.5 hours instead of 24 hours',
      '2026-04-04T13:00:00Z',
      '2026-04-05T13:30:00Z',
    ],
  ])('of %s at %s tells of a shift of %s', (timezone, now, lengths, startDate, endDate) => {
    const startAt = new Date(timezone === 'Europe/Rome' ? '2025-12-31T23:00:00Z' : '2025-12-31T13:00:00Z');
    const schedules = [scheduleOf('nights', [rotationOf([user('ada'), user('bob')], { startAt })], { timezone })];
    const { findings } = readiness({ schedules }, new Date(now));
    expect(findings.map(({ kind, message, severity }) => [severity, kind, message])).toEqual([
      [
        'information',
        'clock-change',
        `The clocks change in ${timezone}: a shift of schedule [nights] lasts ${lengths}.`,
      ],
    ]);
    expect(findings[0]?.periods).toEqual([{ from: Date.parse(startDate), until: Date.parse(endDate) }]);
  });

  it('tells of no clock change that no shift contains, nor of shifts of weeks', () => {
    const timezone = 'Europe/Rome';
    const startAt = new Date('2025-12-31T23:00:00Z');
    const weekly = rotationOf([user('ada'), user('bob')], { startAt, type: 'weekly' });
    expect(found({ schedules: [scheduleOf('weeks', [weekly], { timezone })] })).toEqual([]);
    const daily = rotationOf([user('ada'), user('bob')], { startAt });
    expect(found({ schedules: [scheduleOf('days', [daily], { timezone })] }, new Date('2026-02-01T00:00:00Z'))).toEqual(
      [],
    );
  });
});

describe('an escalation', () => {
  const two = [pair()];
  const ends = (whom: string) => [
    `warning escalation-of-one: Escalation [one] pages ${whom} and no other user: where this user does not acknowledge the alert, it ends.`,
  ];

  it('that pages one user ends after this user, also where it pages them again', () => {
    const rules = [ruleFor(user('ada')), ruleFor(user('ada'), { delayMinutes: 5 })];
    expect(found({ escalations: [escalationOf('one', rules)] })).toEqual(ends('ada@example.com'));
  });

  it('that pages the user on call alone ends after this user', () => {
    const rules = [ruleFor({ type: 'schedule', id: 'nights' })];
    expect(found({ schedules: two, escalations: [escalationOf('one', rules)] })).toEqual(
      ends('the one user on call in schedule [nights]'),
    );
  });

  it.each([
    ['random', { ada: 'admin', bob: 'user' }, 'one member of team [ops]'],
    ['admins', { ada: 'admin', bob: 'user' }, 'ada@example.com'],
  ] as const)('that pages %s of a team ends after this user', (notifyType, members, whom) => {
    const teams = [teamOf('ops', members, { type: 'schedule', id: 'nights' })];
    const rules = [ruleFor({ type: 'team', id: 'ops' }, { notifyType })];
    expect(found({ schedules: two, teams, escalations: [escalationOf('one', rules)] })).toEqual(ends(whom));
  });

  it('that may page a second user does not', () => {
    const teams = [teamOf('ops', { ada: 'admin', bob: 'user' }, { type: 'schedule', id: 'nights' })];
    const nights = { type: 'schedule', id: 'nights' } as const;
    const twice = scheduleOf('twice', [
      rotationOf([user('ada'), user('bob')]),
      rotationOf([user('bob'), user('ada')], { id: 'second' }),
    ]);
    const escalations = [
      escalationOf('next', [ruleFor(nights), ruleFor(nights, { notifyType: 'next' })]),
      escalationOf('all', [ruleFor({ type: 'team', id: 'ops' }, { notifyType: 'all' })]),
      escalationOf('routed', [ruleFor({ type: 'team', id: 'ops' })]),
      escalationOf('two', [ruleFor({ type: 'schedule', id: 'twice' })]),
    ];
    expect(found({ schedules: [...two, twice], teams, escalations })).toEqual([]);
  });
});

describe('the routing rules of a team', () => {
  const team = (...rules: Partial<TeamState['routingRules'][number]>[]): TeamState => {
    const base = teamOf('ops', {}, { type: 'schedule', id: 'nights' });
    const [last] = base.routingRules;
    if (last === undefined) throw new Error('no default rule');
    const others = rules.map((rule, order) => ({ ...last, id: `rule-${order}`, isDefault: false, order, ...rule }));
    return { ...base, routingRules: [{ ...last, order: rules.length }, ...others] };
  };
  const onDatabase = {
    type: 'match-all-conditions' as const,
    conditions: [{ field: 'tags', not: false, operation: 'contains' as const, expectedValue: 'db' }],
  };
  const messages = (one: TeamState, more: Things = {}) => found({ schedules: [pair()], teams: [one], ...more });

  it('are named where an earlier one takes all', () => {
    expect(messages(team({ name: 'all' }, { name: 'late', criteria: onDatabase }))).toEqual([
      'warning rule-never-matches: Routing rule [late] of team [ops] matches no alert: routing rule [all] takes each of them before.',
    ]);
    expect(messages(team({ name: 'late', criteria: onDatabase }, { name: 'all' }))).toEqual([]);
  });

  it('are tried by their order, and one whose target was deleted takes no alert', () => {
    const gone = { type: 'schedule', id: 'gone' } as const;
    expect(messages(team({ name: 'all', notify: gone }, { name: 'late', criteria: onDatabase }))).toEqual([
      'warning routing-without-recipient: Routing rule [all] of team [ops] leads to a schedule that was deleted: it is skipped.',
    ]);
    expect(messages(team({ name: 'late', criteria: onDatabase, order: 7 }, { order: 3 }))).toEqual([
      'warning rule-never-matches: Routing rule [late] of team [ops] matches no alert: routing rule 4 takes each of them before.',
    ]);
  });

  it('are named where their conditions contradict each other', () => {
    const [tag] = onDatabase.conditions;
    const criteria = { ...onDatabase, conditions: tag === undefined ? [] : [tag, { ...tag, not: true }] };
    expect(messages(team({ name: 'odd', criteria }))).toEqual([
      'warning rule-never-matches: Routing rule [odd] of team [ops] matches no alert: its conditions contradict each other.',
    ]);
  });

  it.each<[string, Things]>([
    ['nights', { schedules: [pair({ enabled: false })] }],
    ['nights', { schedules: [pair({ rotations: [rotationOf([user('gone')])], overrides: [], enabled: false })] }],
  ])('are named where they lead to a schedule that reaches no user', (_, things) => {
    expect(messages(team(), things)).toEqual([
      'error routing-without-recipient: The default routing rule of team [ops] leads to schedule [nights], which reaches no user: an alert that it takes pages no user.',
    ]);
  });

  it('are named where they lead to an escalation whose recipients are gone', () => {
    const notify = { type: 'escalation', id: 'late' } as const;
    const escalations = [escalationOf('late', [ruleFor(user('gone')), ruleFor({ type: 'team', id: 'gone' })])];
    expect(messages(team({ name: 'all', notify }), { escalations })).toEqual([
      'error routing-without-recipient: Routing rule [all] of team [ops] leads to escalation [late], which reaches no user: an alert that it takes pages no user.',
    ]);
  });

  it('may ask for no recipient, but for the default rule that is a warning', () => {
    expect(messages(team({ name: 'noise', criteria: onDatabase, notify: { type: 'none' } }))).toEqual([]);
    expect(found({ teams: [teamOf('ops', {}, { type: 'none' })] })).toEqual([
      'warning routing-without-recipient: The default routing rule of team [ops] notifies no recipient: an alert that no other rule takes pages no user.',
    ]);
  });
});

describe('all findings', () => {
  it('are sorted by severity, kind and name, and have ids of their own', () => {
    const schedules = [
      scheduleOf('zebra', [rotationOf([user('ada')])]),
      scheduleOf('ant', [rotationOf([user('ada')])]),
      scheduleOf('empty', []),
    ];
    const { findings } = readiness({ schedules, users: [ready('ada', { contacts: [] })] });
    expect(findings.map(idOf)).toEqual([
      'user-without-contact:ada',
      'schedule-gap:empty',
      'rotation-of-one:ant:rotation',
      'rotation-of-one:zebra:rotation',
    ]);
    expect(countsOf(findings)).toMatchObject({ 'schedule-gap': 1, 'rotation-of-one': 2, 'clock-change': 0 });
  });

  it('tell lengths in words', () => {
    expect([1, 60, 90, 1_380, 2_880, 10_080].map((minutes) => lengthText(minutes * 60_000))).toEqual([
      '1 minute',
      '1 hour',
      '1.5 hours',
      '23 hours',
      '2 days',
      '7 days',
    ]);
  });
});

describe('the gaps of any schedule', () => {
  it('are the times at which the final timeline has no period and no override asks for no user', () => {
    const scenes = aZone.chain((zone) => {
      const from = Date.parse('2026-03-20T12:00:00Z');
      return aScene(zone, { from, until: from + LOOK_AHEAD_MS });
    });
    const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(scenes, fc.array(place, { minLength: 20, maxLength: 20 }), (scene, places) => {
        const { forwardingRules, range, schedule } = scene;
        const exists = existsIn(scene);
        const gaps = finished(gapsSteps(schedule, range, exists, new Budget(1_000_000))) ?? [];
        const timeline = timelineOf(schedule, range, { forwardings: new Forwardings(forwardingRules), exists });
        const final = timeline.final.flatMap(({ shifts }) => shifts);
        const none = timeline.override
          .flatMap(({ shifts }) => shifts)
          .filter(({ recipient }) => recipient.type === 'none');
        const edges = [...gaps, ...final, ...none].flatMap(({ from, until }) => [from, until - 1]);
        const instants = [...edges, ...places.map((at) => Math.floor(range.from + at * LOOK_AHEAD_MS))];
        for (const instant of instants.filter((at) => covers(range, at))) {
          const isCovered = [...final, ...none].some((span) => covers(span, instant));
          expect({ instant, gap: gaps.some((gap) => covers(gap, instant)) }).toEqual({ instant, gap: !isCovered });
        }
      }),
      runs(NORMAL),
    );
  });
});
