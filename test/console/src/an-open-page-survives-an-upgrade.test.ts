import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { BUILD, nextBuild } from './rig/next-build.ts';
import { OUTAGE, type SignedIn, useConsole } from './rig/console.ts';
import { pressUntil } from './rig/until.ts';

/** What a page notes of a file that no build has any more. */
const MISSING_PART = /^(?:answered 404|logged): .*\/console\/assets\//s;

const rig = useConsole();
let next: Awaited<ReturnType<typeof nextBuild>>;
let person: SignedIn;
let alertId: string;

beforeAll(async () => {
  next = await nextBuild();
  const scenario = rig.system.scenario();
  await scenario.users('ada');
  person = await rig.signIn(scenario.address('ada'));
  const alias = scenario.name('disk');
  await scenario.alert({ alias, message: 'Disk full' });
  await rig.system.settle();
  alertId = (await scenario.alertOf<{ readonly id: string }>(alias)).id;
});
afterAll(async () => {
  await upgraded({});
  await next.remove();
});

/** Starts the gateway again with these folders. Calls of pages fail meanwhile. */
async function upgraded(settings: Readonly<Record<string, string>>): Promise<void> {
  rig.causes(OUTAGE);
  await rig.system.without('gateway', () => Promise.resolve(), settings);
}

const scriptOf = (page: Page) => page.evaluate(() => document.querySelector('script')?.src ?? '');
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const goOnCall = (page: Page) => page.getByRole('link', { name: 'On call' }).click();

async function opened(): Promise<{ page: Page; script: string }> {
  const page = await rig.open('/console/alerts', { as: person });
  await heading(page, 'Alerts');
  return { page, script: await scriptOf(page) };
}

describe('a page that was opened before an upgrade', () => {
  it('loads its other pages of its own build, and the new build once it is reloaded', async () => {
    const { page, script } = await opened();
    await upgraded({ CONSOLE_DIR: next.folder, CONSOLE_PREVIOUS_DIR: BUILD });
    await goOnCall(page);
    await heading(page, 'On call');
    expect(await scriptOf(page)).toBe(script);
    await page.reload();
    await heading(page, 'On call');
    expect(await scriptOf(page)).not.toBe(script);
  });

  it('reloads itself where the files of its build are gone, and shows what was asked for', async () => {
    const { page, script } = await opened();
    rig.causes(MISSING_PART);
    await upgraded({ CONSOLE_DIR: BUILD });
    await goOnCall(page);
    await heading(page, 'On call');
    expect(await scriptOf(page)).not.toBe(script);
    expect(new URL(page.url()).pathname).toBe('/console/on-call');
    await rig.troubled('answered 404: /console/assets/on-call-page');
  });

  it('does not reload over a note that is not sent, and says that there is a newer version', async () => {
    const page = await rig.open(`/console/alerts/${alertId}`, { as: person });
    await page.getByLabel('New note').fill('Half a note');
    rig.causes(MISSING_PART);
    await upgraded({ CONSOLE_DIR: next.folder });
    const newerVersion = page.getByRole('status').filter({ hasText: 'There is a newer version of this page.' });
    // The palette is a part that is loaded when it is first opened.
    await pressUntil(newerVersion, () => page.keyboard.press('Control+k'));
    expect(await page.getByLabel('New note').inputValue()).toBe('Half a note');
  });
});
