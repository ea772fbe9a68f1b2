// cspell:ignore longtask -- a name of the browser
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';

/** When a page showed something, in milliseconds since its address was opened. */
export interface OpeningTimes {
  readonly paintMs: number;
  /** Of the first row of the list. */
  readonly listMs: number;
}

export interface Scrolled {
  /** The longest task of the page, during which it takes no key, in milliseconds; 0 where none took 50 ms. */
  readonly longestTaskMs: number;
  /** Elements of the whole document at the end. */
  readonly nodes: number;
  /** How many alerts were passed. */
  readonly passed: number;
}

export interface Bulk {
  readonly count: number;
  readonly seconds: number;
}

const LIST = `/console/alerts?${new URLSearchParams({ query: 'status:open' }).toString()}`;
/** A person who types slowly: each key begins a search. */
const KEYS = ' AND message:disk';
const KEY_EVERY_MS = 400;
const WHEELS = 40;
const WHEEL_PX = 1_500;
const WHEEL_EVERY_MS = 100;
const BULK_TIMEOUT_MS = 120_000;

/** Opens the list of open alerts, and waits for its first row. */
export async function openList(
  context: BrowserContext,
): Promise<{ readonly page: Page; readonly times: OpeningTimes }> {
  const page = await context.newPage();
  await page.addInitScript(noteTimes);
  await page.goto(LIST);
  await page.locator('[role=row][data-index]').first().waitFor();
  const listMs = await largest(page, 'first-row');
  const paintMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
  return { page, times: { paintMs, listMs } };
}

/** Types into the search. Returns the longest time from a key to the paint after it; browsers round it to 8 ms, and report 16 at least. */
export async function pressKeys(page: Page): Promise<number> {
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.focus();
  await search.press('End');
  await search.pressSequentially(KEYS, { delay: KEY_EVERY_MS });
  await pause(KEY_EVERY_MS);
  return largest(page, 'key');
}

/** Turns the wheel, by which the list is read on. */
export async function scroll(page: Page): Promise<Scrolled> {
  await page.mouse.move(600, 500);
  for (let turn = 0; turn < WHEELS; turn += 1) {
    await page.mouse.wheel(0, WHEEL_PX);
    await pause(WHEEL_EVERY_MS);
  }
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  const passed = Number(await page.locator('[role=row][data-index]').first().getAttribute('data-index'));
  return { longestTaskMs: await largest(page, 'task'), nodes, passed };
}

/** Requests a second of a page at rest. */
export async function idleRequests(page: Page, seconds: number): Promise<number> {
  let requests = 0;
  page.on('request', () => (requests += 1));
  await pause(seconds * 1_000);
  return requests / seconds;
}

/** Selects all alerts that a list reads first, and acknowledges them. */
export async function acknowledgeAll(page: Page): Promise<Bulk> {
  await page.goto(LIST);
  const all = page.getByLabel(/^Select the \d+ alerts of this list$/);
  const count = Number(/\d+/.exec((await all.getAttribute('aria-label')) ?? '')?.[0]);
  await all.click();
  const beganAtMs = performance.now();
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  const done = page.getByRole('region', { name: 'Results' }).getByText(`${count} of ${count} acknowledged.`);
  await done.waitFor({ timeout: BULK_TIMEOUT_MS });
  return { count, seconds: (performance.now() - beganAtMs) / 1_000 };
}

/** Runs in the page before its own scripts: leaves marks that {@link largest} reads. */
function noteTimes(): void {
  const mark = (name: string, duration: number) => performance.mark(name, { detail: duration });
  new PerformanceObserver((list) => {
    for (const { duration, name } of list.getEntries()) if (name === 'keydown') mark('key', duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) mark('task', duration);
  }).observe({ type: 'longtask' });
  const watch = new MutationObserver(() => {
    if (document.querySelector('[role=row][data-index]') === null) return;
    watch.disconnect();
    // The frame that shows the row comes after this one began.
    requestAnimationFrame(() => requestAnimationFrame(() => mark('first-row', performance.now())));
  });
  watch.observe(document, { childList: true, subtree: true });
}

/** The largest figure of a name that {@link noteTimes} left; 0 where there is none. */
function largest(page: Page, name: string): Promise<number> {
  return page.evaluate((of) => {
    const marks = performance.getEntriesByName(of, 'mark') as PerformanceMark[];
    return Math.max(0, ...marks.map(({ detail }) => Number(detail)));
  }, name);
}
