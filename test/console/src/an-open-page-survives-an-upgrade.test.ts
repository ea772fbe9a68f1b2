import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { BUILD, nextBuild } from './rig/next-build.ts';
import { OUTAGE, type SignedIn, useConsole } from './rig/console.ts';
import { pressUntil } from './rig/until.ts';

/** The errors of a page about a file that no build has any more. */
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

interface OpenedPage {
  readonly page: Page;
  /** The first script of its build. */
  readonly script: string;
  /** Lets its request for the missing part reach the server. */
  readonly provide: () => void;
}

/** Opens a page whose request for a part waits. The page loads all parts by itself a moment after its start. */
async function opened(missing: 'on-call-page' | 'palette', at = '/console/alerts'): Promise<OpenedPage> {
  const page = await rig.open('/healthz', { as: person });
  const { promise: isProvided, resolve } = Promise.withResolvers<undefined>();
  await page.route(`**/console/assets/${missing}-*.js`, async (route) => {
    await isProvided;
    await route.continue();
  });
  await page.goto(at);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return {
    page,
    script: await scriptOf(page),
    provide: () => {
      resolve(undefined);
    },
  };
}

describe('a page that is not loaded when the server cannot be reached', () => {
  it('is not left for an error of the browser, says so, and is shown once it is tried again', async () => {
    const { page, provide } = await opened('on-call-page');
    rig.causes(OUTAGE);
    await rig.system.without('gateway', async () => {
      provide();
      await goOnCall(page);
      await page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' }).waitFor();
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'On call');
    expect(new URL(page.url()).pathname).toBe('/console/on-call');
  });
});

describe('a page that was opened before an upgrade', () => {
  it('loads its other pages of its own build, and the new build once it is reloaded', async () => {
    const { page, provide, script } = await opened('on-call-page');
    await upgraded({ CONSOLE_DIR: next.folder, CONSOLE_PREVIOUS_DIR: BUILD });
    provide();
    await goOnCall(page);
    await heading(page, 'On call');
    expect(await scriptOf(page)).toBe(script);
    await page.reload();
    await heading(page, 'On call');
    expect(await scriptOf(page)).not.toBe(script);
  });

  it('reloads itself where the files of its build are gone, and shows what was asked for', async () => {
    const { page, provide, script } = await opened('on-call-page');
    rig.causes(MISSING_PART);
    await upgraded({ CONSOLE_DIR: BUILD });
    provide();
    await goOnCall(page);
    await heading(page, 'On call');
    expect(await scriptOf(page)).not.toBe(script);
    expect(new URL(page.url()).pathname).toBe('/console/on-call');
    await rig.troubled('answered 404: /console/assets/');
  });

  it('does not reload over a note that is not sent, and says that there is a newer version', async () => {
    const { page, provide } = await opened('palette', `/console/alerts/${alertId}`);
    await page.getByLabel('New note').fill('Half a note');
    rig.causes(MISSING_PART);
    await upgraded({ CONSOLE_DIR: next.folder });
    provide();
    const newerVersion = page.getByRole('status').filter({ hasText: 'There is a newer version of this page.' });
    // The palette is a part that is loaded when it is first opened.
    await pressUntil(newerVersion.first(), () => page.keyboard.press('Control+k'));
    expect(await page.getByLabel('New note').inputValue()).toBe('Half a note');
  });
});
