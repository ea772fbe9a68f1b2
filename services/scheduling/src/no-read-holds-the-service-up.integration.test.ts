import type { RequestListener } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import type { ConditionSet, TeamState, UserState } from '@tocsin/events';
import { hashSessionToken } from '@tocsin/http';
import { MAX_TURN_MS, measuredAnswer } from '@tocsin/testkit';
import { CalendarLinkStore } from './calendar-links/store.ts';
import { testApp, type TestApp } from './testing/app-fixture.ts';
import { storeConfiguration } from './testing/mongo-fixture.ts';
import {
  escalationOf,
  forwardingOf,
  rotationOf,
  ruleFor,
  scheduleOf,
  teamOf,
  userOf,
} from './testing/on-call-samples.ts';

const many = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));

/** Of characters that take three bytes each. */
const wide = (length: number): string => '√'.repeat(length);

const DAY_MS = 86_400_000;
const day = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * DAY_MS);
const user = (index: number) => ({ type: 'user', id: `user-${index % 500}` }) as const;

/** Two people by turns of an hour, at every hour. */
const hourly = (index: number) =>
  rotationOf([user(index), user(index + 1)], { id: `hourly-${index}`, type: 'hourly', startAt: day(-100) });

const schedules = [
  scheduleOf('hours', many(4, hourly), { name: 'hours' }),
  scheduleOf(
    'rotations',
    many(500, (index) =>
      rotationOf(
        many(30, (each) => user(index + each)),
        { id: `rotation-${index}` },
      ),
    ),
  ),
  scheduleOf(
    'escalations',
    many(200, (index) => rotationOf([{ type: 'escalation', id: 'all' }, user(1)], { id: `opened-${index}` })),
  ),
  scheduleOf(
    'overrides',
    many(20, (index) => rotationOf([user(index)], { id: `overridden-${index}` })),
    {
      overrides: many(1_000, (index) => ({
        alias: `override-${index} ${wide(50)}`,
        user: user(index),
        rotationIds: many(10, (each) => `overridden-${each}`),
        startAt: day(-10 + (index % 100)),
        endAt: day(index % 100),
      })),
    },
  ),
  scheduleOf(
    'of-gone',
    many(500, (index) =>
      rotationOf(
        many(30, (each) => ({ type: 'user', id: `gone-${(index * 30 + each) % 400}` }) as const),
        { id: `gone-${index}` },
      ),
    ),
  ),
  ...many(5_000, (index) =>
    scheduleOf(
      `schedule-${index}`,
      many(4, (each) => rotationOf([user(index), user(index + each)], { id: `r-${index}-${each}` })),
    ),
  ),
].map((schedule, index) => ({ ...schedule, createdAt: new Date(day(0).getTime() + index) }));

const escalations = [
  escalationOf(
    'all',
    many(1_000, () => ruleFor({ type: 'team', id: 'large' }, { notifyType: 'all' })),
  ),
  ...many(3_000, (index) =>
    escalationOf(
      `escalation-${index}`,
      many(10, (each) => ruleFor(user(index + each))),
    ),
  ),
  escalationOf(
    'of-gone',
    many(1_000, () => ruleFor({ type: 'schedule', id: 'of-gone' })),
  ),
  escalationOf(
    'of-teams',
    many(1_000, (index) => ruleFor({ type: 'team', id: `team-${index % 200}` }, { notifyType: 'all' })),
  ),
];

/** A user with the rules for new alerts that cost readiness the most; none of them holds at all times. */
function userWithRules(id: string, criteria: readonly ConditionSet[]): UserState {
  const contact = { method: 'email', to: `${id}@example.com` } as const;
  const minutes = many(15, (index) => ({
    startDay: 'monday' as const,
    endDay: 'sunday' as const,
    startHour: index,
    startMin: 0,
    endHour: index,
    endMin: 30,
  }));
  return {
    ...userOf(id),
    contacts: [{ id: 'contact', ...contact, enabled: true }],
    notificationRules: criteria.map((set, order) => ({
      id: `rule-${order}`,
      name: 'New alerts',
      actionType: 'create-alert',
      order,
      enabled: true,
      criteria: set,
      timeRestriction: { type: 'weekday-and-time-of-day', restrictions: minutes },
      steps: [{ id: 'step', contact, sendAfterMinutes: 0, enabled: true }],
    })),
  };
}

const equal = (field: string, expectedValue: string) => ({
  field,
  not: false,
  operation: 'equals' as const,
  expectedValue,
});
const sameMessage = {
  type: 'match-all-conditions' as const,
  conditions: many(49, () => equal('message', 'x')),
};
const priorities = (count: number) => ({
  type: 'match-any-condition' as const,
  conditions: many(count, (index) => equal('priority', `P${(index % 4) + 2}`)),
});
const USERS_WITH_RULES = [
  userWithRules(
    'user-0',
    many(132, () => ({ ...sameMessage })),
  ),
  userWithRules(
    'user-1',
    many(6, () => priorities(1_000)),
  ),
  userWithRules(
    'user-2',
    many(100, () => priorities(50)),
  ),
];

/** The team whose routing rules lead where no user is. */
function routed(): TeamState {
  const team = teamOf('routed', {}, { type: 'escalation', id: 'of-gone' });
  const [last] = team.routingRules;
  if (last === undefined) throw new Error('no default rule');
  const others = many(200, (order) => ({
    ...last,
    id: `rule-${order}`,
    isDefault: false,
    order,
    criteria: {
      type: 'match-any-condition' as const,
      conditions: [equal('message', `${order}`), ...priorities(1_000).conditions],
    },
  }));
  return { ...team, routingRules: [...others, { ...last, order: 200 }] };
}

/** Each user has forty, none of which leads to the next. */
const forwardingRules = many(10_000, (index) =>
  forwardingOf(`user-${(index * 2) % 500}`, `user-${(index * 2 + 1) % 500}`, {
    id: `forwarding-${index}`,
    startAt: day(400 + index),
    endAt: day(401 + index),
  }),
);

let app: TestApp;

async function fill(): Promise<void> {
  app = await testApp();
  for (const index of many(500, (each) => each)) app.users.put(`user-${index}`, userOf(`user-${index}`));
  const members = Object.fromEntries(many(500, (index) => [`user-${index}`, 'user']));
  for (const one of USERS_WITH_RULES) app.users.put(one.id, one);
  const large = teamOf('large', members, { type: 'none' });
  app.teams.put('large', large);
  for (const index of many(200, (each) => each)) app.teams.put(`team-${index}`, { ...large, id: `team-${index}` });
  app.teams.put('routed', routed());
  await storeConfiguration(app.connection, { schedules, escalations, forwarding_rules: forwardingRules });
  await new CalendarLinkStore(app.connection).put({
    userId: 'user-1',
    tokenHash: hashSessionToken(LINK_TOKEN),
    createdAt: day(0),
  });
  await app.operations.store.current();
}

const names = ['hours', 'rotations', 'escalations', 'overrides'];

/** Of the calendar link of a user with many shifts. */
const LINK_TOKEN = 'A'.repeat(43);

/** The largest that each read allows, one or several. */
const READS: Readonly<Record<string, readonly string[]>> = {
  'list-schedules': ['/v2/schedules', '/v2/schedules?expand=rotation'],
  'get-schedule': names.map((name) => `/v2/schedules/${name}`),
  'get-schedule-timeline': [
    '/v2/schedules/hours/timeline?interval=1&intervalUnit=months&date=2025-11-01T00:00:00Z',
    '/v2/schedules/hours/timeline?interval=1&intervalUnit=months&date=2026-02-01T00:00:00Z',
    '/v2/schedules/rotations/timeline?interval=6&intervalUnit=days',
    '/v2/schedules/overrides/timeline?interval=1&intervalUnit=weeks',
    '/v2/schedules/escalations/timeline?interval=2&intervalUnit=days',
  ],
  'export-schedule': names.map((name) => `/v2/schedules/${name}.ics`),
  'list-rotations': names.map((name) => `/v2/schedules/${name}/rotations`),
  'get-rotation': ['/v2/schedules/rotations/rotations/rotation-0'],
  'list-overrides': ['/v2/schedules/overrides/overrides'],
  'get-override': [`/v2/schedules/overrides/overrides/${encodeURIComponent(`override-0 ${wide(50)}`)}`],
  'list-on-calls': ['/v2/schedules/on-calls', '/v2/schedules/on-calls?flat=true'],
  'get-on-calls': names.flatMap((name) => [
    `/v2/schedules/${name}/on-calls`,
    `/v2/schedules/${name}/on-calls?flat=true`,
  ]),
  'get-next-on-calls': names.flatMap((name) => [
    `/v2/schedules/${name}/next-on-calls`,
    `/v2/schedules/${name}/next-on-calls?flat=true`,
  ]),
  'export-on-calls': ['/v2/schedules/on-calls/user-1.ics'],
  'list-escalations': ['/v2/escalations'],
  'get-escalation': ['/v2/escalations/all'],
  'list-forwarding-rules': ['/v2/forwarding-rules'],
  'get-forwarding-rule': ['/v2/forwarding-rules/forwarding-1'],
  'list-readiness': ['/v2/readiness', '/v2/readiness?team=large&kind=schedule-gap'],
  'list-user-escalations': ['/v2/users/user-1/escalations'],
  'list-user-schedules': ['/v2/users/user-1/schedules'],
  'list-user-forwarding-rules': ['/v2/users/user-2/forwarding-rules'],
  'get-calendar-link': ['/v2/users/user-1/calendar-link'],
  'get-readiness-mail': ['/v2/users/user-1/readiness-mail'],
  'open-calendar-link': [`/v2/calendars/${LINK_TOKEN}.ics`],
};

/** A report on readiness is kept for a while: before each request a user changes, and so much time passes that it is computed again. */
const listener: RequestListener = (request, response) => {
  app.users.put('user-3', userOf('user-3'));
  app.clock.advance(5_000);
  void app.vouched().then((headers) => {
    Object.assign(request.headers, headers);
    app.listener(request, response);
  });
};

const reads = OPERATIONS.filter(({ method, owner }) => method === 'GET' && owner === 'scheduling');

describe('every read of scheduling', () => {
  beforeAll(fill);

  it('is in this test', () => {
    expect(reads.map(({ id }) => id).sort()).toEqual(Object.keys(READS).sort());
  });

  it.each(Object.keys(READS))('blocks the event loop for at most 20 ms of processor time: %s', async (id) => {
    const slow: string[] = [];
    for (const path of READS[id] ?? []) {
      const { status, longestTurnMs } = await measuredAnswer({ app: listener, path, headers: {} });
      expect({ path, status }).toEqual({ path, status: 200 });
      slow.push(...(longestTurnMs > MAX_TURN_MS ? [`${path}: ${longestTurnMs.toFixed(0)} ms`] : []));
    }
    expect(slow).toEqual([]);
  });
});
