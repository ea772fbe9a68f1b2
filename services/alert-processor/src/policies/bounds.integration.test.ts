import { describe, expect, it } from '@jest/globals';
import { MAX_BYTES_OF_TEAM } from '@tocsin/rules';
import { MAX_POLICIES, type Policy } from './policy.ts';
import { policyFixture, V1_BODIES, type PolicyFixture } from '../testing/policy-fixture.ts';
import { modifying, policyOf } from '../testing/policy-samples.ts';

const body = (changes: object = {}) => ({ ...V1_BODIES['auto-close'], type: 'auto-close', ...changes });

async function holding(count: number, changes: (n: number) => Partial<Policy>): Promise<PolicyFixture> {
  const fixture = await policyFixture();
  const put = Array.from({ length: count }, (_, n) => policyOf(`p${n}`, changes(n)));
  await fixture.configuration.change(() => ({ policies: { put }, answer: undefined }));
  return fixture;
}

describe('the policies of the account, or of one team', () => {
  it.each([
    ['/v1/policies', undefined, 'The account has at most 1000 policies.'],
    ['/v2/policies?teamId=ops', 'ops', 'A team has at most 1000 policies.'],
  ])('are at most 1000, of both kinds together: %s', async (path, teamId, message) => {
    const scope = (n: number) => ({ teamId, ...(n % 2 === 0 ? {} : { effects: modifying() }), order: n >> 1 });
    const fixture = await holding(MAX_POLICIES - 1, scope);
    const sent = path.startsWith('/v1') ? body() : { type: 'notification', name: 'One more', suppress: true };
    expect((await fixture.send('post', path, sent)).status).toBe(201);
    expect(await fixture.send('post', path, sent)).toMatchObject({ status: 422, body: { message } });
    expect((await fixture.configuration.current()).policies).toHaveLength(MAX_POLICIES);
    expect((await fixture.send('post', '/v2/policies?teamId=red', { ...sent, type: 'notification' })).status).toBe(201);
  });

  it('are at most 4000000 bytes together', async () => {
    const long = 'x'.repeat(100_000);
    const fixture = await holding(39, (order) => ({ order, description: long }));
    const filter = (length: number) => ({
      type: 'match-any-condition',
      conditions: Array.from({ length }, () => ({
        field: 'message',
        operation: 'contains',
        expectedValue: 'x'.repeat(1_000),
      })),
    });
    const message = `The account has at most ${MAX_BYTES_OF_TEAM} bytes of policies.`;
    const large = body({ filter: filter(100) });
    expect(await fixture.send('post', '/v1/policies', large)).toMatchObject({ status: 422, body: { message } });
    expect((await fixture.send('post', '/v1/policies', body({ filter: filter(10) }))).status).toBe(201);
    expect(await fixture.send('put', '/v1/policies/policy-2', large)).toMatchObject({ status: 422, body: { message } });
    expect((await fixture.configuration.current()).policies).toHaveLength(40);
  });

  it('are refused if their patterns together take too long, whichever policies they are in', async () => {
    const fixture = await policyFixture();
    const slow = {
      type: 'match-all-conditions',
      conditions: [{ field: 'description', operation: 'matches', expectedValue: '(a|b|c){1,14}d' }],
    };
    const refused = { status: 422, body: { errors: { filter: expect.stringContaining('takes too long') as unknown } } };
    let created = await fixture.send('post', '/v1/policies', body({ filter: slow }));
    expect(created.status).toBe(201);
    for (let n = 0; n < 50 && created.status === 201; n += 1)
      created = await fixture.send('post', '/v1/policies', body({ filter: slow }));
    expect(created).toMatchObject(refused);
    const plain = await fixture.v1('modify');
    const { send } = fixture;
    expect(
      await send('put', `/v1/policies/${plain}`, { ...V1_BODIES.modify, type: 'modify', filter: slow }),
    ).toMatchObject(refused);
    const toTeam = { type: 'notification', name: 'Other scope', filter: slow };
    expect((await send('post', '/v2/policies?teamId=ops', toTeam)).status).toBe(201);
  });
});

describe('a policy with users who do not exist', () => {
  it('is refused with the name of the first', async () => {
    const { send } = await policyFixture();
    const responders = Array.from({ length: 50 }, (_, n) => ({ type: 'user', id: `ghost-${n}` }));
    const refused = await send('post', '/v2/policies', { type: 'alert', name: 'p', message: 'x', responders });
    expect(refused).toMatchObject({ status: 404, body: { message: 'Responder does not exist with id: ghost-0' } });
  });
});
