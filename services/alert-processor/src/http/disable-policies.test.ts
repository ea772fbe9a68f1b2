import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { setUp } from '../testing/component-fixture.ts';
import { modifying, policyOf } from '../testing/policy-samples.ts';

const DIRECTORY = { service: 'directory' } as const;
const PATH = '/internal/teams/ops/policies';

describe('DELETE /internal/teams/{teamId}/policies', () => {
  it('switches off every policy of the team and of nobody else, and the same again writes nothing (P18)', async () => {
    const { app, configuration, vouched } = setUp();
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

  it('answers no key of a caller from outside (K6)', async () => {
    const { app, vouched } = setUp();
    expect(
      (
        await request(app)
          .delete(PATH)
          .set(await vouched())
      ).status,
    ).toBe(403);
  });
});
