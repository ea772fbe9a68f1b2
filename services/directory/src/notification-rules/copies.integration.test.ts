import { describe, expect, it } from '@jest/globals';
import { accountKey } from '../testing/app-fixture.ts';
import { ADA, mailStep, nights, RULES, rulesApp, shifts } from '../testing/notification-rule-fixture.ts';
import { USERS_PER_WRITE } from './copy.ts';

const teamKey = { ...accountKey, teamId: 'team' };
const COPY = `${RULES}/copy-to`;
const BOB = 'bob@example.com';
const CYD = 'cyd@example.com';
const newAlerts = { toUsers: [BOB], ruleTypes: ['new-alert'] };

/** Ada, with a second rule for new alerts of two steps, one by sms; Bob and Cyd have what every new user has. */
async function withOthers() {
  const app = await rulesApp();
  const ids = { bob: await app.user(BOB), cyd: await app.user(CYD) };
  const sms = { method: 'sms', to: '39-1' };
  await app.post(`/v2/users/${ADA}/contacts`, sms);
  const ruleId = await app.rule({ ...nights, order: 0, steps: [mailStep, { ...mailStep, contact: sms }] });
  const rulesOf = async (user: string, actionType = 'create-alert') =>
    (await app.directory.users.get(user)).notificationRules.filter((rule) => rule.actionType === actionType);
  const namesOf = async (user: string, actionType?: string) =>
    (await rulesOf(user, actionType)).map(({ name }) => name);
  const versionOf = async (user: string) => (await app.directory.users.get(user)).version.n;
  return { ...app, ids, ruleId, rulesOf, namesOf, versionOf };
}

describe.each(['patch', 'post'] as const)('%s …/notification-rules/copy-to', (verb) => {
  it('replaces the rules of the types of the users, and answers the number of users', async () => {
    const app = await withOthers();
    await app.post(`/v2/users/${BOB}/contacts`, { method: 'sms', to: '39-2' });
    await app.patch(`${RULES}/${app.ruleId}`, { criteria: { type: 'match-all' }, repeat: { loopAfter: 9 } });
    const { status, body } = await app[verb](COPY, newAlerts);
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'Copying of notification rules to 1 user started and is done.' });
    expect(body).not.toHaveProperty('data');
    expect(body).not.toHaveProperty('leftOut');
    expect(await app.namesOf(BOB)).toEqual(['Nights', 'New Alert']);
    const [nightly] = await app.rulesOf(BOB);
    expect(nightly).toMatchObject({
      repeat: { enabled: true, loopAfterMinutes: 9 },
      steps: [{ contact: { method: 'email', to: BOB } }, { contact: { method: 'sms', to: '39-2' } }],
    });
    expect(await app.namesOf(CYD)).toEqual(['New Alert']);
  });
});

describe('copying notification rules', () => {
  it('leaves out and names rules for which a user has no contact', async () => {
    const app = await withOthers();
    const { body } = await app.post(COPY, { ...newAlerts, toUsers: [app.ids.bob, CYD.toUpperCase(), BOB] });
    expect(body).toMatchObject({
      result: 'Copying of notification rules to 2 users started and is done.',
      leftOut: expect.arrayContaining([`${BOB}: sms steps of rule [Nights] are left out.`]),
    });
    expect((body as { leftOut: string[] }).leftOut).toHaveLength(4);
    expect((await app.rulesOf(CYD))[0]?.steps.map(({ contact }) => contact.to)).toEqual([CYD]);
  });

  it.each([
    ['everybody', ['all']],
    ['the user too, who is skipped', [ADA, BOB, CYD]],
  ])('reaches %s', async (_, toUsers) => {
    const app = await withOthers();
    const present = await app.version();
    expect((await app.post(COPY, { ...newAlerts, toUsers })).body).toMatchObject({
      result: 'Copying of notification rules to 2 users started and is done.',
    });
    for (const user of [BOB, CYD]) expect(await app.namesOf(user)).toEqual(['Nights', 'New Alert']);
    expect(await app.version()).toBe(present);
  });

  it('is done with the answer for as many as fit into one write, and not for one more', async () => {
    const app = await withOthers();
    const users = Array.from({ length: USERS_PER_WRITE + 1 }, (_, n) => `user${n}@example.com`);
    for (const user of users) await app.user(user);
    const { body: most } = await app.post(COPY, { ...newAlerts, toUsers: users.slice(1) });
    expect(most).toMatchObject({
      result: `Copying of notification rules to ${USERS_PER_WRITE} users started and is done.`,
    });
    for (const user of users.slice(1)) expect(await app.namesOf(user)).toEqual(['Nights', 'New Alert']);
    const { body: more } = await app.post(COPY, { ...newAlerts, toUsers: [...users, ADA] });
    expect(more).toMatchObject({ result: `Copying of notification rules to ${USERS_PER_WRITE + 1} users started.` });
  });

  it('copies only the types that are asked for', async () => {
    const app = await withOthers();
    await app.rule({ ...nights, actionType: 'add-note', name: 'Notes' });
    await app.rule({ ...nights, actionType: 'renotified-alert', name: 'Again' });
    await app.post(COPY, { toUsers: [BOB], ruleTypes: ['add-note', 'closed-alert'] });
    expect(await app.namesOf(BOB)).toEqual(['New Alert']);
    expect(await app.namesOf(BOB, 'add-note')).toEqual(['Add Note', 'Notes']);
    await app.post(COPY, { toUsers: [CYD], ruleTypes: ['ALL'] });
    expect(await app.namesOf(CYD)).toEqual(['Nights', 'New Alert']);
    expect(await app.namesOf(CYD, 'renotified-alert')).toEqual(['Again']);
    expect((await app.directory.users.get(CYD)).notificationRules).toHaveLength(10);
  });

  it('changes no user the second time', async () => {
    const app = await withOthers();
    await app.post(COPY, { ...newAlerts, toUsers: ['all'] });
    const [bob, cyd] = [await app.versionOf(BOB), await app.versionOf(CYD)];
    await app.post(COPY, { ...newAlerts, toUsers: ['all'] });
    expect([await app.versionOf(BOB), await app.versionOf(CYD)]).toEqual([bob, cyd]);
  });

  it("keeps of a rule's schedules those of each user", async () => {
    const app = await withOthers();
    const ops = await app.team('Ops', [{ user: { username: ADA } }, { user: { username: BOB } }]);
    const own = { id: 'own', name: 'Own', description: '', timezone: 'UTC', enabled: true, ownerTeamId: ops };
    app.scheduling.schedules.put('own', { ...own, rotations: [] });
    await app.rule({ ...shifts, schedules: [{ name: 'Own' }], steps: [mailStep] });
    const { body } = await app.post(COPY, { toUsers: ['all'], ruleTypes: ['schedule-start'] });
    expect((await app.rulesOf(BOB, 'schedule-start')).map(({ scheduleIds }) => scheduleIds)).toEqual([
      undefined,
      ['own'],
    ]);
    expect(await app.namesOf(CYD, 'schedule-start')).toEqual(['Schedule Start']);
    expect(body).toMatchObject({
      leftOut: [`${CYD}: rule [Shifts] is left out, for none of its schedules is theirs.`],
    });
  });

  it('answers 404 that names the unknown user, and copies nothing', async () => {
    const app = await withOthers();
    const { status, body } = await app.patch(COPY, { ...newAlerts, toUsers: [BOB, 'Unknown@example.com'] });
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: 'User does not exist with id or username: Unknown@example.com' });
    expect(await app.versionOf(BOB)).toBe(1);
    expect((await app.post('/v2/users/unknown@example.com/notification-rules/copy-to', newAlerts)).status).toBe(404);
  });

  it.each([
    ['toUsers', { toUsers: [] }, 'Users can not be empty.'],
    ['toUsers', { toUsers: undefined }, 'Users can not be empty.'],
    ['ruleTypes', { ruleTypes: undefined }, 'Rule types can not be empty.'],
    ['ruleTypes[1]', { ruleTypes: ['all', 'some'] }, expect.stringMatching(/^should be one of \[ all, new-alert, /)],
  ])('answers 422 that names %s', async (field, change, sentence) => {
    const app = await withOthers();
    const { status, body } = await app.post(COPY, { ...newAlerts, ...change });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: sentence } });
  });

  it('answers 503 when scheduling is needed and unavailable, and copies nothing', async () => {
    const app = await withOthers();
    app.scheduling.addSchedule('s', 'Mine');
    const ops = await app.team('Ops', [{ user: { username: ADA } }]);
    const state = { id: 's', name: 'Mine', description: '', timezone: 'UTC', enabled: true, ownerTeamId: ops };
    app.scheduling.schedules.put('s', { ...state, rotations: [] });
    await app.rule({ ...shifts, schedules: [{ id: 's' }] });
    app.scheduling.isUnavailable = true;
    expect((await app.post(COPY, { toUsers: ['all'], ruleTypes: ['all'] })).status).toBe(503);
    expect(await app.versionOf(BOB)).toBe(1);
  });

  it('answers 403 to the key of a team', async () => {
    const app = await withOthers();
    expect((await app.post(COPY, newAlerts, teamKey)).status).toBe(403);
  });
});
