import { describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem();
const HOUR_MS = 3_600_000;

/** Ada's shifts are forwarded to Grace for the next hour. */
async function adaIsAway(): Promise<Scenario> {
  const scenario = system.scenario();
  await scenario.users('ada', 'grace', 'edsger');
  await forward(scenario, 'ada', 'grace');
  return scenario;
}

async function forward(scenario: Scenario, from: string, to: string): Promise<void> {
  await system.api.create('/v2/forwarding-rules', {
    fromUser: scenario.user(from),
    toUser: scenario.user(to),
    startDate: system.clock.now().toISOString(),
    endDate: new Date(system.clock.now().getTime() + HOUR_MS).toISOString(),
  });
}

/** Once other services know of what was made, for which they have a second (E13). */
async function alert(scenario: Scenario, message: string, responder: object): Promise<void> {
  await system.settle();
  await scenario.alert({ message, alias: scenario.name(message), responders: [responder] });
}

describe('a forwarded user', () => {
  it('who is named as responder is not mailed, and their deputy is; the log says who was forwarded', async () => {
    const scenario = await adaIsAway();
    await alert(scenario, 'Named', scenario.user('ada'));
    await system.mailed(scenario.address('grace'), 'Named');
    const said = await scenario.logOf(scenario.name('Named'));
    expect(said).toContain(`Pages of ${scenario.address('ada')} are forwarded to ${scenario.address('grace')}`);
  });

  it('who is on call is not mailed, and their deputy is', async () => {
    const scenario = await adaIsAway();
    await scenario.schedule('Ops', { participants: ['ada'] });
    await alert(scenario, 'On call', scenario.responder('schedule', 'Ops'));
    await system.mailed(scenario.address('grace'), 'On call');
  });

  it('who is named by an escalation is not mailed, and their deputy is', async () => {
    const scenario = await adaIsAway();
    await scenario.escalation('Late', { delay: 5, to: { type: 'user', name: 'ada' } });
    await alert(scenario, 'Escalated', scenario.responder('escalation', 'Late'));
    await system.pass(5);
    await system.mailed(scenario.address('grace'), 'Escalated');
  });

  it('who is a member of a team is not mailed, and their deputy is, once', async () => {
    const scenario = await adaIsAway();
    await scenario.team('Crew', 'ada', 'grace');
    await scenario.escalation('Everybody', { delay: 0, to: { type: 'team', name: 'Crew' }, notifyType: 'all' });
    await alert(scenario, 'To all', scenario.responder('escalation', 'Everybody'));
    await system.mailed(scenario.address('grace'), 'To all');
  });

  it('is mailed again from the end of the rule on, read when a rule fires', async () => {
    const scenario = await adaIsAway();
    const ada = { type: 'user', name: 'ada' } as const;
    await scenario.escalation('Twice', { delay: 59, to: ada }, { delay: 60, to: ada });
    await alert(scenario, 'Before and after', scenario.responder('escalation', 'Twice'));
    await system.pass(59);
    await system.mailed(scenario.address('grace'), 'Before and after');
    await system.pass(1);
    await system.mailed(scenario.address('ada'), 'Before and after');
  });

  it('whose deputy is forwarded too is stood in for by the last of the chain', async () => {
    const scenario = await adaIsAway();
    await forward(scenario, 'grace', 'edsger');
    await alert(scenario, 'Chain', scenario.user('ada'));
    await system.mailed(scenario.address('edsger'), 'Chain');
  });
});
