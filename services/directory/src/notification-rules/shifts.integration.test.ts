import { describe, expect, it } from '@jest/globals';
import { ADA, nights, RULES, rulesApp, type RulesApp, shifts } from '../testing/notification-rule-fixture.ts';

const BOB = 'bob@example.com';

/** A schedule of the service that owns schedules: in its rotations are these users. */
function addSchedule(app: RulesApp, id: string, name: string, userIds: string[], ownerTeamId?: string): void {
  const participants = userIds.map((userId) => ({ type: 'user' as const, id: userId }));
  app.scheduling.schedules.put(id, {
    id,
    name,
    description: '',
    timezone: 'UTC',
    enabled: true,
    ...(ownerTeamId === undefined ? {} : { ownerTeamId }),
    rotations: [{ id: 'r', name: 'Rot1', startDate: '2026-01-01T00:00:00Z', type: 'daily', length: 1, participants }],
  });
}

/** Ada is in the rotation of `Mine` and in the team that owns `Own`, but has nothing to do with `Other`. */
async function withSchedules() {
  const app = await rulesApp();
  const bobId = await app.user(BOB);
  const ops = await app.team('Ops', [{ user: { username: ADA } }]);
  const web = await app.team('Web', [{ user: { username: BOB } }]);
  addSchedule(app, 'mine', 'Mine', [bobId, app.adaId]);
  addSchedule(app, 'own', 'Own', [], ops);
  addSchedule(app, 'other', 'Other', [bobId], web);
  return app;
}

const mine = { type: 'schedule', id: 'mine', name: 'Mine' };
const own = { type: 'schedule', id: 'own', name: 'Own' };
const schedulesOf = (data: unknown) => (data as { schedules: unknown }).schedules;

describe.each(['schedule-start', 'schedule-end'])('a rule of type %s', (actionType) => {
  it('has lead times, in the order in which they are written', async () => {
    const { rule, read } = await rulesApp();
    const notificationTime = ['1-day-ago', 'just-before', '15-minutes-ago', '1-hour-ago'];
    const id = await rule({ ...shifts, actionType, notificationTime });
    expect(await read(`${RULES}/${id}`)).toMatchObject({ notificationTime, schedules: [] });
  });

  it.each([undefined, null, []])('can not do with %j for lead times', async (notificationTime) => {
    const { post, patch, rule, version } = await rulesApp();
    const refused = { status: 422, body: { errors: { notificationTime: 'should be provided' } } };
    expect(await post(RULES, { ...shifts, actionType, notificationTime })).toMatchObject(refused);
    const id = await rule({ ...shifts, actionType });
    expect(await patch(`${RULES}/${id}`, { name: 'Other', notificationTime })).toMatchObject(refused);
    expect(await version()).toBe(2);
  });

  it('answers 422 for a lead time that there is not', async () => {
    const { post } = await rulesApp();
    const { status, body } = await post(RULES, { ...shifts, actionType, notificationTime: ['soon'] });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      errors: { 'notificationTime[0]': 'should be one of [ just-before, 15-minutes-ago, 1-hour-ago, 1-day-ago ]' },
    });
  });
});

describe('the schedules of a rule', () => {
  it('are those in which the user takes turns, and those of their teams, by id or name, each once', async () => {
    const app = await withSchedules();
    const schedules = [{ name: 'Own' }, { id: 'mine', name: '' }, { type: 'Schedule', name: 'Mine' }];
    const id = await app.rule({ ...shifts, schedules });
    expect(schedulesOf(await app.read(`${RULES}/${id}`))).toEqual([own, mine]);
  });

  it('can only be those of the user', async () => {
    const app = await withSchedules();
    const { status, body } = await app.post(RULES, { ...shifts, schedules: [{ id: 'mine' }, { name: 'Other' }] });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { 'schedules[1]': 'should be one of the schedules of the user' } });
    expect(await app.version()).toBe(1);
  });

  it.each([
    [{ name: 'None' }, 'Schedule does not exist with name: None'],
    [{ id: 'none', name: 'Mine' }, 'Schedule does not exist with id: none'],
  ])('answer 404 for %j', async (reference, message) => {
    const app = await withSchedules();
    const { status, body } = await app.post(RULES, { ...shifts, schedules: [reference] });
    expect(status).toBe(404);
    expect(body).toMatchObject({ message });
  });

  it('answer 422 for an invalid reference', async () => {
    const { post } = await withSchedules();
    const { body } = await post(RULES, { ...shifts, schedules: [{ type: 'schedule', name: '' }] });
    expect(body).toMatchObject({ errors: { 'schedules[0]': 'id or name should be provided' } });
  });

  it('are replaced as a whole by a PATCH; without any the rule is about all of them', async () => {
    const app = await withSchedules();
    const path = `${RULES}/${await app.rule({ ...shifts, schedules: [mine] })}`;
    const { notificationTime } = shifts;
    await app.patch(path, { notificationTime, schedules: [own] });
    expect(schedulesOf(await app.read(path))).toEqual([own]);
    await app.patch(path, { notificationTime });
    expect(schedulesOf(await app.read(path))).toEqual([own]);
    await app.patch(path, { notificationTime, schedules: [] });
    expect(schedulesOf(await app.read(path))).toEqual([]);
  });

  it('go by their new names, and by none once they are deleted', async () => {
    const app = await withSchedules();
    const path = `${RULES}/${await app.rule({ ...shifts, schedules: [mine, own] })}`;
    app.scheduling.addSchedule('mine', 'Renamed');
    app.scheduling.schedules.remove('own');
    const gone = { type: 'schedule', id: 'own' };
    expect(schedulesOf(await app.read(path))).toEqual([{ ...mine, name: 'Renamed' }, gone]);
  });

  it('may be sent back as they were read, whatever became of them', async () => {
    const app = await withSchedules();
    const path = `${RULES}/${await app.rule({ ...shifts, schedules: [mine, own] })}`;
    app.scheduling.addSchedule('mine', 'Mine');
    app.scheduling.schedules.remove('own');
    const [data, present] = [(await app.read(path)) as object, await app.version()];
    expect((await app.patch(path, data)).status).toBe(200);
    expect(await app.read(path)).toEqual(data);
    expect(await app.version()).toBe(present);
  });

  it('answer 503 when scheduling can not be asked, and nothing is written', async () => {
    const app = await withSchedules();
    app.scheduling.isUnavailable = true;
    const { status, headers } = await app.post(RULES, { ...shifts, schedules: [mine] });
    expect([status, headers]).toMatchObject([503, { 'retry-after': expect.any(String) }]);
    expect(await app.version()).toBe(1);
    expect((await app.post(RULES, shifts)).status).toBe(201);
    expect((await app.post(RULES, { ...nights, schedules: [mine] })).status).toBe(201);
  });
});
