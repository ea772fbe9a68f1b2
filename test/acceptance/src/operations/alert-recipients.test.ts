import { beforeEach, describe, expect, it } from '@jest/globals';
import { byAlias, type Scenario } from '@tocsin/testkit';
import { useSystem } from '../system/system.ts';

const system = useSystem();
let scenario: Scenario;
let alias: string;

beforeEach(() => {
  scenario = system.scenario();
  alias = scenario.name('disk');
});

interface Recipient {
  readonly user: { readonly id: string; readonly username: string };
  readonly state: string;
  readonly method: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const recipients = async () => {
  await system.settle();
  return system.api.read<readonly Recipient[]>(byAlias(alias, '/recipients'));
};
const standing = async () => (await recipients()).map(({ user, state, method }) => [user.username, state, method]);

describe('recipients of an alert (wire facts 4)', () => {
  it('list-alert-recipients: which users it reached, which were notified by which method, and which acted', async () => {
    await scenario.users('ada', 'grace', 'edsger');
    await scenario.escalation(
      'Nights',
      { delay: 0, to: { type: 'user', name: 'ada' } },
      { delay: 5, to: { type: 'user', name: 'grace' } },
      { delay: 10, to: { type: 'user', name: 'edsger' } },
    );
    await scenario.alert({ message: 'Disk full', alias, responders: [scenario.responder('escalation', 'Nights')] });
    await system.mailed(scenario.address('ada'), 'Disk full');
    expect(await standing()).toEqual([[scenario.address('ada'), 'active', 'email']]);

    await system.pass(5);
    await system.mailed(scenario.address('grace'), 'Disk full');
    await system.pass(1);
    await scenario.act(alias, 'acknowledge', { user: scenario.address('grace') });
    await system.pass(10);
    const [ada, grace, ...others] = await recipients();
    const { id } = await system.api.read<{ id: string }>(`/v2/users/${scenario.address('ada')}`);
    expect(ada).toMatchObject({ user: { id, username: scenario.address('ada') }, state: 'active', method: 'email' });
    expect(grace).toMatchObject({ state: 'action', method: 'Acknowledge' });
    expect(Date.parse(grace?.updatedAt ?? '') - Date.parse(grace?.createdAt ?? '')).toBe(60_000);
    expect(others).toEqual([]);

    await scenario.act(alias, 'unacknowledge', { user: scenario.address('grace') });
    await system.mailed(scenario.address('ada'), 'Disk full');
    await system.pass(5);
    await system.mailed(scenario.address('grace'), 'Disk full');
    expect(await standing()).toEqual([
      [scenario.address('ada'), 'active', 'email'],
      [scenario.address('grace'), 'active', 'email'],
    ]);
  });

  it('list-alert-recipients: an alert that is not there has none', async () => {
    const answer = await system.api.request('GET', '/v2/alerts/nothing/recipients');
    expect([answer.status, answer.body['message']]).toEqual([404, 'Alert does not exist']);
  });
});
