// cspell:ignore requestfailed -- a name of Playwright
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, type Scenario } from '@tocsin/testkit';
import type { Page, Request } from 'playwright-core';
import { OUTAGE, type SignedIn, useConsole } from './rig/console.ts';
import { STREAM } from './rig/watch.ts';

/** How often a page reads that has no stream. */
const POLL_MS = 5_000;

const rig = useConsole();
let scenario: Scenario;
let person: SignedIn;
let tag: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada');
  person = await rig.signIn(scenario.address('ada'));
  tag = randomUUID();
  await create('first');
});

/** Creates an alert that pages a user: changes of other alerts have no hint (L1). */
async function create(name: string): Promise<void> {
  const message = `${name} ${tag}`;
  const responders = [{ type: 'user', username: scenario.address('ada') }];
  await scenario.alert({ message, alias: `${tag}-${name}`, tags: [tag], responders });
  await rig.system.mailed(scenario.address('ada'), message);
}

const pathOf = (request: Request) => new URL(request.url()).pathname;
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: `${name} ${tag}` });
const list = () => `/console/alerts?${new URLSearchParams({ query: `tag:${tag}` }).toString()}`;

/** Opens the list; its stream is open, and what it read when that was ready is there. */
async function opened(): Promise<Page> {
  const page = await rig.open('/console/me/sessions', { as: person });
  await page.goto(list());
  await row(page, 'first').waitFor();
  return page;
}

/** Stops the clock of the page: its timers move on by `pass` only, so it polls only then. */
async function stopClock(
  page: Page,
): Promise<{ readonly passed: () => number; readonly pass: (ms: number) => Promise<void> }> {
  let passed = 0;
  await page.clock.pauseAt(await page.evaluate(() => Date.now()));
  return {
    passed: () => passed,
    pass: async (ms) => {
      passed += ms;
      await page.clock.runFor(ms);
    },
  };
}

async function show(page: Page, state: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

describe('an open list', () => {
  it('shows a new alert as soon as a hint names it, before it polls', async () => {
    const page = await opened();
    const clock = await stopClock(page);
    await create('second');
    // Hints lead to reads at most twice a second.
    await clock.pass(600);
    await eventually(async () => {
      await clock.pass(1);
      await row(page, 'second').waitFor({ timeout: 50 });
    });
    expect(clock.passed()).toBeLessThan(POLL_MS);
  });

  it('asks less than once in 5 s while nothing changes', async () => {
    const page = await opened();
    await rig.isStill(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      const path = pathOf(request);
      // Parts of the console are loaded once.
      if (path !== STREAM && !path.startsWith('/console/assets/')) asked.push(path);
    });
    const clock = await stopClock(page);
    const periods = 3;
    for (let n = 0; n < periods; n += 1) {
      await clock.pass(POLL_MS);
      await eventually(() => {
        expect(rig.underWay(page)).toEqual([]);
      });
    }
    expect(asked.slice(periods - 1)).toEqual([]);
  });

  it('closes its stream while it is hidden, and shows what happened when it is visible again', async () => {
    const page = await opened();
    const closed = page.waitForEvent('requestfailed', (request) => pathOf(request) === STREAM);
    await show(page, 'hidden');
    await closed;
    await create('second');
    const open = page.waitForRequest((request) => pathOf(request) === STREAM);
    await show(page, 'visible');
    await open;
    await expect(row(page, 'second').waitFor()).resolves.toBeUndefined();
  });

  it('goes on by polling while it has no stream', async () => {
    const page = await opened();
    const refused: string[] = [];
    await page.route(`**${STREAM}`, async (route) => {
      refused.push(route.request().url());
      await route.fulfill({ status: 503, headers: { 'Retry-After': '60' }, json: { message: 'Too many streams.' } });
    });
    rig.causes(OUTAGE);
    await rig.system.without('gateway', () => Promise.resolve());
    await eventually(() => {
      expect(refused).not.toEqual([]);
    });
    await create('second');
    await row(page, 'second').waitFor();
    expect(await page.getByText('This data is not up to date.').count()).toBe(0);
  });
});
