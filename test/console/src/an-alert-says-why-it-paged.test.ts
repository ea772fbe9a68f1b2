import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { type SignedIn, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let person: SignedIn;
let alias: string;
let message: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  person = await rig.signIn(scenario.address('grace'));
  alias = randomUUID();
  message = `Disk full on ${alias.slice(0, 8)}`;
});

async function opened(): Promise<Page> {
  const { id } = await scenario.alertOf<{ readonly id: string }>(alias);
  const page = await rig.open(`/console/alerts/${id}`, { as: person, device: 'phone' });
  await page.getByRole('heading', { level: 1, name: message }).waitFor();
  return page;
}

const users = (page: Page) => page.getByRole('list', { name: 'Users' }).getByRole('listitem');
const steps = (page: Page) => page.getByRole('list', { name: 'Steps' }).getByRole('listitem');

describe('an alert', () => {
  it('says whom it paged and why, with each step and its second', async () => {
    await scenario.alert({ message, alias, responders: [scenario.user('ada')] });
    await rig.system.settle();
    await rig.system.mailed(scenario.address('ada'), message);
    const page = await opened();
    await page.getByRole('button', { name: 'Why?' }).click();
    await users(page)
      .filter({ hasText: `${scenario.address('ada')} was notified.` })
      .filter({ hasText: 'was handed over' })
      .waitFor();
    const paged = steps(page).filter({ hasText: `Paged ${scenario.address('ada')}` });
    await paged.waitFor();
    expect(await paged.getByRole('time').first().textContent()).toMatch(/\d\d:\d\d:\d\d$/);
    await rig.expectNoViolations(page);
  });

  it('says why it did not page a person, who is found by name with the keyboard', async () => {
    await scenario.alert({ message, alias, responders: [scenario.user('ada')] });
    await rig.system.settle();
    await rig.system.mailed(scenario.address('ada'), message);
    const page = await opened();
    await page.getByRole('button', { name: 'Why not …?' }).click();
    const field = page.getByRole('combobox', { name: 'Person' });
    await field.pressSequentially(scenario.address('grace').slice(0, -4));
    await page
      .getByRole('option')
      .filter({ hasText: scenario.address('grace') })
      .waitFor();
    await rig.expectNoViolations(page);
    await field.press('ArrowDown');
    await field.press('Enter');
    expect(await field.inputValue()).toBe(scenario.address('grace'));
    await field.press('Enter');
    await users(page)
      .filter({ hasText: `The alert did not page ${scenario.address('grace')}.` })
      .filter({ hasText: 'Nothing that this alert has reached leads to' })
      .waitFor();
    await rig.expectNoViolations(page);
  });

  it('says at the field that a person does not exist, and keeps what was typed', async () => {
    await scenario.alert({ message, alias });
    await rig.system.settle();
    const page = await opened();
    await page.getByRole('button', { name: 'Why not …?' }).click();
    const field = page.getByRole('combobox', { name: 'Person' });
    await field.fill('unknown@example.com');
    await page.getByRole('button', { name: 'Say why' }).click();
    await page.getByRole('alert').filter({ hasText: 'User does not exist.' }).waitFor();
    expect(await field.inputValue()).toBe('unknown@example.com');
  });

  it('that paged no user says so', async () => {
    await scenario.alert({ message, alias });
    await rig.system.settle();
    const page = await opened();
    await page.getByRole('button', { name: 'Why?' }).click();
    const none = page.getByText('The alert has paged no user.');
    await expect(none.waitFor()).resolves.toBeUndefined();
  });
});

describe('an alert that escalates', () => {
  it('counts down to the next page, with whom it goes to, until it is acknowledged', async () => {
    await scenario.escalation(
      'Ops',
      { delay: 0, to: { type: 'user', name: 'ada' } },
      { delay: 5, to: { type: 'user', name: 'grace' } },
    );
    await scenario.alert({ message, alias, responders: [scenario.responder('escalation', 'Ops')] });
    await rig.system.settle();
    await rig.system.mailed(scenario.address('ada'), message);
    const page = await opened();
    const next = page.getByRole('region', { name: 'Next page' });
    await next
      .filter({ hasText: /Next page in (5 min 00 s|4 min \d\d s)\./ })
      .filter({ hasText: `To ${scenario.address('grace')}: rule 2 of escalation` })
      .waitFor();
    await rig.expectNoViolations(page);
    const none = next.filter({ hasText: 'No page is due. The alert is acknowledged.' });
    await writeUntil(page.getByRole('definition').filter({ hasText: /^acknowledged$/ }), () =>
      page.getByRole('button', { name: 'Acknowledge', exact: true }).tap(),
    );
    await expect(none.waitFor()).resolves.toBeUndefined();
  });
});
