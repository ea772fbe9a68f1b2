import { describe, expect, it } from '@jest/globals';
import { teamOf } from '../testing/on-call-samples.ts';
import { created, daily, teamKey, testApp } from '../testing/app-fixture.ts';

/** The key of team `sre` may read what names its team, and write what its team owns (K4). */
const ghost = { type: 'user', username: 'ghost@example.com' };
const FORBIDDEN = { status: 403, body: { code: 40301 } };
const week = { startDate: '2026-01-01T00:00:00Z', endDate: '2026-01-08T00:00:00Z' };

describe("a write by another team's key", () => {
  it('is refused before anything that its body names is looked up', async () => {
    const app = await testApp();
    const rotation = daily([{ type: 'team', name: 'SRE' }]);
    const id = await created(app, '/v2/schedules', { name: 'Ops', rotations: [rotation] });
    const rules = [{ delay: { timeAmount: 1 }, recipient: { type: 'team', name: 'SRE' } }];
    const escalation = await created(app, '/v2/escalations', { name: 'Late', rules });
    const schedule = `/v2/schedules/${id}`;
    await app.post(`${schedule}/overrides`, { alias: 'swap', user: { type: 'none' }, ...week });
    const found = (await app.get(schedule)).data as { rotations: readonly { id: string }[] };
    const unknown = daily([ghost]);
    const answers = await Promise.all([
      app.patch(schedule, { rotations: [unknown] }, teamKey),
      app.post(`${schedule}/rotations`, unknown, teamKey),
      app.patch(`${schedule}/rotations/${found.rotations[0]?.id}`, unknown, teamKey),
      app.post(`${schedule}/overrides`, { alias: 'new', user: ghost, ...week }, teamKey),
      app.put(`${schedule}/overrides/swap`, { user: ghost, ...week }, teamKey),
      app.patch(`/v2/escalations/${escalation}`, { rules: [{ ...rules[0], recipient: ghost }] }, teamKey),
    ]);
    for (const answer of answers) expect(answer).toMatchObject(FORBIDDEN);
    expect((await app.get(schedule)).data).toEqual(found);
  });
});

describe('the writes of a team key (K9)', () => {
  const ruleFor = (name: string) => ({ delay: { timeAmount: 1 }, recipient: { type: 'schedule', name } });

  it('names entities of its own team, of no team, and users, but no schedule or escalation of another team', async () => {
    const app = await testApp();
    app.teams.put('dba', { ...teamOf('dba', {}, { type: 'none' }), name: 'DBA' });
    await created(app, '/v2/schedules', { name: 'Shared' });
    await created(app, '/v2/schedules', { name: 'Foreign', ownerTeam: { name: 'DBA' } });
    await created(app, '/v2/schedules', { name: 'Own' }, teamKey);
    const theirs = { name: 'Theirs', ownerTeam: { name: 'DBA' }, rules: [ruleFor('Foreign')] };
    const their = await created(app, '/v2/escalations', theirs);
    const rules = [ruleFor('Shared'), ruleFor('Own'), { ...ruleFor(''), recipient: { type: 'user', id: 'eve' } }];
    const mine = await created(app, '/v2/escalations', { name: 'Mine', rules }, teamKey);
    const foreign = { rules: [ruleFor('Foreign')] };
    const rotation = daily([{ type: 'escalation', id: their }]);
    const schedule = '/v2/schedules/Own';
    const answers = await Promise.all([
      app.post('/v2/escalations', { name: 'New', ...foreign }, teamKey),
      app.patch(`/v2/escalations/${mine}`, foreign, teamKey),
      app.post('/v2/schedules', { name: 'New', rotations: [rotation] }, teamKey),
      app.patch(`${schedule}?identifierType=name`, { rotations: [rotation] }, teamKey),
      app.post(`${schedule}/rotations?scheduleIdentifierType=name`, rotation, teamKey),
    ]);
    for (const answer of answers) expect(answer).toMatchObject(FORBIDDEN);
    const own = daily([{ type: 'escalation', name: 'Mine' }]);
    expect((await app.post(`${schedule}/rotations?scheduleIdentifierType=name`, own, teamKey)).status).toBe(201);
  });
});
