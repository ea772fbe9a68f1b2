import { beforeEach, describe, expect, it } from '@jest/globals';
import { daily, teamKey, testApp, type TestApp } from '../testing/app-fixture.ts';
import { storeConfiguration } from '../testing/mongo-fixture.ts';
import { escalationOf, ruleFor, scheduleOf } from '../testing/on-call-samples.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});

const rule = { delay: { timeAmount: 1 }, recipient: { type: 'user', username: 'ada@example.com' } };
const override = {
  user: { type: 'user', id: 'ada' },
  startDate: '2026-02-01T00:00:00Z',
  endDate: '2026-02-02T00:00:00Z',
};
const LONG = 'x'.repeat(1_000);
const BOUND = 4_000_000;

/** Lets the team have about 4 MB of escalations and of schedules, most of them in one named `Large`. */
async function fill(bytes = BOUND) {
  const large = { name: 'Large', ownerTeamId: 'sre', description: 'x'.repeat(bytes - 1_200) };
  const small = { name: 'Small', ownerTeamId: 'sre' };
  const rules = [ruleFor({ type: 'user', id: 'ada' })];
  await storeConfiguration(app.connection, {
    escalations: [escalationOf('large', rules, large), escalationOf('small', rules, small)],
    schedules: [scheduleOf('large', [], large), scheduleOf('small', [], small)],
  });
}

/** Every process of scheduling, which pages users, holds all schedules and escalations in memory. */
describe('the escalations of one team', () => {
  it('have at most 4 MB together, whichever team member writes them', async () => {
    await fill();
    const body = { name: 'One more', description: LONG, rules: [rule] };
    const refused = { status: 422, body: { message: 'A team has at most 4000000 bytes of escalations.' } };
    expect(await app.post('/v2/escalations', body, teamKey)).toMatchObject(refused);
    expect(await app.post('/v2/escalations', { ...body, ownerTeam: { name: 'SRE' } })).toMatchObject(refused);
    const { status, data } = await app.post('/v2/escalations', body);
    expect(status).toBe(201);
    const given = await app.patch(`/v2/escalations/${(data as { id: string }).id}`, { ownerTeam: { name: 'SRE' } });
    expect(given).toMatchObject(refused);
  });

  it('can be made smaller when they are too many already, and not larger', async () => {
    await fill(2 * BOUND);
    const patch = async (name: string, body: unknown) =>
      (await app.patch(`/v2/escalations/${name}?identifierType=name`, body, teamKey)).status;
    expect(await patch('Small', { description: LONG })).toBe(422);
    expect(await patch('Small', { name: 'Tiny' })).toBe(200);
    expect(await patch('Large', { description: LONG })).toBe(200);
    expect(await patch('Tiny', { description: LONG })).toBe(200);
  });
});

describe('the schedules of one team', () => {
  it('have at most 4 MB together, with their rotations and overrides', async () => {
    await fill();
    const refused = { status: 422, body: { message: 'A team has at most 4000000 bytes of schedules.' } };
    const post = (path: string, body: unknown) => app.post(path, body, teamKey);
    const rotation = daily([{ type: 'user', id: 'ada' }], { name: LONG });
    const small = '/v2/schedules/Small';
    const byName = 'scheduleIdentifierType=name';
    expect(await post('/v2/schedules', { name: 'One more', description: LONG })).toMatchObject(refused);
    expect(await post(`${small}/rotations?${byName}`, rotation)).toMatchObject(refused);
    expect(await post(`${small}/overrides?${byName}`, { ...override, alias: LONG })).toMatchObject(refused);
    expect((await app.patch(`${small}?identifierType=name`, { name: 'Tiny' }, teamKey)).status).toBe(200);
    expect((await app.post('/v2/schedules', { name: 'Of no team', description: LONG })).status).toBe(201);
  });

  it('can be written at the same size where they are too large, and switched off', async () => {
    await fill(2 * BOUND);
    const path = '/v2/schedules/Small?identifierType=name';
    expect((await app.patch(path, { enabled: false }, teamKey)).status).toBe(200);
    const { id } = (await app.get(path)).data as { id: string };
    for (let count = 10; count < 22; count += 1)
      expect((await app.patch(`/v2/schedules/${id}`, { name: `Ti${count}` }, teamKey)).status).toBe(200);
  });

  it('are refused for their own size first, then for a taken name, then for their team, with any verb', async () => {
    await fill(2 * BOUND);
    const rotations = Array.from({ length: 940 }, () => daily([{ type: 'none' }], { name: LONG }));
    const own = { errors: { rotations: 'should have at most 1000000 bytes together' } };
    const taken = { message: 'Schedule with name [Large] already exists.' };
    const ofTeam = { message: 'A team has at most 4000000 bytes of schedules.' };
    for (const [body, status, refusal] of [
      [{ name: 'Large', rotations }, 422, own],
      [{ name: 'Large', description: LONG }, 409, taken],
      [{ name: 'Other', description: LONG }, 422, ofTeam],
    ] as const) {
      const refused = { status, body: refusal };
      expect(await app.post('/v2/schedules', body, teamKey)).toMatchObject(refused);
      expect(await app.patch('/v2/schedules/Small?identifierType=name', body, teamKey)).toMatchObject(refused);
    }
  });
});
