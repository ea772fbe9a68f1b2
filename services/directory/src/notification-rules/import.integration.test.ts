import { describe, expect, it } from '@jest/globals';
import { Users } from '@tocsin/events';
import { type TestApp, accountKey, testApp } from '../testing/app-fixture.ts';
import {
  importAndDie,
  importId,
  POINTS_OF_DEATH,
  publishedOn,
  refusalOf,
  resultOf,
} from '../testing/import-fixture.ts';

const [id, other] = [importId(1), importId(2)];
const path = `/v2/imports/notification-rules/${id}`;
const contacts = [
  { id: importId(11), method: 'email', to: 'ada@example.com' },
  { id: importId(12), method: 'sms', to: '44-2079460000' },
];
const user = { username: 'ada@example.com', fullName: 'Ada', role: { name: 'user' }, contacts };
const step = (n: number, method: string, to: string, sendAfter?: number) => ({
  id: importId(n),
  contact: { method, to },
  ...(sendAfter !== undefined && { sendAfter: { timeAmount: sendAfter, timeUnit: 'minutes' } }),
  enabled: true,
});
const criteria = {
  type: 'match-all-conditions',
  conditions: [{ field: 'priority', operation: 'equals', expectedValue: 'P1' }],
};
const urgent = {
  id: importId(41),
  name: 'Urgent',
  actionType: 'create-alert',
  enabled: true,
  criteria,
  timeRestriction: { type: 'time-of-day', restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 } },
  steps: [step(51, 'sms', '44-2079460000', 0), step(52, 'mobile', 'an app', 5)],
  repeat: { loopAfter: 10 },
};
const rest = {
  ...urgent,
  id: importId(42),
  name: 'Rest',
  criteria: undefined,
  enabled: false,
  steps: [step(53, 'email', 'Ada@Example.com', 1)],
};
const shift = {
  id: importId(43),
  name: 'Before my shift',
  actionType: 'schedule-start',
  notificationTime: ['1-hour-ago'],
  schedules: [{ type: 'schedule', id: 'night' }],
  enabled: true,
  steps: [step(54, 'email', 'ada@example.com')],
};
const body = { rules: [shift, urgent, rest] };

async function stage(): Promise<TestApp> {
  const app = await testApp();
  await app.put(`/v2/imports/users/${id}`, user);
  await app.put(`/v2/imports/teams/${other}`, { name: 'Ops', members: [{ user: { id } }] });
  app.scheduling.addSchedule('night', 'Night shift', other);
  app.scheduling.addSchedule('day', 'Day shift');
  return app;
}

const rulesOf = async ({ get }: TestApp, of = id) => {
  const all = ((await get(`/v2/users/${of}/notification-rules`)).body as { data: { id: string }[] }).data;
  const one = async (rule: string) =>
    ((await get(`/v2/users/${of}/notification-rules/${rule}`)).body as { data: unknown }).data;
  return Promise.all(all.map((rule) => one(rule.id)));
};

describe('PUT /v2/imports/notification-rules/{identifier}', () => {
  it('replaces all rules of a user in one write, with the ids of the body, each type in its order', async () => {
    const app = await stage();
    expect(await resultOf(app, path, body)).toBe('Updated');
    expect(await rulesOf(app)).toMatchObject([
      { id: urgent.id, name: 'Urgent', order: 0, criteria, steps: urgent.steps, repeat: { loopAfter: 10 } },
      {
        id: rest.id,
        name: 'Rest',
        order: 1,
        enabled: false,
        steps: [{ id: importId(53), contact: { to: 'ada@example.com' } }],
      },
      {
        id: shift.id,
        order: 0,
        notificationTime: ['1-hour-ago'],
        schedules: [{ id: 'night' }],
        steps: [{ id: importId(54) }],
      },
    ]);
    expect(await publishedOn(app.stores, Users.name)).toHaveLength(2);
  });

  it('says Unchanged to the same body, also without ids, and then neither writes nor publishes', async () => {
    const app = await stage();
    const withoutIds = {
      rules: body.rules.map((rule) => ({
        ...rule,
        id: undefined,
        steps: rule.steps.map((each) => ({ ...each, id: undefined })),
      })),
    };
    expect(await resultOf(app, path, withoutIds)).toBe('Updated');
    expect(await resultOf(app, path, withoutIds)).toBe('Unchanged');
    await app.put(path, body);
    expect(await resultOf(app, path, { rules: [urgent, shift, rest] })).toBe('Unchanged');
    expect(await publishedOn(app.stores, Users.name)).toHaveLength(3);
  });

  it('keeps what the rules say through a repeated import of the user, and leaves none where the list is empty', async () => {
    const app = await stage();
    await app.put(path, body);
    const before = await rulesOf(app);
    expect(await resultOf(app, `/v2/imports/users/${id}`, user)).toBe('Unchanged');
    expect(await rulesOf(app)).toEqual(before);
    expect(await resultOf(app, path, { rules: [] })).toBe('Updated');
    expect(await rulesOf(app)).toEqual([]);
  });

  it('refuses the ids of rules and steps of another user', async () => {
    const app = await stage();
    await app.put(path, body);
    const bob = { ...user, username: 'bob@example.com', contacts: [] };
    await app.put(`/v2/imports/users/${other}`, bob);
    const mail = { ...urgent, steps: [step(51, 'email', 'bob@example.com', 0)] };
    for (const [rule, taken] of [
      [{ ...mail, steps: [] }, urgent.id],
      [{ ...mail, id: undefined }, importId(51)],
    ] as const)
      expect(await app.put(`/v2/imports/notification-rules/${other}`, { rules: [rule] })).toMatchObject({
        status: 409,
        body: { message: `The id [${taken}] is that of a contact or notification rule of user [ada@example.com].` },
      });
    expect(await rulesOf(app, other)).toHaveLength(7);
  });

  it.each([
    ['rules', {}],
    ['rules[0].name', { rules: [{ ...urgent, name: '' }] }],
    ['rules[1].id', { rules: [urgent, { ...rest, id: urgent.id }] }],
    ['rules[1].steps[0].id', { rules: [urgent, { ...rest, steps: [urgent.steps[0]] }] }],
    ['rules[0].steps[0].sendAfter', { rules: [{ ...urgent, steps: [step(51, 'sms', '44-2079460000')] }] }],
    ['rules[1].notificationTime', { rules: [urgent, { ...shift, notificationTime: [] }] }],
    ['rules[1].schedules[0]', { rules: [urgent, { ...shift, schedules: [{ id: 'day' }] }] }],
  ])('answers 422 that names %s, and changes nothing', async (field, wrong) => {
    const app = await stage();
    await app.put(path, body);
    const before = await rulesOf(app);
    expect(await refusalOf(app, path, wrong)).toEqual([422, [field]]);
    expect(await rulesOf(app)).toEqual(before);
  });

  it('answers 404 for an unknown user, contact or schedule, and 403 to the key of a team', async () => {
    const app = await stage();
    expect((await app.put(`/v2/imports/notification-rules/${other}`, body)).status).toBe(404);
    expect((await app.put(path, { rules: [{ ...rest, steps: [step(53, 'voice', '1-2', 0)] }] })).status).toBe(404);
    expect((await app.put(path, { rules: [{ ...shift, schedules: [{ id: 'gone' }] }] })).status).toBe(404);
    expect((await app.put(path, body, { ...accountKey, teamId: 'team' })).status).toBe(403);
  });

  it.each(POINTS_OF_DEATH)('is done once by a repeat after the process died %j', async (dieAt) => {
    const app = await stage();
    const plain = { rules: [urgent, rest] };
    await importAndDie(app.stores, { dieAt, path, body: plain });
    const isWritten = dieAt.when === 'after' && dieAt.command === 'commitTransaction';
    expect(await resultOf(app, path, plain)).toBe(isWritten ? 'Unchanged' : 'Updated');
    expect((await app.stores.users.find({ id }))?.version).toMatchObject({ n: 2 });
    expect(await rulesOf(app)).toMatchObject([{ id: urgent.id }, { id: rest.id }]);
  });
});
