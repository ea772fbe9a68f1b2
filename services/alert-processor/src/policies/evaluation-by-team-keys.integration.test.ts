import { describe, expect, it } from '@jest/globals';
import type { Policy } from './policy.ts';
import { byAlias, close, create } from '../testing/commands-samples.ts';
import { setUp, team } from '../testing/component-fixture.ts';
import { condition, modifies, notifies } from '../testing/policy-rules-samples.ts';

const EVALUATE = '/v2/policies/evaluate';
const RED = { teamId: 'red' };
const to = (...ids: readonly string[]) => ids.map((id) => ({ type: 'team' as const, id }));
const secret = { filter: { conditions: [condition('message', 'contains', 'hunter2')] } };
const suppress = { suppress: true };

async function serviceWith(...policies: readonly Policy[]) {
  const service = await setUp();
  for (const id of ['ops', 'red']) service.replicas.team.put(id, team(id, id));
  const put = policies.map((policy, order) => ({ ...policy, order }));
  await service.configuration.change(() => ({ policies: { put }, answer: undefined }));
  const evaluated = async (body: object, principal: object = RED) => {
    const answer = await service.send('post', EVALUATE, body, principal);
    expect(answer.status).toBe(200);
    return (answer.body as { data: Readonly<Record<string, unknown>> }).data;
  };
  return { ...service, evaluated };
}

describe('the answer of evaluate to the key of a team', () => {
  it('counts the policies of the account, but reveals only their effect on the alert (K8)', async () => {
    const { evaluated, get } = await serviceWith(
      notifies('Secret', suppress, secret),
      modifies('Tidy', { tags: ['tidy'] }),
      notifies('Own', suppress, { teamId: 'red' }),
    );
    expect((await get('/v2/policies/Secret', RED)).status).toBe(403);
    const answer = await evaluated({ message: 'x' });
    expect(answer).toMatchObject({
      alert: { tags: ['tidy'] },
      flow: { starts: 'never' },
      policies: [{ id: 'Own' }],
      otherPolicies: { matched: 1, notMatched: 1 },
    });
    expect(JSON.stringify(answer)).not.toMatch(/Secret|hunter2|Tidy/);
  });

  it('counts the policies of another team on an alert that the key may see (K4)', async () => {
    const { apply, evaluated } = await serviceWith(notifies('Secret of ops', suppress, { teamId: 'ops', ...secret }));
    const command = create('disk', { alert: { responders: to('ops'), visibleTo: to('red') } });
    await apply({ ...command, integration: { ...command.integration, ownerTeamId: 'ops' } });
    const answer = await evaluated({ alertId: command.alert.alertId });
    expect(answer).toMatchObject({ policies: [], otherPolicies: { matched: 0, notMatched: 1 } });
    expect(JSON.stringify(answer)).not.toMatch(/Secret|hunter2/);
  });

  it('includes the policy of another team that names its team, which it may read (K4)', async () => {
    const naming = modifies('Hand over', { recipients: to('red') }, { teamId: 'ops' });
    const { apply, evaluated } = await serviceWith(naming);
    const command = create('disk', { alert: { responders: to('ops'), visibleTo: to('red') } });
    await apply({ ...command, integration: { ...command.integration, ownerTeamId: 'ops' } });
    expect(await evaluated({ alertId: command.alert.alertId })).toMatchObject({ policies: [{ id: 'Hand over' }] });
  });

  it('says that an open alert has the alias, but not its id, if the key may not see it (A16)', async () => {
    const { apply, evaluated } = await serviceWith();
    const seen = create('db', { alert: { responders: to('red') } });
    await apply(seen);
    await apply(close(byAlias('db')));
    await apply(create('db', { alert: { responders: to('ops') } }));
    const answer = await evaluated({ alertId: seen.alert.alertId });
    expect([answer['outcome'], answer['repeats']]).toEqual(['repeated', undefined]);
    expect(await evaluated({ alertId: seen.alert.alertId }, {})).toMatchObject({ repeats: { alias: 'db' } });
  });
});

describe('the log of an alert, for the key of the team that owns it', () => {
  it('hides the value that a condition of a policy expects (K4)', async () => {
    const { apply, get } = await serviceWith(notifies('Quiet', suppress, secret));
    const command = create('disk', { alert: { responders: to('red') } });
    await apply(command);
    const answer = await get(`/v2/alerts/${command.alert.alertId}/logs`, RED);
    expect(answer.text).toContain('[Quiet] does not match: message contains […], met [Disk full]');
    expect(answer.text).not.toContain('hunter2');
  });
});

describe('the findings about more than 100 policies', () => {
  it('are those that took effect and the first others, in their order; the rest is counted', async () => {
    const skipped = Array.from({ length: 150 }, (_, n) => notifies(`p${n}`, suppress, secret));
    const { evaluated } = await serviceWith(...skipped, notifies('Quiet', suppress));
    const { policies, otherPolicies } = await evaluated({ message: 'x' }, {});
    const ids = (policies as readonly { id: string }[]).map(({ id }) => id);
    expect([ids.length, ids[0], ids[98], ids[99]]).toEqual([100, 'p0', 'p98', 'Quiet']);
    expect(otherPolicies).toEqual({ matched: 0, notMatched: 51 });
  });
});
