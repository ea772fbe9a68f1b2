import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { BUILD, nextBuild } from './rig/next-build.ts';
import { useConsole } from './rig/console.ts';

const rig = useConsole();
let next: Awaited<ReturnType<typeof nextBuild>>;

beforeAll(async () => {
  next = await nextBuild();
});
afterAll(async () => {
  await restartedWith({});
  await next.remove();
});

const restartedWith = (settings: Readonly<Record<string, string>>) =>
  rig.system.without('gateway', () => Promise.resolve(), settings);

const scriptOf = (page: Page) => page.evaluate(() => document.querySelector('script')?.src ?? '');
/** What the gateway answers, past the cache of the browser. */
const statusOf = (page: Page, url: string) =>
  page.evaluate(async (at) => (await fetch(at, { cache: 'no-store' })).status, url);

async function opened(): Promise<{ page: Page; script: string }> {
  const page = await rig.open('/console/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, script: await scriptOf(page) };
}

async function reloaded(page: Page): Promise<string> {
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  return scriptOf(page);
}

describe('a page that was opened before an upgrade', () => {
  it('loads further files of its own build, and the new build once it is reloaded', async () => {
    const { page, script } = await opened();
    await restartedWith({ CONSOLE_DIR: next.folder, CONSOLE_PREVIOUS_DIR: BUILD });
    // Calls of the page failed while no gateway ran.
    rig.forgetTroubles();
    expect(await statusOf(page, script)).toBe(200);
    const newScript = await reloaded(page);
    expect(newScript).not.toBe(script);
    expect(await statusOf(page, newScript)).toBe(200);
  });

  it('gets 404, and not the page, for a file that no build has any more', async () => {
    const { page, script } = await opened();
    await restartedWith({ CONSOLE_DIR: BUILD });
    rig.forgetTroubles();
    expect(await statusOf(page, script)).toBe(404);
    await rig.troubled(`answered 404: ${new URL(script).pathname}`);
    expect(await reloaded(page)).not.toBe(script);
  });
});
