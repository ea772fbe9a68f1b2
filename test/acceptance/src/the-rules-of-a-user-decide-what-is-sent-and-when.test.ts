import { beforeEach, describe, expect, it } from '@jest/globals';
import { stepTo, type Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem();
let scenario: Scenario;
let ada: string;

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  ada = scenario.address('ada');
});

/** Gives Ada these steps for a new alert, each to an address after some minutes, and nothing else. */
async function stepsOf(...steps: readonly (readonly [to: string, minutes: number])[]): Promise<void> {
  await scenario.changeRule('ada', 'create-alert', { steps: steps.map(([to, minutes]) => stepTo(to, minutes)) });
}

async function contact(to: string): Promise<string> {
  return (await system.api.create(`/v2/users/${ada}/contacts`, { method: 'email', to })).id;
}

const alertAda = (of: string) =>
  scenario.alert({ message: `Disk of ${of}`, alias: scenario.name(of), responders: [scenario.user('ada')] });

describe('the steps of a rule', () => {
  it('mail when their time has come, and not before', async () => {
    await stepsOf([ada, 5]);
    await alertAda('db');
    await system.settle();
    await system.pass(4);
    expect(system.mailbox.unexpected()).toEqual([]);
    await system.pass(1);
    await system.mailed(ada, 'Disk of db');
  });

  it('are stopped by an acknowledgement in between', async () => {
    await stepsOf([ada, 0], [ada, 5]);
    await alertAda('db');
    await system.mailed(ada, 'Disk of db');
    await scenario.act(scenario.name('db'), 'acknowledge');
    await system.settle();
    await system.pass(10);
    expect(system.mailbox.unexpected()).toEqual([]);
  });

  it('of two contacts are two mails', async () => {
    const home = scenario.address('ada.home');
    await contact(home);
    await stepsOf([ada, 0], [home, 0]);
    await alertAda('db');
    await system.mailed(ada, 'Disk of db');
    await system.mailed(home, 'Disk of db');
  });

  it('pass over a disabled contact, and the log of the alert says so', async () => {
    const home = scenario.address('ada.home');
    const id = await contact(home);
    await stepsOf([ada, 0], [home, 0]);
    await system.api.expect(200, 'POST', `/v2/users/${ada}/contacts/${id}/disable`);
    await alertAda('db');
    await system.mailed(ada, 'Disk of db');
    expect(system.mailbox.unexpected()).toEqual([]);
    expect(await scenario.logOf(scenario.name('db'))).toMatch(/contact is disabled/);
  });

  it('begin again after loopAfter until a user acknowledges', async () => {
    await scenario.changeRule('ada', 'create-alert', { repeat: { loopAfter: 10, enabled: true } });
    await alertAda('db');
    await system.mailed(ada, 'Disk of db');
    await system.pass(9);
    expect(system.mailbox.unexpected()).toEqual([]);
    await system.pass(1);
    await system.mailed(ada, 'Disk of db');
    await scenario.act(scenario.name('db'), 'acknowledge');
    await system.settle();
    await system.pass(30);
    expect(system.mailbox.unexpected()).toEqual([]);
  });
});
