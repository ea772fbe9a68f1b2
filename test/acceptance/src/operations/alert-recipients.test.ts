import { beforeEach, describe, expect, it } from '@jest/globals';
import { useSystem } from '../system/system.ts';
import type { World } from '../system/world.ts';

const system = useSystem();
let world: World;
let alias: string;

beforeEach(() => {
  world = system.world();
  alias = world.name('disk');
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
  const path = `/v2/alerts/${encodeURIComponent(alias)}/recipients?identifierType=alias`;
  return system.api.read<readonly Recipient[]>(path);
};
const standing = async () => (await recipients()).map(({ user, state, method }) => [user.username, state, method]);

describe('recipients of an alert (wire facts 4)', () => {
  it('list-alert-recipients: whom it reached, who was told by which method, and who acted', async () => {
    await world.users('ada', 'grace', 'edsger');
    await world.escalation(
      'Nights',
      { delay: 0, to: { type: 'user', name: 'ada' } },
      { delay: 5, to: { type: 'user', name: 'grace' } },
      { delay: 10, to: { type: 'user', name: 'edsger' } },
    );
    await world.alert({ message: 'Disk full', alias, responders: [world.responder('escalation', 'Nights')] });
    await system.mailed(world.address('ada'), 'Disk full');
    expect(await standing()).toEqual([[world.address('ada'), 'active', 'email']]);

    await system.pass(5);
    await system.mailed(world.address('grace'), 'Disk full');
    await system.pass(1);
    await world.act(alias, 'acknowledge', { user: world.address('grace') });
    await system.pass(10);
    const [ada, grace, ...others] = await recipients();
    const { id } = await system.api.read<{ id: string }>(`/v2/users/${world.address('ada')}`);
    expect(ada).toMatchObject({ user: { id, username: world.address('ada') }, state: 'active', method: 'email' });
    expect(grace).toMatchObject({ state: 'action', method: 'Acknowledge' });
    expect(Date.parse(grace?.updatedAt ?? '') - Date.parse(grace?.createdAt ?? '')).toBe(60_000);
    expect(others).toEqual([]);

    await world.act(alias, 'unacknowledge', { user: world.address('grace') });
    await system.mailed(world.address('ada'), 'Disk full');
    await system.pass(5);
    await system.mailed(world.address('grace'), 'Disk full');
    expect(await standing()).toEqual([
      [world.address('ada'), 'active', 'email'],
      [world.address('grace'), 'active', 'email'],
    ]);
  });

  it('list-alert-recipients: an alert that is not there has none', async () => {
    const answer = await system.api.request('GET', '/v2/alerts/nothing/recipients');
    expect([answer.status, answer.body['message']]).toEqual([404, 'Alert does not exist']);
  });
});
