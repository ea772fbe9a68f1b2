import { describe, expect, it } from '@jest/globals';
import { useSystem } from './system/system.ts';
import type { RuleInput, World } from './system/world.ts';

const system = useSystem();
const schedule = { type: 'schedule', name: 'Ops' } as const;
const team = { type: 'team', name: 'Crew' } as const;

/** Ada, Bob and Eve take turns of a day, Ada since an hour ago; Ada is an admin of their team. */
async function crew(): Promise<World> {
  const world = system.world();
  await world.users('ada', 'bob', 'eve', 'grace');
  const startDate = new Date(system.clock.now().getTime() - 3_600_000).toISOString();
  await world.schedule('Ops', { participants: ['ada', 'bob', 'eve'], startDate });
  await system.api.create('/v2/teams', {
    name: world.name('Crew'),
    members: [
      { user: world.user('ada'), role: 'admin' },
      { user: world.user('bob'), role: 'user' },
      { user: world.user('eve') },
    ],
  });
  return world;
}

/** Once other services know of what was made, for which they have a second (E13). */
async function alert(world: World, message: string, ...rules: readonly RuleInput[]): Promise<void> {
  await world.escalation(message, ...rules);
  await system.settle();
  await world.alert({ message, alias: world.name(message), responders: [world.responder('escalation', message)] });
}

const aDay = () => ({
  startDate: system.clock.now().toISOString(),
  endDate: new Date(system.clock.now().getTime() + 86_400_000).toISOString(),
});

describe('a rule for a schedule', () => {
  it('mails who is on call, then the next and then the previous of the rotation', async () => {
    const world = await crew();
    await alert(
      world,
      'In turn',
      { delay: 0, to: schedule },
      { delay: 5, to: schedule, notifyType: 'next' },
      { delay: 10, to: schedule, notifyType: 'previous' },
    );
    await system.mailed(world.address('ada'), 'In turn');
    await system.pass(5);
    await system.mailed(world.address('bob'), 'In turn');
    await system.pass(5);
    await system.mailed(world.address('eve'), 'In turn');
  });

  it('reads who is next when it is due, not when the alert came', async () => {
    const world = await crew();
    await alert(world, 'After the hand-off', { delay: 24 * 60, to: schedule, notifyType: 'next' });
    await system.pass(24 * 60);
    await system.mailed(world.address('eve'), 'After the hand-off');
  });

  it('takes next and previous from the rotation whatever an override says, and forwards them', async () => {
    const world = await crew();
    const overrides = `/v2/schedules/${encodeURIComponent(world.name('Ops'))}/overrides?scheduleIdentifierType=name`;
    await system.api.create(overrides, { alias: 'swap', user: world.user('grace'), ...aDay() });
    await system.api.create('/v2/forwarding-rules', {
      ...{ fromUser: world.user('eve'), toUser: world.user('ada') },
      ...aDay(),
    });
    await alert(world, 'Overridden', { delay: 0, to: schedule }, { delay: 5, to: schedule, notifyType: 'next' });
    await system.mailed(world.address('grace'), 'Overridden');
    await system.pass(5);
    await system.mailed(world.address('bob'), 'Overridden');
    await alert(world, 'Forwarded', { delay: 0, to: schedule, notifyType: 'previous' });
    await system.mailed(world.address('ada'), 'Forwarded');
  });
});

describe('a rule for a team', () => {
  it.each([
    ['admins', ['ada']],
    ['users', ['bob', 'eve']],
    ['all', ['ada', 'bob', 'eve']],
  ])('mails its %s', async (notifyType, names) => {
    const world = await crew();
    await alert(world, 'For some', { delay: 0, to: team, notifyType });
    for (const name of names) await system.mailed(world.address(name), 'For some');
  });

  it('mails one of its members at random', async () => {
    const world = await crew();
    await alert(world, 'For one', { delay: 0, to: team, notifyType: 'random' });
    await system.settle();
    const [mail, ...others] = system.mailbox.unexpected();
    expect(others).toEqual([]);
    expect(['ada', 'bob', 'eve'].map((name) => world.address(name))).toContain(mail?.to.join());
    await system.mailed(mail?.to.join() ?? '', 'For one');
  });

  it('follows its routing rules by default', async () => {
    const world = await crew();
    const rules = `/v2/teams/${encodeURIComponent(world.name('Crew'))}/routing-rules?teamIdentifierType=name`;
    const notify = { type: 'schedule', name: world.name('Ops') };
    await system.api.create(rules, { name: 'Ops', criteria: { type: 'match-all' }, notify });
    await alert(world, 'Routed', { delay: 0, to: team });
    await system.mailed(world.address('ada'), 'Routed');
  });
});
