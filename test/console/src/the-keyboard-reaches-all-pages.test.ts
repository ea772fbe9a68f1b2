import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type SignedIn, useConsole } from './rig/console.ts';
import { pressUntil, writeUntil } from './rig/until.ts';

const rig = useConsole();
let person: SignedIn;

beforeEach(async () => {
  const scenario = rig.system.scenario();
  await scenario.users('ada');
  person = await rig.signIn(scenario.address('ada'));
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const focused = (page: Page) => page.locator(':focus');

async function opened(): Promise<Page> {
  const page = await rig.open('/console/alerts', { as: person });
  await heading(page, 'Alerts').waitFor();
  return page;
}

describe('the keyboard', () => {
  it('goes to pages by their keys; the heading has the focus and is read out', async () => {
    const page = await opened();
    await pressUntil(heading(page, 'On call').and(focused(page)), async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('o');
    });
    await page
      .getByRole('status')
      .filter({ hasText: /^On call/ })
      .waitFor({ state: 'attached' });
    expect(await page.title()).toBe('On call – Tocsin');
  });

  it.each([
    ['e', 'Escalations'],
    ['f', 'Flow'],
    ['h', 'Heartbeats'],
    ['i', 'Integrations'],
    ['l', 'People'],
    ['p', 'Policies'],
    ['v', 'Move'],
    ['w', 'Maintenance'],
  ])('goes by g and %s to the page %s', async (key, name) => {
    const page = await opened();
    await pressUntil(heading(page, name).and(focused(page)), async () => {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
    });
    expect(await page.title()).toBe(`${name} – Tocsin`);
  });

  it('tries an alert, and has the focus on its result', async () => {
    const page = await rig.open('/console/flow', { as: person });
    await page.getByLabel('Message').pressSequentially('Disk full');
    const result = page.getByRole('heading', { level: 2, name: 'What would happen' }).and(focused(page));
    await writeUntil(result, () => page.getByLabel('Message').press('Enter'));
    await expect(page.getByText('It has no responders.').waitFor()).resolves.toBeUndefined();
  });

  it('finds pages in the palette, and leaves it with Escape where it came from', async () => {
    const page = await opened();
    await page.getByRole('searchbox', { name: 'Search' }).focus();
    await pressUntil(page.getByRole('dialog', { name: 'Find' }), () => page.keyboard.press('Control+k'));
    await rig.expectNoViolations(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search' }).and(focused(page)).waitFor();
    await pressUntil(page.getByLabel('Page or alert').and(focused(page)), () => page.keyboard.press('Control+k'));
    await page.keyboard.type('session');
    await page.keyboard.press('Enter');
    await expect(heading(page, 'Sessions').waitFor()).resolves.toBeUndefined();
  });

  it('opens the list of other pages, leaves it with Escape where it came from, and follows one of its links', async () => {
    const page = await opened();
    const more = page.getByRole('button', { name: 'More', exact: true });
    const sessions = page.getByRole('link', { name: 'Sessions', exact: true });
    await more.press('Enter');
    await sessions.waitFor();
    await rig.expectNoViolations(page);
    await page.keyboard.press('Escape');
    await sessions.waitFor({ state: 'detached' });
    await more.and(focused(page)).press('Enter');
    await sessions.press('Enter');
    await heading(page, 'Sessions').and(focused(page)).waitFor();
    expect(await more.getAttribute('aria-expanded')).toBe('false');
  });

  it('shows the shortcuts, and types a question mark into a text', async () => {
    const page = await opened();
    const search = page.getByRole('searchbox', { name: 'Search' });
    await pressUntil(search.and(focused(page)), () => page.keyboard.press('/'));
    await page.keyboard.press('?');
    expect(await search.inputValue()).toBe('status:open?');
    await heading(page, 'Alerts').focus();
    await pressUntil(page.getByRole('dialog', { name: 'Shortcuts' }), () => page.keyboard.press('?'));
    await rig.expectNoViolations(page);
  });

  it('has no keys of one character once a person turned them off, also on the next visit', async () => {
    const page = await opened();
    await pressUntil(page.getByRole('dialog', { name: 'Shortcuts' }), () => page.keyboard.press('?'));
    await page.getByLabel('Use the keys of one character').uncheck();
    await page.reload();
    await heading(page, 'Alerts').waitFor();
    await pressUntil(page.getByRole('dialog', { name: 'Find' }), () => page.keyboard.press('Control+k'));
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    expect(await page.getByLabel('Use the keys of one character').isChecked()).toBe(false);
    await page.getByLabel('Use the keys of one character').check();
    await page.getByRole('button', { name: 'Close' }).click();
    await pressUntil(page.getByRole('dialog', { name: 'Shortcuts' }), () => page.keyboard.press('?'));
  });

  it('skips the header', async () => {
    const page = await opened();
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Skip to content' }).and(focused(page)).waitFor();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main').and(focused(page)).waitFor()).resolves.toBeUndefined();
  });
});

describe('the theme', () => {
  it('is that of the system until a person chooses one, which the next visit keeps', async () => {
    const page = await opened();
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(await scheme()).toBe('light dark');
    await page.getByRole('button', { name: 'Theme: auto. Change to light.' }).click();
    await page.getByRole('button', { name: 'Theme: light. Change to dark.' }).click();
    await page.getByRole('button', { name: 'Theme: dark. Change to auto.' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Theme: dark. Change to auto.' }).waitFor();
    expect(await scheme()).toBe('dark');
  });
});
