import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Locator, Page } from 'playwright-core';
import { useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let scenario: Scenario;
let ada: string;
let home: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
  [ada, home] = [scenario.address('ada'), scenario.address('ada.home')];
});

async function opened(device: 'desk' | 'phone' = 'desk'): Promise<Page> {
  const page = await rig.open('/console/me', { as: await rig.signIn(ada), device });
  await page.getByRole('heading', { level: 1, name: 'Me' }).waitFor();
  return page;
}

const item = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('group', { name, exact: true }) });

/** The code in the next mail to the new address. */
async function mailedCode(): Promise<string> {
  await rig.system.settle();
  const { text } = await rig.system.mailbox.received(home, 'verification code', { timeoutMs: 0 });
  return /^\d{6}$/m.exec(text)?.[0] ?? '';
}

/** Opens the form for a new contact, and fills it in. */
async function fillContact(page: Page, address: string): Promise<Locator> {
  await page.getByText('Add a contact').click();
  const form = page.getByRole('form', { name: 'New contact' });
  await form.getByLabel('Address').fill(address);
  return form.getByRole('button', { name: 'Add' });
}

/** Presses a button that writes, until the page shows what came of it. */
const pressFor = (shown: Locator, button: Locator): Promise<void> => writeUntil(shown, () => button.click());

describe('a contact', () => {
  it('is added, and used once the code from its mailbox is typed', async () => {
    const page = await opened('phone');
    const added = item(page, `Mail ${home}`);
    await pressFor(added.getByText('Not used: it is not verified yet.'), await fillContact(page, home));
    const code = await mailedCode();
    await rig.isStill(page);
    await rig.picture(page, 'me-unverified-phone');
    await rig.expectNoViolations(page);

    await added.getByLabel('Code').fill(code === '000000' ? '000001' : '000000');
    const verify = added.getByRole('button', { name: 'Verify' });
    await pressFor(added.getByText('The code is not the code that was sent; tries left:'), verify);
    const another = added.getByRole('button', { name: 'Send another code' });
    await pressFor(added.getByText('Too many codes were sent lately.'), another);
    await added.getByLabel('Code').fill(code);
    await pressFor(added.getByText('Used.'), verify);
    await expect(added.getByLabel('Code').waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });

  it('that is refused keeps what was typed, with the reason at its field, also while the person looks elsewhere', async () => {
    const page = await opened();
    const alert = (hasText: string) => page.getByRole('alert').filter({ hasText });
    await pressFor(alert('Address must be a well-formed email address.'), await fillContact(page, 'no address'));
    await page.getByRole('link', { name: 'your sessions', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    await page.goBack();
    await page.getByText('Add a contact').click();
    const form = page.getByRole('form', { name: 'New contact' });
    expect(await form.getByLabel('Address').inputValue()).toBe('no address');
    await form.getByLabel('Address').fill(ada);
    await pressFor(alert('already'), form.getByRole('button', { name: 'Add' }));
    expect(await form.getByLabel('Address').inputValue()).toBe(ada);
  });

  it('is disabled, changed and deleted, with the steps that use it', async () => {
    const page = await opened();
    const own = item(page, `Mail ${ada}`);
    await pressFor(own.getByText('Not used: you disabled it.'), own.getByRole('button', { name: 'Disable' }));
    await page.getByRole('note').filter({ hasText: 'You cannot be paged' }).waitFor();
    await pressFor(own.getByText('Used.'), own.getByRole('button', { name: 'Enable' }));

    await own.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('textbox', { name: 'New address' }).fill(home);
    const moved = item(page, `Mail ${home}`);
    const save = page.getByRole('button', { name: 'Save the address' });
    await pressFor(moved.getByText('Not used: it is not verified yet.'), save);
    await mailedCode();

    await moved.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('New Alert (nothing else is left in it)').waitFor();
    await rig.expectNoViolations(page);
    const deleted = page.getByRole('main').getByText('The steps that used the contact were deleted from:');
    await pressFor(deleted, dialog.getByRole('button', { name: 'Delete' }));
    await expect(moved.waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });
});

describe('an account of Telegram', () => {
  it('gets a link to the bot, which the page shows until it is done', async () => {
    const page = await opened();
    await page.getByText('Add an account of Telegram').click();
    const form = page.getByRole('form', { name: 'New account of Telegram' });
    await form.getByLabel('Name of the device').fill('My Telegram');
    const group = page.getByRole('group', { name: 'Link the account' });
    await pressFor(group, form.getByRole('button', { name: 'Get the link' }));
    await rig.expectNoViolations(page);
    const link = await group.getByRole('link').getAttribute('href');
    expect(link).toMatch(/^https:\/\/t\.me\/tocsin_bot\?start=[\w-]{24}$/);
    await group.getByRole('button', { name: 'Done' }).click();
    await expect(group.waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });
});

describe('an account of Slack', () => {
  it('is added by its id, and used once the code is typed', async () => {
    const page = await opened();
    await page.getByText('Add an account of Slack').click();
    const form = page.getByRole('form', { name: 'New account of Slack' });
    await form.getByLabel('Name of the device').fill('My Slack');
    await form.getByLabel('Member ID').fill('ada');
    const send = form.getByRole('button', { name: 'Send the code' });
    await pressFor(page.getByRole('alert').filter({ hasText: 'should be the id of a member of Slack' }), send);
    await form.getByLabel('Member ID').fill('U012AB3CD');
    const added = item(page, 'Push My Slack');
    await pressFor(added.getByText('Not used: it is not verified yet.'), send);
    await expect(added.getByLabel('Code').waitFor()).resolves.toBeUndefined();
    await rig.expectNoViolations(page);
  });
});
