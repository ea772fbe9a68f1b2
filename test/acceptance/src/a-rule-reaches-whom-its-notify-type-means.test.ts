import { describe, it } from '@jest/globals';
import type { RuleInput, Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem();
const schedule = { type: 'schedule', name: 'Ops' } as const;
const team = { type: 'team', name: 'Crew' } as const;

/** Ada, Bob and Eve take turns of a day, Ada since an hour ago; Ada is an admin of their team. */
async function crew(): Promise<Scenario> {
  const scenario = system.scenario();
  await scenario.users('ada', 'bob', 'eve', 'grace');
  const startDate = new Date(system.clock.now().getTime() - 3_600_000).toISOString();
  await scenario.schedule('Ops', { participants: ['ada', 'bob', 'eve'], startDate });
  await system.api.create('/v2/teams', {
    name: scenario.name('Crew'),
    members: [
      { user: scenario.user('ada'), role: 'admin' },
      { user: scenario.user('bob'), role: 'user' },
      { user: scenario.user('eve') },
    ],
  });
  return scenario;
}

/** Once other services know of what was made, for which they have a second (E13). */
async function alert(scenario: Scenario, message: string, ...rules: readonly RuleInput[]): Promise<void> {
  await scenario.escalation(message, ...rules);
  await system.settle();
  await scenario.alert({
    message,
    alias: scenario.name(message),
    responders: [scenario.responder('escalation', message)],
  });
}

describe('a rule for a schedule', () => {
  it('mails who is on call, then the next and then the previous of the rotation', async () => {
    const scenario = await crew();
    await alert(
      scenario,
      'In turn',
      { delay: 0, to: schedule },
      { delay: 5, to: schedule, notifyType: 'next' },
      { delay: 10, to: schedule, notifyType: 'previous' },
    );
    await system.mailed(scenario.address('ada'), 'In turn');
    await system.pass(5);
    await system.mailed(scenario.address('bob'), 'In turn');
    await system.pass(5);
    await system.mailed(scenario.address('eve'), 'In turn');
  });

  it('reads who is next when it is due, not when the alert came', async () => {
    const scenario = await crew();
    await alert(scenario, 'After the hand-off', { delay: 24 * 60, to: schedule, notifyType: 'next' });
    await system.pass(24 * 60);
    await system.mailed(scenario.address('eve'), 'After the hand-off');
  });
});

describe('a rule for a team', () => {
  it.each([
    ['admins', ['ada']],
    ['users', ['bob', 'eve']],
    ['all', ['ada', 'bob', 'eve']],
  ])('mails its %s', async (notifyType, names) => {
    const scenario = await crew();
    await alert(scenario, 'For some', { delay: 0, to: team, notifyType });
    for (const name of names) await system.mailed(scenario.address(name), 'For some');
  });

  it('follows its routing rules by default', async () => {
    const scenario = await crew();
    const rules = `/v2/teams/${encodeURIComponent(scenario.name('Crew'))}/routing-rules?teamIdentifierType=name`;
    const notify = { type: 'schedule', name: scenario.name('Ops') };
    await system.api.create(rules, { name: 'Ops', criteria: { type: 'match-all' }, notify });
    await alert(scenario, 'Routed', { delay: 0, to: team });
    await system.mailed(scenario.address('ada'), 'Routed');
  });
});
