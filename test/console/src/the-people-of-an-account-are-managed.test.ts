import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Locator, Page } from 'playwright-core';
import { useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let grace: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
  grace = scenario.address('grace');
});

async function opened(role: string): Promise<Page> {
  const ada = scenario.address('ada');
  await rig.system.api.expect(200, 'PATCH', `/v2/users/${ada}`, { role: { name: role } });
  const page = await rig.open('/console/people', { as: await rig.signIn(ada) });
  await page.getByLabel('Name or user name').fill(ada.slice(0, -'@example.com'.length));
  await item(page, ada).waitFor();
  return page;
}

const item = (page: Page, username: string) => page.getByRole('listitem').filter({ has: page.getByText(username) });
const form = (page: Page) => page.getByRole('form', { name: 'Invite a person' });

/** Presses a button that writes, until the page shows what came of it. */
const pressFor = (shown: Locator, button: Locator): Promise<void> => writeUntil(shown, () => button.click());

async function invite(page: Page, shown: Locator, username: string): Promise<void> {
  await form(page).getByLabel('Mail address').fill(username);
  await form(page).getByLabel('Full name').fill('Grace Hopper');
  await pressFor(shown, form(page).getByRole('button', { name: 'Invite' }));
}

describe('a person of the account', () => {
  it('is invited by mail, gets another role and is removed', async () => {
    const page = await opened('admin');
    const said = (text: string) => page.getByRole('main').getByText(`${grace} ${text}`);
    await invite(page, said('was invited by mail.'), grace);
    await rig.system.mailed(grace, 'invite');
    await page.getByLabel('Name or user name').fill(grace.slice(0, -'@example.com'.length));
    await item(page, grace).getByText('User').first().waitFor();

    await page.getByRole('button', { name: `Change the role of ${grace}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Role').selectOption('admin');
    await rig.expectNoViolations(page);
    await pressFor(said('has the role Admin now.'), dialog.getByRole('button', { name: 'Save' }));
    expect(await rig.system.api.read(`/v2/users/${grace}`)).toMatchObject({ role: { id: 'admin' } });

    await page.getByRole('button', { name: `Remove ${grace}` }).click();
    await pressFor(said('was removed.'), dialog.getByRole('button', { name: 'Remove' }));
    await expect(item(page, grace).waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });

  it('whose invitation is refused stays in the form', async () => {
    const page = await opened('admin');
    const refused = form(page).getByRole('alert').filter({ hasText: 'already exists.' });
    await invite(page, refused, scenario.address('ada'));
    expect(await form(page).getByLabel('Full name').inputValue()).toBe('Grace Hopper');
  });

  it('who is no owner or admin sees why they cannot change others', async () => {
    const page = await opened('user');
    await page
      .getByRole('button', { name: /^Change the role of/ })
      .first()
      .click({ force: true });
    const reason = page.getByText('Your role "User" cannot change this. Ask an owner or an admin of the account.');
    await expect(reason.first().waitFor()).resolves.toBeUndefined();
  });
});
