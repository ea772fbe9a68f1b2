import { describe, expect, it } from '@jest/globals';
import { emptyStores, type MongoDirectory } from '../testing/mongo-fixture.ts';
import { sampleActivation, sampleDraft, sampleUser } from '../testing/stored-samples.ts';
import type { Team } from './team.ts';

const epoch = sampleDraft('any').createdAt.getTime();

async function insertWhole({ teams }: MongoDirectory, name: string, changes: Parameters<typeof sampleDraft>[1] = {}) {
  await teams.begin(sampleDraft(name, changes));
  await teams.activate(`team-${name}`, 'first', sampleActivation(name));
}

describe('TeamStore', () => {
  it('hides a team until it is whole', async () => {
    const { teams } = await emptyStores();
    const beginning = await teams.begin(sampleDraft('Ops'));
    expect(beginning).toMatchObject({ kind: 'begun', team: { id: 'team-Ops', phase: 'creating' } });
    expect(await teams.find({ id: 'team-Ops' })).toBeUndefined();
    expect(await teams.find({ name: 'Ops' })).toBeUndefined();
    expect(await teams.findRemovable({ name: 'Ops' })).toBeUndefined();
    expect(await teams.list()).toEqual([]);
  });

  it('returns a whole team by id and by name', async () => {
    const stores = await emptyStores();
    await stores.users.insert(sampleUser('ada'));
    const members = [{ userId: 'user-ada', role: 'admin' as const }];
    await insertWhole(stores, 'Ops', { members, description: 'Keeps it running' });
    const whole: Team = {
      ...sampleDraft('Ops', { members, description: 'Keeps it running' }),
      ...sampleActivation('Ops'),
      roles: [],
      phase: 'active',
      version: { epoch, n: 1 },
    };
    expect(await stores.teams.find({ id: 'team-Ops' })).toEqual(whole);
    expect(await stores.teams.find({ name: 'Ops' })).toEqual(whole);
    expect(await stores.teams.find({ name: 'ops' })).toBeUndefined();
  });

  it('finds the complete ones of many ids or names', async () => {
    const stores = await emptyStores();
    await stores.teams.begin(sampleDraft('New'));
    for (const name of ['Ops', 'Web', 'Net']) await insertWhole(stores, name);
    const byId = await stores.teams.withAny('id', ['team-Ops', 'team-Web', 'team-New', 'Net']);
    expect(byId.map(({ name }) => name).toSorted()).toEqual(['Ops', 'Web']);
    const [net, ...others] = await stores.teams.withAny('name', ['New', 'Net', 'team-Ops']);
    expect([net, others]).toEqual([await stores.teams.find({ name: 'Net' }), []]);
  });

  it('changes a whole team as asked, under the next version', async () => {
    const stores = await emptyStores();
    await insertWhole(stores, 'Ops');
    const changed = await stores.teams.change({ name: 'Ops' }, (team) => ({
      team: { ...team, name: 'Web', description: 'new' },
      log: [{ owner: 'key', at: team.createdAt, log: 'renamed' }],
      answer: team.name,
    }));
    expect(changed).toEqual({ kind: 'changed', answer: 'Ops' });
    expect(await stores.teams.find({ name: 'Ops' })).toBeUndefined();
    const whole = { id: 'team-Ops', name: 'Web', description: 'new', phase: 'active', version: { epoch, n: 2 } };
    expect(await stores.teams.find({ name: 'Web' })).toMatchObject(whole);
  });

  it('refuses a change to a taken name or an unknown member, and of an incomplete team', async () => {
    const stores = await emptyStores();
    await insertWhole(stores, 'Ops');
    await insertWhole(stores, 'Web');
    const change = (name: string, fields: Partial<Team>) =>
      stores.teams.change({ name }, (team) => ({ team: { ...team, ...fields }, log: [], answer: undefined }));
    await expect(change('Ops', { name: 'Web' })).rejects.toThrow('Team with name [Web] already exists.');
    await insertWhole(stores, 'Gone');
    await stores.teams.beginRemoval('team-Gone', 'first');
    await expect(change('Ops', { name: 'Gone' })).rejects.toThrow('Team with name [Gone] already exists.');
    const members = [{ userId: 'unknown', role: 'user' as const }];
    expect(await change('Ops', { members })).toEqual({ kind: 'unknown-member', userId: 'unknown' });
    await stores.teams.begin(sampleDraft('New'));
    expect(await change('New', { description: 'x' })).toEqual({ kind: 'missing' });
    expect(await stores.teams.find({ name: 'Ops' })).toMatchObject({ description: '', version: { epoch, n: 1 } });
  });

  it('lists whole teams by creation', async () => {
    const stores = await emptyStores();
    await insertWhole(stores, 'Ops', { createdAt: new Date('2026-02-01T00:00:00.000Z') });
    await insertWhole(stores, 'Web');
    await insertWhole(stores, 'App');
    expect(await stores.teams.list()).toEqual([
      { id: 'team-App', name: 'App', description: '' },
      { id: 'team-Web', name: 'Web', description: '' },
      { id: 'team-Ops', name: 'Ops', description: '' },
    ]);
  });

  it('refuses the name of a complete team, and a member who does not exist', async () => {
    const stores = await emptyStores();
    await insertWhole(stores, 'Ops');
    expect(await stores.teams.begin(sampleDraft('Ops', { id: 'other' }))).toEqual({ kind: 'taken' });
    const members = [{ userId: 'unknown', role: 'user' as const }];
    expect(await stores.teams.begin(sampleDraft('Web', { members }))).toEqual({
      kind: 'unknown-member',
      userId: 'unknown',
    });
    expect(await stores.teams.unfinished(0)).toEqual([]);
  });

  it('hands a half-made team over to a later attempt, under its first id', async () => {
    const { teams } = await emptyStores();
    await teams.begin(sampleDraft('Ops'));
    const again = await teams.begin(sampleDraft('Ops', { id: 'other', attempt: 'second', description: 'Again' }));
    expect(again).toMatchObject({ kind: 'begun', team: { id: 'team-Ops', attempt: 'second', description: 'Again' } });
    expect(await teams.activate('team-Ops', 'first', sampleActivation('Ops'))).toBe('overtaken');
    expect(await teams.activate('team-Ops', 'second', sampleActivation('Ops'))).toBe('active');
    expect(await teams.find({ name: 'Ops' })).toMatchObject({ id: 'team-Ops', description: 'Again' });
  });

  it('makes a team whole once, however often the same attempt asks', async () => {
    const { teams } = await emptyStores();
    await teams.begin(sampleDraft('Ops'));
    expect(await teams.activate('team-Ops', 'first', sampleActivation('Ops'))).toBe('active');
    expect(await teams.activate('team-Ops', 'first', sampleActivation('other'))).toBe('active');
    expect(await teams.find({ id: 'team-Ops' })).toMatchObject({
      ...sampleActivation('Ops'),
      version: { epoch, n: 1 },
    });
    expect(await teams.activate('team-Web', 'first', sampleActivation('Web'))).toBe('gone');
  });

  it('hides a team whose removal has begun, keeps its name taken, and frees it at the end', async () => {
    const stores = await emptyStores();
    const { teams } = stores;
    await insertWhole(stores, 'Ops');
    expect(await teams.beginRemoval('team-Ops', 'first')).toBe(true);
    expect(await teams.beginRemoval('team-Ops', 'first')).toBe(false);
    expect(await teams.find({ id: 'team-Ops' })).toBeUndefined();
    expect(await teams.list()).toEqual([]);
    expect(await teams.findRemovable({ name: 'Ops' })).toMatchObject({ phase: 'deleting', version: { n: 2 } });
    expect(await teams.begin(sampleDraft('Ops', { id: 'new' }))).toMatchObject({ kind: 'leaving' });
    expect(await teams.activate('team-Ops', 'first', sampleActivation('Ops'))).toBe('gone');
    await teams.endRemoval('team-Ops');
    expect(await teams.begin(sampleDraft('Ops', { id: 'new' }))).toMatchObject({
      kind: 'begun',
      team: { id: 'new' },
    });
  });

  it('does not delete a team whose removal has not begun', async () => {
    const stores = await emptyStores();
    await insertWhole(stores, 'Ops');
    await stores.teams.endRemoval('team-Ops');
    expect(await stores.teams.find({ id: 'team-Ops' })).toBeDefined();
  });

  it('does not remove a half-made team for an attempt that was overtaken', async () => {
    const { teams } = await emptyStores();
    await teams.begin(sampleDraft('Ops'));
    await teams.begin(sampleDraft('Ops', { attempt: 'second' }));
    expect(await teams.beginRemoval('team-Ops', 'first')).toBe(false);
    expect(await teams.beginRemoval('team-Ops', 'second')).toBe(true);
  });

  it('finds incomplete teams, and for how long they are incomplete', async () => {
    const stores = await emptyStores();
    await stores.teams.begin(sampleDraft('Ops'));
    await insertWhole(stores, 'Web');
    await stores.teams.beginRemoval('team-Web', 'first');
    await insertWhole(stores, 'App');
    expect((await stores.teams.unfinished(0)).map((team) => team.name)).toEqual(['Ops', 'Web']);
    expect(await stores.teams.unfinished(60_000)).toEqual([]);
  });

  it('names the routing rules of other whole teams that notify a thing', async () => {
    const stores = await emptyStores();
    await insertWhole(stores, 'Ops');
    const use = { teamName: 'Ops', ruleName: 'Default Routing Rule' };
    expect(await stores.teams.routingUses('escalation', 'escalation-Ops')).toEqual([use]);
    expect(await stores.teams.routingUses('escalation', 'escalation-Ops', 'team-Ops')).toEqual([]);
    expect(await stores.teams.routingUses('schedule', 'escalation-Ops')).toEqual([]);
    await stores.teams.beginRemoval('team-Ops', 'first');
    expect(await stores.teams.routingUses('escalation', 'escalation-Ops')).toEqual([]);
  });

  it('makes one team of many requests for one name at once', async () => {
    const { teams } = await emptyStores();
    const attempts = Array.from({ length: 20 }, async (_, n) => {
      const attempt = `attempt-${n}`;
      const beginning = await teams.begin(sampleDraft('Ops', { id: `team-${n}`, attempt }));
      return beginning.kind === 'begun'
        ? teams.activate(beginning.team.id, attempt, sampleActivation('Ops'))
        : beginning.kind;
    });
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === 'active')).toHaveLength(1);
    expect(await teams.list()).toHaveLength(1);
  });
});
