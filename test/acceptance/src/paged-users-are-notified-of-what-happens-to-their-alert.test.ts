import { beforeEach, describe, expect, it } from '@jest/globals';
import { byAlias, stepTo, type Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem();
const DAY = 24 * 60;
let scenario: Scenario;
let alias: string;

beforeEach(async () => {
  scenario = system.scenario();
  alias = scenario.name('disk');
  await scenario.usersWithAllRules('ada', 'grace', 'edsger');
});

const mailed = (name: string, pattern: string | RegExp) => system.mailed(scenario.address(name), pattern);
const by = (name: string) => ({ user: scenario.address(name) });

/** Opens the alert, which pages these. */
async function page(...names: readonly string[]): Promise<void> {
  await scenario.alert({ message: 'Disk full', alias, responders: names.map((name) => scenario.user(name)) });
  for (const name of names) await mailed(name, 'You get this message because: responder user');
}

/** Has these notified of the alert again at another address than of a new one. */
async function againElsewhere(name: string): Promise<string> {
  const to = scenario.address(`${name}.again`);
  const user = `/v2/users/${scenario.address(name)}`;
  await system.api.create(`${user}/contacts`, { method: 'email', to });
  const rule = { name: 'Again', actionType: 'renotified-alert', enabled: true, steps: [stepTo(to)] };
  await system.api.create(`${user}/notification-rules`, rule);
  return to;
}

describe('what happens to an alert', () => {
  it('is mailed to those who were paged about it, but not to who did it, nor to another user (U16)', async () => {
    await page('ada', 'grace');
    await scenario.act(alias, 'notes', { note: 'It is the fan', ...by('grace') });
    await mailed(
      'ada',
      /: note by grace@[^]*Note by grace@[^]*> It is the fan[^]*You get this message because: you were paged/,
    );
    await scenario.act(alias, 'acknowledge', by('ada'));
    await mailed('grace', `: acknowledged by ${scenario.address('ada')}`);
    await scenario.act(alias, 'acknowledge', by('ada'));
    await scenario.act(alias, 'close', { note: 'Fan replaced' });
    for (const name of ['ada', 'grace']) await mailed(name, /: closed by Alert API[^]*> Fan replaced/);
    await scenario.act(alias, 'close');
    await system.pass(DAY);
    expect(system.mailbox.unexpected()).toEqual([]);
  });

  it('is notified of a snoozed alert, and of a closed one', async () => {
    await page('ada');
    await scenario.act(alias, 'snooze', { endTime: new Date(system.clock.now().getTime() + 3_600_000).toISOString() });
    await scenario.act(alias, 'notes', { note: 'Not tonight' });
    await mailed('ada', '> Not tonight');
    const { id } = await scenario.alertOf(alias);
    await scenario.act(alias, 'close', by('ada'));
    await system.settle();
    await system.api.expect(202, 'POST', `/v2/alerts/${String(id)}/notes`, { note: 'Afterwards' });
    await mailed('ada', '> Afterwards');
    expect(await system.api.read(`/v2/alerts/${String(id)}`)).toMatchObject({ status: 'closed' });
  });
});

describe('an assignment', () => {
  it.each([
    ['with responders', ['grace']],
    ['without responders (F4)', []],
  ])('of an alert %s is mailed to the new owner, once, where another did it (A9)', async (_, paged) => {
    await page(...paged);
    const owner = scenario.user('ada');
    await scenario.act(alias, 'assign', { owner, ...by('edsger') });
    await mailed('ada', `: assigned to you by ${scenario.address('edsger')}`);
    await scenario.act(alias, 'assign', { owner, ...by('ada') });
    await system.pass(DAY);
    expect(system.mailbox.unexpected()).toEqual([]);
    expect(await scenario.logOf(alias)).toContain('The new owner is notified of the assignment');
  });

  it('of which a step is still to come is not sent once the alert is deleted', async () => {
    await scenario.changeRule('ada', 'assigned-alert', { steps: [stepTo(scenario.address('ada'), 5)] });
    await scenario.alert({ message: 'Disk full', alias });
    await scenario.act(alias, 'assign', { owner: scenario.user('ada') });
    await system.pass(4);
    await system.api.expect(202, 'DELETE', byAlias(alias));
    await system.pass(DAY);
    expect(system.mailbox.unexpected()).toEqual([]);
  });
});

describe('a user whom an alert reaches again', () => {
  it('by a restart is notified by the rules for that', async () => {
    const again = await againElsewhere('ada');
    await page('ada');
    await scenario.act(alias, 'acknowledge', by('ada'));
    await scenario.act(alias, 'unacknowledge', by('ada'));
    await system.mailed(again, 'Disk full');
  });

  it('by a repetition of an escalation is notified by the rules for that', async () => {
    const again = await againElsewhere('ada');
    const repeat = { waitInterval: 10, count: 1 };
    await scenario.repeatingEscalation('Duty', repeat, { delay: 0, to: { type: 'user', name: 'ada' } });
    await system.settle();
    await scenario.alert({ message: 'Disk full', alias, responders: [scenario.responder('escalation', 'Duty')] });
    await mailed('ada', 'Disk full');
    await system.pass(10);
    await system.mailed(again, 'Disk full');
    await scenario.act(alias, 'close', by('ada'));
  });
});
