import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { byAlias, type Scenario } from '@tocsin/testkit';
import type { Api } from '../system/api.ts';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
const PATH = '/v2/policies/evaluate';

interface Evaluation {
  readonly outcome: string;
  readonly repeats?: { readonly alias: string };
  readonly alert: { readonly message: string; readonly tags: readonly string[] };
  readonly flow?: { readonly starts: string };
  readonly policies: readonly { readonly id: string; readonly matched: boolean; readonly text: string }[];
}

let scenario: Scenario;
let key: Api;
let made: string[];

/** A team with a key that may configure and two policies: one that tidies, one that is for other alerts. */
beforeEach(async () => {
  scenario = system.scenario();
  const team = await scenario.team('Ops');
  const integration = { type: 'API', name: scenario.name('Key'), ownerTeam: team, allowConfigurationAccess: true };
  const { apiKey } = await system.api.create<{ readonly apiKey: string }>('/v2/integrations', integration);
  await system.settle();
  key = system.api.as(apiKey);
  made = [];
  const db = { field: 'message', operation: 'contains', expectedValue: 'db' };
  for (const body of [
    { type: 'alert', name: 'Tidy', enabled: true, message: '{{message.toUpperCase()}}', tags: ['tidy'] },
    {
      type: 'notification',
      name: 'Quiet',
      enabled: true,
      suppress: true,
      filter: { type: 'match-all-conditions', conditions: [db] },
    },
  ]) {
    const { id } = await system.api.create(`/v2/policies?teamId=${team.id}`, body);
    made.push(id);
  }
});
afterEach(async () => {
  for (const id of made) await system.api.expect(200, 'DELETE', `/v2/policies/${id}`);
});

async function evaluated(body: object): Promise<Evaluation> {
  const answer = await key.expect(200, 'POST', PATH, body);
  return answer.body['data'] as Evaluation;
}

describe('what policies would do to an alert', () => {
  it('evaluate-policies predicts what then happens, and makes no alert itself', async () => {
    const alias = scenario.name('disk');
    const body = { message: 'Disk full', alias };
    const before = await evaluated(body);
    expect(before).toMatchObject({ outcome: 'created', flow: { starts: 'at-once' } });
    expect((await key.request('GET', byAlias(alias))).status).toBe(404);

    await key.expect(202, 'POST', '/v2/alerts', body);
    await system.settle();
    const alert = await key.read<Evaluation['alert']>(byAlias(alias));
    expect(alert).toMatchObject({ message: 'DISK FULL', tags: ['tidy'] });
    expect(before.alert).toMatchObject({ message: alert.message, tags: alert.tags });
    const logs = await key.read<readonly { readonly log: string }[]>(byAlias(alias, '/logs'));
    const own = before.policies.filter(({ id }) => made.includes(id));
    expect(own.map(({ matched }) => matched)).toEqual([true, false]);
    const logged = logs.map(({ log }) => log).join('\n');
    for (const { text } of own) expect(logged).toContain(text);

    expect(await evaluated(body)).toMatchObject({ outcome: 'repeated', repeats: { alias } });
    expect((await evaluated({ identifier: alias, identifierType: 'alias' })).outcome).toBe('created');
  });

  it('evaluate-policies refuses a body that is no alert, and does not know the alerts of others', async () => {
    const { errors } = (await key.expect(422, 'POST', PATH, {})).body;
    expect(Object.keys(errors as object)).toEqual(['message']);
    const alias = scenario.name('theirs');
    await scenario.alert({ message: 'Disk full', alias });
    await system.settle();
    await key.expect(404, 'POST', PATH, { identifier: alias, identifierType: 'alias' });
    await system.api.expect(200, 'POST', PATH, { identifier: alias, identifierType: 'alias' });
  });
});
