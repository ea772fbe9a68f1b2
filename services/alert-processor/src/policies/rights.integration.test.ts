import { describe, expect, it } from '@jest/globals';
import { signedIn } from '@tocsin/testkit';
import { policyFixture, V1_BODIES, V2_BODIES, type PolicyFixture } from '../testing/policy-fixture.ts';

const OPS = { teamId: 'ops' };
const REFUSED = {
  status: 403,
  body: { code: 40_301, message: 'Team API Keys are not authorized to perform this action.' },
};
const NO_RIGHT = { status: 403, body: { code: 40_301 } };
const notification = { ...V2_BODIES.notification, type: 'notification' };

type Request = readonly [method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object];

/** The operations of version 2 on one policy. */
const withPolicy = (id: string, query = '', body: object = notification): readonly Request[] => [
  ['get', `/v2/policies/${id}${query}`],
  ['put', `/v2/policies/${id}${query}`, body],
  ['post', `/v2/policies/${id}/enable${query}`],
  ['post', `/v2/policies/${id}/disable${query}`],
  ['post', `/v2/policies/${id}/change-order${query}`, { targetIndex: 0 }],
  ['delete', `/v2/policies/${id}${query}`],
];

/** The operations of version 2 on all policies of a scope. */
const inScope = (query: string): readonly Request[] => [
  ['post', `/v2/policies${query}`, notification],
  ['get', `/v2/policies/alert${query}`],
  ['get', `/v2/policies/notification${query}`],
];

const V1_REQUESTS: readonly Request[] = [
  ['post', '/v1/policies', { ...V1_BODIES['auto-close'], type: 'auto-close' }],
  ['get', '/v1/policies'],
  ...withPolicy('policy-1').map(([method, path]): Request => [
    method,
    path.replace('v2', 'v1'),
    { ...V1_BODIES['auto-close'], type: 'auto-close' },
  ]),
];

/** The answer to each request, by default of a key of team ops, and whether it wrote anything. */
async function answersTo(fixture: PolicyFixture, requests: readonly Request[], principal: object = OPS) {
  const answers: object[] = [];
  for (const [method, path, sent] of requests) {
    const before = await fixture.configuration.current();
    const { status, body } = await fixture.send(method, path, sent, principal);
    answers.push({ method, path, status, body, wrote: (await fixture.configuration.current()) !== before });
  }
  return answers;
}

const all = (requests: readonly Request[], answer: object) =>
  requests.map(([method, path]) => ({ method, path, wrote: false, ...answer }));

describe('the key of a team', () => {
  it('is refused every operation of version 1, which has only the policies of the account (K8)', async () => {
    const fixture = await policyFixture();
    await fixture.v1('auto-close');
    expect(await answersTo(fixture, V1_REQUESTS)).toMatchObject(all(V1_REQUESTS, REFUSED));
  });

  it("is refused the account's policies and their lists, even to read one that names its team (K8)", async () => {
    const fixture = await policyFixture();
    const named = await fixture.v1('modify');
    const alert = { ...V2_BODIES.alert, type: 'alert' };
    const requests = [...withPolicy(named, '', alert), ...withPolicy(named, '?teamId=ops', alert), ...inScope('')];
    expect(await answersTo(fixture, requests)).toMatchObject(all(requests, REFUSED));
  });

  it("is refused another team's policies and their lists (K4)", async () => {
    const fixture = await policyFixture();
    const theirs = await fixture.v2('notification', {}, 'red');
    const requests = [...withPolicy(theirs), ...withPolicy(theirs, '?teamId=red'), ...inScope('?teamId=red')];
    expect(await answersTo(fixture, requests)).toMatchObject(all(requests, REFUSED));
  });

  it("reads, but can not change, another team's policy that names its team (K4)", async () => {
    const fixture = await policyFixture();
    const theirs = await fixture.v2('alert', { responders: [{ type: 'team', id: 'ops' }] }, 'red');
    const writes = withPolicy(theirs, '', { ...V2_BODIES.alert, type: 'alert' }).slice(1);
    expect(await fixture.read(`/v2/policies/${theirs}`, OPS)).toMatchObject({ id: theirs, teamId: 'red' });
    expect(await answersTo(fixture, writes)).toMatchObject(all(writes, REFUSED));
  });

  it("may do everything with its own team's policies", async () => {
    const fixture = await policyFixture();
    const { send, read } = fixture;
    const mine = await fixture.v2('notification', {}, 'ops', OPS);
    expect(await read('/v2/policies/notification?teamId=ops', OPS)).toMatchObject([{ id: mine }]);
    for (const query of ['', '?teamId=ops']) {
      for (const [method, path, body] of withPolicy(mine, query).slice(0, -1))
        expect([path, (await send(method, path, body, OPS)).status]).toEqual([path, 200]);
    }
    expect((await send('delete', `/v2/policies/${mine}`, undefined, OPS)).status).toBe(200);
    expect((await fixture.configuration.current()).policies).toEqual([]);
  });

  it('is answered 404 for a policy that does not exist (K4)', async () => {
    const requests = withPolicy('none');
    expect(await answersTo(await policyFixture(), requests)).toMatchObject(all(requests, { status: 404 }));
  });

  it('is refused before anything that its body names is looked up', async () => {
    const fixture = await policyFixture();
    fixture.replicas.user.refuseWith(new Error('unavailable'));
    const ghost = { ...V2_BODIES.alert, type: 'alert', responders: [{ type: 'user', id: 'ghost' }] };
    const theirs = await fixture.v2('alert', { responders: [] }, 'red');
    const requests: readonly Request[] = [
      ['post', '/v2/policies?teamId=red', ghost],
      ['put', `/v2/policies/${theirs}`, ghost],
    ];
    expect(await answersTo(fixture, requests)).toMatchObject(all(requests, REFUSED));
  });
});

describe('the writes of a team key (K9)', () => {
  const naming = (responder: object) => ({ ...V2_BODIES.alert, type: 'alert', responders: [responder] });

  it.each([
    { type: 'user', id: 'ada' },
    { type: 'team', name: 'Ops' },
    { type: 'schedule', name: 'Rota' },
    { type: 'schedule', name: 'Shared' },
    { type: 'escalation', id: 'ladder' },
  ])("may name users, its own team's things and things of no team: %j", async (responder) => {
    const fixture = await policyFixture();
    const { status } = await fixture.send('post', '/v2/policies?teamId=ops', naming(responder), OPS);
    expect(status).toBe(201);
  });

  it.each([
    { type: 'schedule', id: 'theirs' },
    { type: 'schedule', name: 'Theirs' },
  ])("may not name another team's schedule or escalation: %j", async (responder) => {
    const fixture = await policyFixture();
    const mine = await fixture.v2('alert', {}, 'ops');
    const requests: readonly Request[] = [
      ['post', '/v2/policies?teamId=ops', naming(responder)],
      ['put', `/v2/policies/${mine}`, naming(responder)],
    ];
    expect(await answersTo(fixture, requests)).toMatchObject(all(requests, REFUSED));
  });

  it("may keep another team's schedule that the policy names already", async () => {
    const fixture = await policyFixture();
    const mine = await fixture.v2('alert', { responders: [{ type: 'schedule', id: 'theirs' }] }, 'ops');
    const renamed = { ...naming({ type: 'schedule', id: 'theirs' }), name: 'Renamed' };
    expect((await fixture.send('put', `/v2/policies/${mine}`, renamed, OPS)).status).toBe(200);
    expect(await fixture.read(`/v2/policies/${mine}`)).toMatchObject({ name: 'Renamed' });
  });
});

describe('a key without rights', () => {
  const everything = [...V1_REQUESTS, ...withPolicy('policy-1'), ...inScope('')];

  it('to read configuration is refused every operation (K3)', async () => {
    const fixture = await policyFixture();
    await fixture.v1('auto-close');
    const key = { mayConfigure: false };
    expect(await answersTo(fixture, everything, key)).toMatchObject(all(everything, NO_RIGHT));
  });

  it('to write may read, and is refused all else (K3)', async () => {
    const fixture = await policyFixture();
    await fixture.v1('auto-close');
    const answers = everything.map((request) => all([request], request[0] === 'get' ? { status: 200 } : NO_RIGHT)[0]);
    expect(await answersTo(fixture, everything, { mayWrite: false })).toMatchObject(answers);
  });
});

describe('a signed-in user (K12)', () => {
  const admin = signedIn({ ops: 'admin', red: 'user' });
  const refused = (message: string) => ({ status: 403, body: { code: 40_301, message } });
  const isRead = ([method]: Request) => method === 'get';

  it('reads the policies of the account and of every team', async () => {
    const fixture = await policyFixture();
    const [account, theirs] = [await fixture.v1('auto-close'), await fixture.v2('notification', {}, 'red')];
    const reads = [...inScope(''), ...inScope('?teamId=red'), ...withPolicy(theirs, '?teamId=red')].filter(isRead);
    expect(await answersTo(fixture, reads, admin)).toMatchObject(all(reads, { status: 200 }));
    expect(await fixture.read(`/v1/policies/${account}`, admin)).toMatchObject({ id: account });
  });

  it('changes no policy of another team, in whatever role they are a member', async () => {
    const fixture = await policyFixture();
    const theirs = await fixture.v2('notification', {}, 'red');
    const writes = withPolicy(theirs, '?teamId=red').filter((request) => !isRead(request));
    const message = 'Only an admin of the team that owns it, or an admin of the account, can change policy [';
    const answers = await answersTo(fixture, writes, admin);
    expect(answers).toMatchObject(all(writes, { status: 403 }));
    for (const answer of answers) expect(JSON.stringify(answer)).toContain(message);
  });

  it('creates none for the account or for another team', async () => {
    const fixture = await policyFixture();
    const requests: readonly Request[] = [
      ['post', '/v2/policies', notification],
      ['post', '/v2/policies?teamId=red', notification],
      ['post', '/v1/policies', { ...V1_BODIES['auto-close'], type: 'auto-close' }],
    ];
    expect(await answersTo(fixture, requests, admin)).toMatchObject([
      refused('Only an owner or admin of the account can leave a policy without owner team.'),
      refused('Only an admin of team [Red], or an admin of the account, can give it a policy.'),
      refused('Only an owner or admin of the account can do this.'),
    ]);
  });

  it('creates, changes and deletes the policies of a team that they administer', async () => {
    const fixture = await policyFixture();
    const mine = await fixture.v2('notification', {}, 'ops', admin);
    const requests = withPolicy(mine, '?teamId=ops');
    const answers = await answersTo(fixture, requests, admin);
    expect(answers).toMatchObject(all(requests, {}).map(({ method, path }) => ({ method, path, status: 200 })));
  });
});
