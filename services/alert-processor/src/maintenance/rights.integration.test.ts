import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { UnavailableError } from '@tocsin/core';
import { signedIn } from '@tocsin/testkit';
import { anIntegration } from '../testing/maintenance-samples.ts';
import { setUp } from '../testing/component-fixture.ts';
import { policyOf } from '../testing/policy-samples.ts';

const PATH = '/v1/maintenance';
const OPS = { teamId: 'ops' };
const RED = { teamId: 'red' };
const END = '2026-02-01T00:00:00Z';
const REFUSED = { code: 40_301, message: 'Team API Keys are not authorized to perform this action.' };

const integration = (id: string) => ({ entity: { type: 'integration', id }, state: 'disabled' });
const policy = (id: string) => ({ entity: { type: 'policy', id }, state: 'enabled' });
const body = (...rules: readonly object[]) => ({ time: { type: 'indefinitely' }, rules });
const planned = (...rules: readonly object[]) => ({
  time: { type: 'schedule', startDate: '2026-01-31T00:00:00Z', endDate: END },
  rules,
});

/** Integrations and policies of the teams ops and red, and of the account. */
async function withTeams() {
  const service = await setUp();
  for (const team of ['ops', 'red']) service.integrations.put(`${team}-web`, anIntegration(`${team}-web`, team));
  service.integrations.put('web', anIntegration('web'));
  const put = [
    ['ops-nights', 'ops'],
    ['red-nights', 'red'],
    ['nights', undefined],
  ].map(([id = '', teamId]) => policyOf(id, { teamId, enabled: false }));
  await service.configuration.change(() => ({ policies: { put }, answer: undefined }));
  const { send, get } = service;
  const create = async (sent: object, key: object = {}) =>
    ((await send('post', PATH, sent, key)).body as { data: { id: string } }).data.id;
  const listed = async (key: object) =>
    ((await get(PATH, key)).body as { data: { id: string }[] }).data.map(({ id }) => id);
  const outcomes = async (id: string, key: object) => ({
    get: (await get(`${PATH}/${id}`, key)).status,
    end: (await send('post', `${PATH}/${id}/change-end-date`, { endDate: END }, key)).status,
    cancel: (await send('post', `${PATH}/${id}/cancel`, undefined, key)).status,
    remove: (await send('delete', `${PATH}/${id}`, undefined, key)).status,
  });
  return { ...service, create, listed, outcomes };
}

const ALL = { get: 200, end: 200, cancel: 200, remove: 200 };
const READ = { get: 200, end: 403, cancel: 403, remove: 403 };
const NONE = { get: 403, end: 403, cancel: 403, remove: 403 };

describe('the key of a team', () => {
  it('writes windows in which its team owns every thing', async () => {
    const { create, outcomes, listed } = await withTeams();
    const id = await create(body(integration('ops-web'), policy('ops-nights')), OPS);
    expect(await listed(OPS)).toEqual([id]);
    expect(await outcomes(id, OPS)).toEqual(ALL);
  });

  it.each([
    ["another team's integration", integration('red-web')],
    ["the account's integration", integration('web')],
    ["another team's policy", policy('red-nights')],
    ["the account's policy", policy('nights')],
  ])('is refused with 403/40301 if a new window also names %s', async (_, rule) => {
    const { send, get } = await withTeams();
    const refused = await send('post', PATH, body(integration('ops-web'), rule), OPS);
    expect([refused.status, refused.body]).toMatchObject([403, REFUSED]);
    expect((await get(PATH)).body).toMatchObject({ data: [] });
  });

  it('is answered 404 for a thing that does not exist', async () => {
    const { send } = await withTeams();
    expect((await send('post', PATH, body(integration('nowhere')), OPS)).status).toBe(404);
  });

  it("writes a window of the account that names only its team's things", async () => {
    const { create, outcomes } = await withTeams();
    expect(await outcomes(await create(body(integration('ops-web'))), OPS)).toEqual(ALL);
  });

  it('reads, but can not change, a window that also names a thing of another team or of the account', async () => {
    const { create, outcomes, listed } = await withTeams();
    for (const other of [integration('red-web'), integration('web'), policy('nights')]) {
      const id = await create(body(other, policy('ops-nights')));
      expect(await listed(OPS)).toContain(id);
      expect(await outcomes(id, OPS)).toEqual(READ);
    }
  });

  it("is answered 403/40301 for a window that names none of its team's things, and the list omits it", async () => {
    const { create, outcomes, listed, get } = await withTeams();
    for (const id of [
      await create(body(integration('web'))),
      await create(body(integration('red-web')), RED),
      await create(body(policy('red-nights'), policy('nights'))),
    ]) {
      expect(await outcomes(id, OPS)).toEqual(NONE);
      expect((await get(`${PATH}/${id}`, OPS)).body).toMatchObject(REFUSED);
    }
    expect(await listed(OPS)).toEqual([]);
  });

  it("may not update another team's window, nor add another team's thing", async () => {
    const { send, create } = await withTeams();
    const own = await create(planned(integration('ops-web')), OPS);
    const shared = await create(planned(integration('ops-web'), integration('web')));
    const other = await create(planned(integration('red-web')), RED);
    const update = async (id: string, ...rules: readonly object[]) =>
      (await send('put', `${PATH}/${id}`, planned(...rules), OPS)).status;
    expect(await update(own, policy('ops-nights'))).toBe(200);
    expect(await update(own, policy('ops-nights'), integration('web'))).toBe(403);
    expect(await update(shared, integration('ops-web'))).toBe(403);
    expect(await update(other, integration('ops-web'))).toBe(403);
  });

  it('keeps control of a window that it made when a thing in it is gone', async () => {
    const { create, outcomes, integrations, listed } = await withTeams();
    const [own, red] = [
      await create(body(integration('ops-web')), OPS),
      await create(body(integration('red-web')), RED),
    ];
    for (const id of ['ops-web', 'red-web']) integrations.remove(id);
    expect(await listed(OPS)).toEqual([own]);
    expect(await outcomes(own, OPS)).toEqual(ALL);
    expect(await outcomes(red, OPS)).toEqual(NONE);
  });

  it('is not given a window for its own because the replica does not have the integration of another team yet', async () => {
    const { create, integrations, outcomes } = await withTeams();
    const shared = await create(body(integration('ops-web'), integration('red-web')));
    integrations.forget('red-web');
    integrations.ownerHas('id', 'red-web', anIntegration('red-web', 'red'));
    expect(await outcomes(shared, OPS)).toEqual(READ);
  });

  it('is answered 503 where the owner of an integration that the replica does not have cannot be asked', async () => {
    const { create, integrations, listed, outcomes, send } = await withTeams();
    const shared = await create(planned(integration('ops-web'), integration('red-web')));
    integrations.forget('red-web');
    integrations.refuseWith(new UnavailableError('alert-ingest is unavailable.'));
    const unavailable = { get: 503, end: 503, cancel: 503, remove: 503 };
    expect(await outcomes(shared, OPS)).toEqual(unavailable);
    const refused = await send('put', `${PATH}/${shared}`, planned(integration('ops-web')), OPS);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(await outcomes(shared, signedIn({ ops: 'admin' }))).toEqual(unavailable);
    expect(await listed(OPS)).toEqual([shared]);
    expect((await send('delete', `${PATH}/${shared}`)).status).toBe(200);
  });

  it('changes a window in which another integration is deleted, as the topic says or else the owner', async () => {
    const { create, integrations, outcomes } = await withTeams();
    const [one, other] = [
      await create(body(integration('ops-web'), integration('red-web'))),
      await create(body(integration('ops-web'), integration('web'))),
    ];
    integrations.remove('red-web');
    integrations.forget('web');
    expect([await outcomes(one, OPS), await outcomes(other, OPS)]).toEqual([ALL, ALL]);
  });

  it.each([
    ['another team’s', 'red'],
    ['the account’s', undefined],
  ])('no longer drops creates with a window that it made when the integration is %s', async (_, owner) => {
    const { create, integrations, send } = await withTeams();
    const outcome = async (key: object) => {
      const asked = { message: 'x', integrationId: 'ops-web' };
      const answer: Response = await send('post', '/v2/policies/evaluate', asked, key);
      return (answer.body as { data: { outcome: string } }).data.outcome;
    };
    await create(body(integration('ops-web')), OPS);
    expect(await outcome(OPS)).toBe('dropped');
    integrations.put('ops-web', anIntegration('ops-web', owner));
    expect(await outcome(owner === undefined ? {} : RED)).toBe('created');
  });

  it('takes over a window of the account by rewriting its rules, and the account takes it back likewise', async () => {
    const { create, send, configuration } = await withTeams();
    const id = await create(planned(integration('ops-web')));
    const update = async (key: object) => {
      expect((await send('put', `${PATH}/${id}`, planned(integration('ops-web')), key)).status).toBe(200);
      return (await configuration.current()).maintenances.map(({ teamId }) => teamId);
    };
    expect(await update(OPS)).toEqual(['ops']);
    expect(await update({})).toEqual([undefined]);
  });

  it('reads, but can no longer change, a window that it made when the thing is another team’s', async () => {
    const { create, outcomes, integrations } = await withTeams();
    const id = await create(body(integration('ops-web')), OPS);
    integrations.put('ops-web', anIntegration('ops-web', 'red'));
    expect(await outcomes(id, OPS)).toEqual(READ);
    expect(await outcomes(id, RED)).toEqual(ALL);
  });
});

describe('the key of the account', () => {
  it('may do everything with every window', async () => {
    const { create, outcomes } = await withTeams();
    expect(await outcomes(await create(body(integration('ops-web')), OPS), {})).toEqual(ALL);
    expect(await outcomes(await create(body(integration('web'), policy('red-nights'))), {})).toEqual(ALL);
  });
});

describe('a signed-in user (K12)', () => {
  const admin = signedIn({ ops: 'admin', red: 'user' });
  const ENTITY = 'Only an admin of the team that owns it, or an admin of the account, can put it under maintenance.';

  it('writes windows in which every entity is of a team that they administer', async () => {
    const { create, outcomes } = await withTeams();
    const id = await create(body(integration('ops-web'), policy('ops-nights')), admin);
    expect(await outcomes(id, admin)).toEqual(ALL);
  });

  it.each([['red-web'], ['web']])('is refused a new window that also names %s', async (other) => {
    const { send, get } = await withTeams();
    const refused = await send('post', PATH, body(integration('ops-web'), integration(other)), admin);
    const message = other === 'web' ? 'Only an owner or admin of the account can put it under maintenance.' : ENTITY;
    expect([refused.status, refused.body]).toMatchObject([403, { code: 40_301, message }]);
    expect((await get(PATH)).body).toMatchObject({ data: [] });
  });

  it('reads every window, and changes no window of other teams or of the account', async () => {
    const { create, outcomes, listed } = await withTeams();
    const theirs = await create(body(integration('red-web')), RED);
    const mixed = await create(body(integration('ops-web'), integration('web')));
    expect(await listed(admin)).toEqual([theirs, mixed]);
    expect([await outcomes(theirs, admin), await outcomes(mixed, admin)]).toEqual([READ, READ]);
  });

  it('keeps the right to a window of one team when an integration in it is deleted (P9)', async () => {
    const { create, outcomes, integrations } = await withTeams();
    const id = await create(body(integration('ops-web'), policy('ops-nights')), admin);
    integrations.remove('ops-web');
    expect(await outcomes(id, admin)).toEqual(ALL);
  });

  it('writes a window over entities of several teams exactly where they administer all of these teams', async () => {
    const { create, outcomes, send } = await withTeams();
    const both = signedIn({ ops: 'admin', red: 'admin' });
    const id = await create(body(integration('ops-web'), policy('red-nights')), both);
    const message =
      'Only an admin of all teams that own an entity in this maintenance window, or an admin of the account, can change it.';
    const refused = await send('post', `${PATH}/${id}/cancel`, undefined, admin);
    expect([refused.status, refused.body]).toMatchObject([403, { message }]);
    expect([await outcomes(id, admin), await outcomes(id, both)]).toEqual([READ, ALL]);
  });

  it('writes a window whose entities of other teams are all deleted, and none of which every entity is (P9)', async () => {
    const { create, outcomes, integrations } = await withTeams();
    const shared = await create(body(integration('ops-web'), integration('web')));
    const gone = await create(body(integration('web'), integration('red-web')));
    for (const id of ['web', 'red-web']) integrations.remove(id);
    expect([await outcomes(gone, admin), await outcomes(shared, admin)]).toEqual([READ, ALL]);
  });

  it('is refused an update before the entities of its body are looked up', async () => {
    const { create, send, integrations } = await withTeams();
    const theirs = await create(planned(integration('red-web')));
    integrations.refuseWith(new UnavailableError('alert-ingest is unavailable.'));
    expect((await send('put', `${PATH}/${theirs}`, planned(integration('nowhere')), admin)).status).toBe(403);
  });

  it('who is admin of the account writes all', async () => {
    const { create, outcomes } = await withTeams();
    const root = signedIn({}, { role: 'admin' });
    expect(await outcomes(await create(body(integration('red-web'), integration('web')), root), root)).toEqual(ALL);
  });
});
