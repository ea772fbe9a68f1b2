import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { setUp } from '../testing/component-fixture.ts';
import { policyFixture, V2_BODIES } from '../testing/policy-fixture.ts';
import { modifying, policyOf } from '../testing/policy-samples.ts';

const DIRECTORY = { service: 'directory' } as const;
const PATH = '/internal/teams/ops/policies';

describe('DELETE /internal/teams/{teamId}/policies', () => {
  it('disables every policy of the team and no other; a second time it writes nothing (P18)', async () => {
    const { app, configuration, vouched } = await setUp();
    const policies = [
      policyOf('a', { teamId: 'ops', effects: modifying() }),
      policyOf('b', { teamId: 'ops' }),
      policyOf('c'),
      policyOf('d', { teamId: 'red' }),
      policyOf('e', { teamId: 'ops', order: 1, enabled: false }),
    ];
    await configuration.change(() => ({ policies: { put: policies }, answer: undefined }));
    const disable = async () =>
      request(app)
        .delete(PATH)
        .set(await vouched(DIRECTORY));
    expect(await disable()).toMatchObject({ status: 200, body: { data: { disabled: 3 } } });
    const after = await configuration.current();
    const off = ['a', 'b', 'e'];
    expect(after.policies).toEqual(policies.map((policy) => ({ ...policy, enabled: !off.includes(policy.id) })));
    expect((await disable()).body).toMatchObject({ data: { disabled: 3 } });
    expect(await configuration.current()).toBe(after);
  });

  it('refuses the keys of callers from outside (K6)', async () => {
    const { app, vouched } = await setUp();
    expect(
      (
        await request(app)
          .delete(PATH)
          .set(await vouched())
      ).status,
    ).toBe(403);
  });
});

/** Two policies of a team that was then deleted; one of them was disabled before. */
async function afterDeletion() {
  const fixture = await policyFixture();
  const ids = [await fixture.v2('alert', {}, 'ops'), await fixture.v2('alert', { enabled: false }, 'ops')] as const;
  const headers = await fixture.vouched(DIRECTORY);
  await request(fixture.app).delete(PATH).set(headers);
  fixture.replicas.team.remove('ops');
  return { ...fixture, ids };
}

describe('the policies of a deleted team (P18)', () => {
  it('are disabled and stay listed, and never become global', async () => {
    const { ids, read } = await afterDeletion();
    const off = ids.map((id, order) => ({ id, order, enabled: false }));
    expect(await read('/v2/policies/alert?teamId=ops')).toMatchObject(off);
    expect(await read('/v2/policies/notification?teamId=ops')).toEqual([]);
    expect([await read('/v2/policies/alert'), await read('/v1/policies')]).toEqual([[], []]);
    expect(await read(`/v2/policies/${ids[0]}`)).toMatchObject({ teamId: 'ops', enabled: false });
  });

  it('can not be enabled: 404 that names the team', async () => {
    const { ids, send, configuration } = await afterDeletion();
    const before = await configuration.current();
    const refused = { status: 404, body: { message: 'Team does not exist with id: ops' } };
    expect(await send('post', `/v2/policies/${ids[0]}/enable`)).toMatchObject(refused);
    const put = { ...V2_BODIES.alert, type: 'alert', responders: [], enabled: true };
    expect(await send('put', `/v2/policies/${ids[0]}`, put)).toMatchObject(refused);
    expect(await send('post', '/v2/policies?teamId=ops', put)).toMatchObject(refused);
    expect(await configuration.current()).toBe(before);
  });

  it('can still be changed, moved and deleted', async () => {
    const { ids, send, read } = await afterDeletion();
    const path = `/v2/policies/${ids[0]}`;
    expect((await send('put', path, (await read(path)) as object)).status).toBe(200);
    expect((await send('post', `${path}/disable`)).status).toBe(200);
    expect((await send('post', `${path}/change-order`, { targetIndex: 1 })).status).toBe(200);
    expect((await send('delete', path)).status).toBe(200);
    expect(await read('/v2/policies/alert?teamId=ops')).toMatchObject([{ id: ids[1], order: 0 }]);
  });
});
