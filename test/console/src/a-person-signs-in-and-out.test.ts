import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { OUTAGE, useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';

const rig = useConsole();
let ada: string;
let grace: string;
let alertId: string;

beforeEach(async () => {
  const scenario = rig.system.scenario();
  await scenario.users('ada', 'grace');
  [ada, grace] = [scenario.address('ada'), scenario.address('grace')];
  const alias = scenario.name('disk');
  await scenario.alert({ alias, message: 'Disk full' });
  await rig.system.settle();
  alertId = (await scenario.alertOf<{ readonly id: string }>(alias)).id;
});

const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function askForCode(page: Page): Promise<void> {
  await page.getByLabel('User name').fill(ada);
  await writeUntil(page.getByLabel('Code'), () => page.getByRole('button', { name: 'Send me a code' }).click());
}

/** Types the code, and sends it until `shown` is visible. */
async function typeCode(page: Page, code: string, shown: Locator): Promise<void> {
  await page.getByLabel('Code').fill(code);
  await writeUntil(shown, () => page.getByRole('button', { name: 'Sign in' }).click());
}

/** Lets a page reach the server for all but the read of its session, which fails. */
async function withoutSession(page: Page, act: () => Promise<void>): Promise<void> {
  rig.causes(OUTAGE);
  await page.route('**/console/api/session', (route) => route.abort());
  await act();
  await page.unroute('**/console/api/session');
}

async function openAlert(page: Page): Promise<void> {
  await page.goto(`/console/alerts/${alertId}`);
  await page.getByLabel('New note').waitFor();
}

describe('a person', () => {
  it('signs in by the code in their mail, also where their session is read late, and comes to the page that they asked for', async () => {
    const page = await rig.open('/console/on-call?a=b');
    await askForCode(page);
    await withoutSession(page, async () => {
      const again = page.getByRole('button', { name: 'Try again' });
      await typeCode(page, (await rig.mailedCode(ada)).replace(/(?=...$)/, ' '), again);
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'On call').waitFor();
    expect(pathOf(page)).toBe('/console/on-call?a=b');
  });

  it('takes the mailed code also after the phone has discarded the page', async () => {
    const page = await rig.open('/console/sign-in', { device: 'phone' });
    await askForCode(page);
    await page.reload();
    await writeUntil(page.getByLabel('Code'), () => page.getByRole('button', { name: 'I have a code' }).tap());
    await typeCode(page, await rig.mailedCode(ada), heading(page, 'Alerts'));
    expect(pathOf(page)).toBe('/console/alerts');
  });

  it('finds the code of a link in the field, and not in the address', async () => {
    const page = await rig.open('/console/sign-in#code=27182818');
    await page.getByLabel('Code').waitFor();
    expect(await page.getByLabel('Code').inputValue()).toBe('27182818');
    await expect(page.waitForURL(/sign-in$/)).resolves.toBeUndefined();
  });

  it('reads what is wrong with a code, keeps it in the field, and asks for a new one', async () => {
    const page = await rig.open('/console/sign-in');
    await askForCode(page);
    const code = await rig.mailedCode(ada);
    const wrong = code.replace(/^./, (digit) => String((Number(digit) + 1) % 10));
    const triesLeft = 'is not the code that was sent; tries left: 4';
    await typeCode(page, wrong, page.getByRole('alert').filter({ hasText: triesLeft }));
    expect(await page.getByLabel('Code').inputValue()).toBe(wrong);
    await typeCode(page, code, heading(page, 'Alerts'));
    const other = await rig.open('/console/sign-in#code=27182818');
    const unusable = other.getByRole('alert').filter({ hasText: 'cannot be used' });
    await writeUntil(unusable, () => other.getByRole('button', { name: 'Sign in' }).click());
    await other.getByRole('button', { name: 'Ask for a new code' }).click();
    await other.getByLabel('User name').waitFor();
  });

  it('signs out over a note that is not sent, and a page of theirs then leads to the sign-in', async () => {
    const page = await rig.open('/console/', { as: await rig.signIn(ada) });
    await openAlert(page);
    await page.getByLabel('New note').fill('Half a note');
    await writeUntil(heading(page, 'Sign in'), () => page.getByRole('button', { name: 'Sign out' }).click());
    await page.goto('/console/me/sessions');
    await expect(heading(page, 'Sign in').waitFor()).resolves.toBeUndefined();
  });
});

/** Signs out in another tab, and comes back to the page. */
async function endSession(page: Page): Promise<void> {
  const tab = await page.context().newPage();
  await tab.goto('/console/');
  await writeUntil(heading(tab, 'Sign in'), () => tab.getByRole('button', { name: 'Sign out' }).click());
  await tab.close();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
}

describe('a session that was ended elsewhere', () => {
  it('is asked for again over the page, which keeps what was typed', async () => {
    const here = await rig.open('/console/', { as: await rig.signIn(ada) });
    await here.getByRole('searchbox', { name: 'Search' }).fill('status:open AND tag:kept');
    await here.waitForURL(/kept/);
    const there = await rig.open('/console/me/sessions', { as: await rig.signIn(ada) });
    await there.getByRole('button', { name: 'End this session' }).click();
    await there.getByRole('button', { name: 'End this session' }).waitFor({ state: 'detached' });
    const dialog = here.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    expect(await dialog.getByLabel('User name').inputValue()).toBe(ada);
    await writeUntil(dialog.getByLabel('Code'), () => dialog.getByRole('button', { name: 'Send me a code' }).click());
    await dialog.getByLabel('Code').fill(await rig.mailedCode(ada));
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await here.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('status:open AND tag:kept');
  });

  it('begins the page again where another person signs in over it', async () => {
    const page = await rig.open('/console/', { as: await rig.signIn(ada) });
    await openAlert(page);
    await page.getByLabel('New note').fill('Half a note');
    await endSession(page);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('User name').fill(grace);
    await writeUntil(dialog.getByLabel('Code'), () => dialog.getByRole('button', { name: 'Send me a code' }).click());
    await dialog.getByLabel('Code').fill(await rig.mailedCode(grace));
    await withoutSession(page, async () => {
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.getByRole('button', { name: 'Try again' }).waitFor();
    });
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'Alerts').waitFor();
    await expect(page.getByTitle(grace).waitFor()).resolves.toBeUndefined();
  });

  it('begins the page again where another person signed in in another tab', async () => {
    const page = await rig.open('/console/', { as: await rig.signIn(ada) });
    await openAlert(page);
    const { cookies } = await rig.signIn(grace);
    await page.context().addCookies(cookies);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await heading(page, 'Alerts').waitFor();
    await expect(page.getByTitle(grace).waitFor()).resolves.toBeUndefined();
  });
});
