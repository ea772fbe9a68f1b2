import { describe, expect, it } from '@jest/globals';
import { Teams } from '@tocsin/events';
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
const path = `/v2/imports/routing-rules/${id}`;
const criteria = {
  type: 'match-any-condition',
  conditions: [
    { field: 'extra-properties', key: 'k', not: true, operation: 'greater-than', expectedValue: '5' },
    { field: 'message', operation: 'matches', expectedValue: 'a.*' },
  ],
};
const timeRestriction = { type: 'time-of-day', restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 } };
const nights = {
  id: importId(31),
  name: 'Nights',
  timezone: 'Europe/London',
  criteria,
  timeRestriction,
  notify: { type: 'schedule', id: 'night' },
};
const silent = { id: importId(32), notify: { type: 'none' } };
const last = { id: importId(33), name: 'Default', isDefault: true, notify: { type: 'escalation', id: 'steps' } };
const body = { rules: [nights, silent, last] };

async function stage(): Promise<TestApp> {
  const app = await testApp();
  app.scheduling.addSchedule('night', 'Night shift');
  app.scheduling.addEscalation('steps', 'Steps');
  await app.put(`/v2/imports/teams/${id}`, { name: 'Ops' });
  return app;
}

const rulesOf = async ({ get }: TestApp, team = id) =>
  ((await get(`/v2/teams/${team}/routing-rules`)).body as { data: unknown }).data;
const linesOf = async ({ get }: TestApp) =>
  ((await get(`/v2/teams/${id}/logs?order=asc`)).body as { data: { logs: readonly { log: string }[] } }).data.logs.map(
    ({ log }) => log,
  );

describe('PUT /v2/imports/routing-rules/{identifier}', () => {
  it('replaces all rules of a team in one write, with the ids and the order of the body', async () => {
    const app = await stage();
    expect(await resultOf(app, path, body)).toBe('Updated');
    expect(await rulesOf(app)).toMatchObject([
      { ...nights, isDefault: false, order: 0, notify: { ...nights.notify, name: 'Night shift' } },
      { id: silent.id, name: '', isDefault: false, order: 1, timezone: 'Europe/Rome', criteria: { type: 'match-all' } },
      { id: last.id, name: 'Default', isDefault: true, order: 2, notify: { id: 'steps' } },
    ]);
    expect(await publishedOn(app.stores, Teams.name)).toHaveLength(2);
    expect(await linesOf(app)).toEqual([
      'Team [Ops] is created.',
      'Routing rule [Nights] is created.',
      'Routing rule [at place 1] is created.',
      'Routing rule [Default] is created.',
      'Routing rule [Default Routing Rule] is deleted.',
    ]);
  });

  it('says Unchanged to the same body, also without ids, and then neither writes nor publishes', async () => {
    const app = await stage();
    const withoutIds = { rules: body.rules.map((rule) => ({ ...rule, id: undefined })) };
    const [before] = (await rulesOf(app)) as { id: string }[];
    expect(await resultOf(app, path, withoutIds)).toBe('Updated');
    expect(await rulesOf(app)).toMatchObject([{}, {}, { id: before?.id }]);
    expect(await resultOf(app, path, withoutIds)).toBe('Unchanged');
    await app.put(path, body);
    expect(await resultOf(app, path, body)).toBe('Unchanged');
    expect(await publishedOn(app.stores, Teams.name)).toHaveLength(3);
  });

  it('moves, changes and deletes rules by their ids', async () => {
    const app = await stage();
    await app.put(path, body);
    const lines = (await linesOf(app)).length;
    const changed = { rules: [silent, { ...nights, timezone: 'UTC' }, last] };
    expect(await resultOf(app, path, changed)).toBe('Updated');
    expect(await resultOf(app, path, { rules: [nights, { id: last.id, notify: last.notify }] })).toBe('Updated');
    expect((await linesOf(app)).slice(lines)).toEqual([
      'Routing rule [at place 0] is moved from place 1 to 0.',
      'Routing rule [Nights] is changed.',
      'Routing rule [Nights] is moved from place 0 to 1.',
      'Routing rule [Nights] is changed.',
      'Routing rule [Default Routing Rule] is changed.',
      'Routing rule [at place 0] is deleted.',
    ]);
  });

  it('refuses the id of a rule of another team', async () => {
    const app = await stage();
    await app.put(path, body);
    await app.put(`/v2/imports/teams/${other}`, { name: 'Web' });
    const before = await rulesOf(app, other);
    expect(await app.put(`/v2/imports/routing-rules/${other}`, body)).toMatchObject({
      status: 409,
      body: { message: `The id [${nights.id}] is that of a role or routing rule of team [Ops].` },
    });
    expect(await rulesOf(app, other)).toEqual(before);
  });

  it.each([
    ['rules', {}],
    ['rules', { rules: [] }],
    ['rules', { rules: Array.from({ length: 101 }, () => silent) }],
    ['rules[0].notify', { rules: [{ ...nights, notify: undefined }, last] }],
    ['rules[1].id', { rules: [nights, { ...last, id: nights.id }] }],
    ['rules[0].isDefault', { rules: [{ ...nights, isDefault: true }, last] }],
    ['rules[1].isDefault', { rules: [silent, { ...last, isDefault: false }] }],
    ['rules[1].criteria', { rules: [silent, { ...nights, id: undefined }] }],
    ['rules[0].timezone', { rules: [{ ...silent, timezone: 'nowhere' }, last] }],
  ])('answers 422 that names %s, and changes nothing', async (field, wrong) => {
    const app = await stage();
    await app.put(path, body);
    const before = await rulesOf(app);
    expect(await refusalOf(app, path, wrong)).toEqual([422, [field]]);
    expect(await rulesOf(app)).toEqual(before);
  });

  it('answers 404 for an unknown team or target, and 403 to the key of the team', async () => {
    const app = await stage();
    expect((await app.put(`/v2/imports/routing-rules/${other}`, body)).status).toBe(404);
    const gone = { ...nights, notify: { type: 'schedule', id: 'gone' } };
    expect((await app.put(path, { rules: [gone, last] })).status).toBe(404);
    expect((await app.put(path, body, { ...accountKey, teamId: id })).status).toBe(403);
  });

  it.each(POINTS_OF_DEATH)('is done once by a repeat after the process died %j', async (dieAt) => {
    const app = await stage();
    const quiet = { rules: [{ ...nights, notify: silent.notify }, silent, { ...last, notify: silent.notify }] };
    await importAndDie(app.stores, { dieAt, path, body: quiet });
    const isWritten = dieAt.when === 'after' && dieAt.command === 'commitTransaction';
    expect(await resultOf(app, path, quiet)).toBe(isWritten ? 'Unchanged' : 'Updated');
    expect(await rulesOf(app)).toMatchObject([{ id: nights.id }, { id: silent.id }, { id: last.id }]);
    expect(await linesOf(app)).toHaveLength(5);
  });
});
