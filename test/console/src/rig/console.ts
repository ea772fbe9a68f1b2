import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { useSteeredSharedSystem, type System } from '@tocsin/test-acceptance/system';
import { eventually } from '@tocsin/testkit';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type * as Chromium from './chromium.ts';
import { Calls, watch } from './watch.ts';

/** Gives the module that Node loads once for all test files of this process. */
declare const importOnce: (url: string) => Promise<typeof Chromium>;
const chromiumOfProcess = () => importOnce(new URL('chromium.ts', import.meta.url).href);

const SCREENS = {
  desk: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>;

type Device = keyof typeof SCREENS;
export const DEVICES: readonly Device[] = ['desk', 'phone'];
export const THEMES = ['light', 'dark'] as const;

/** Where the person of the browser is. */
const PLACE = { locale: 'en-GB', timezoneId: 'Europe/Berlin' };

const workersOf = (areAllowed: boolean) => ({ serviceWorkers: areAllowed ? ('allow' as const) : ('block' as const) });

/** Where the run leaves its pictures. */
const PICTURES = process.env['CONSOLE_PICTURES'] ?? path.resolve(import.meta.dirname, '../../reports/pictures');

/** The errors of pages about a server that cannot be reached. */
export const OUTAGE = /^logged: Failed to load resource: net::ERR_/;

/** How long a step waits for the page. A loaded machine is slow, and a test that passes does not wait for it. */
const STEP_TIMEOUT_MS = 120_000;

/**
 * All people of these tests sign in from one address. Contacts that they add are verified by codes, browsers have push services here. A
 * replaced key is valid for one minute, because a longer time would pass for the tests of all files.
 */
const SETTINGS = {
  SIGN_IN_LIMIT: 'off',
  CONTACT_VERIFICATION: 'required',
  VAPID_PRIVATE_KEY: Buffer.alloc(32, 3).toString('base64'),
  WEB_PUSH_ALLOWED_RANGES: '127.0.0.1',
  TELEGRAM_BOT_NAME: 'tocsin_bot',
  // Nothing is sent there, because the address is not public.
  SLACK_URL: 'http://127.0.0.1:1',
  SLACK_BOT_TOKEN: 'xoxb-1234567890',
  KEY_ROTATION_OVERLAP_MINUTES: '1',
};

/** The state of a browser after a user has signed in. */
export type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

interface OpenOptions {
  readonly device?: Device;
  readonly as?: SignedIn | undefined;
  /** Whether the page may register its service worker. Playwright sees no request that goes through one. */
  readonly hasWorker?: boolean;
}

/** The console of a system that all files share, in a browser that all files share. */
export interface ConsoleRig {
  readonly system: System;
  /** Opens a path of the console in a browser of its own, whose clock is that of the system. */
  open(at: string, options?: OpenOptions): Promise<Page>;
  /** Signs a user in by the code in their mail; `open` takes the result. */
  signIn(username: string): Promise<SignedIn>;
  /** The code in the next mail to a user that has one. */
  mailedCode(username: string): Promise<string>;
  /** Expects that axe finds nothing on the page. */
  expectNoViolations(page: Page): Promise<void>;
  /** The addresses of the requests of a page that are not answered yet, without streams of hints. */
  underWay(page: Page): readonly string[];
  /** Resolves when the page waits for no answer but hints about changes, and nothing on it moves. */
  isStill(page: Page): Promise<void>;
  /** Leaves a picture of the page in the folder of the run. */
  picture(page: Page, name: string): Promise<void>;
  /**
   * Resolves when the pages had a trouble that begins with `start`, which this removes. A trouble that is left after a test fails it.
   *
   * @throws Error that lists the troubles where there is none.
   */
  troubled(start: string): Promise<void>;
  /** Names troubles that this test causes, such as those of calls while a service is stopped. They may come at any time of it. */
  causes(...troubles: readonly RegExp[]): void;
}

/** Starts what the tests of a file need. Pages are closed after each test. */
export function useConsole(): ConsoleRig {
  const contexts: BrowserContext[] = [];
  const troubles: string[] = [];
  const caused: RegExp[] = [];
  const calls = new Calls();

  // A page that is open has calls under way, so it is closed before the system settles.
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    const expected = caused.splice(0);
    expect(troubles.splice(0).filter((trouble) => !expected.some((each) => each.test(trouble)))).toEqual([]);
  });
  const system = useSteeredSharedSystem(SETTINGS);
  // An address may ask for ten codes in a minute (K20).
  beforeEach(() => system.pass(1));

  const open = async (at: string, { as, device = 'desk', hasWorker = false }: OpenOptions = {}): Promise<Page> => {
    const browser = await (await chromiumOfProcess()).sharedBrowser({ hasNotifications: hasWorker });
    const state = as === undefined ? {} : { storageState: as };
    const options = { baseURL: system.api.url, ...PLACE, ...workersOf(hasWorker) };
    const context = await browser.newContext({ ...options, ...SCREENS[device], ...state });
    contexts.push(context);
    context.setDefaultTimeout(STEP_TIMEOUT_MS);
    await context.clock.setFixedTime(system.clock.now());
    await watch(context, system.api.url, (trouble) => troubles.push(trouble));
    calls.watch(context);
    const page = await context.newPage();
    await page.goto(at);
    return page;
  };
  const mailedCode = async (username: string): Promise<string> => {
    await system.settle();
    const { text } = await system.mailbox.received(username, 'code to sign in', { timeoutMs: 0 });
    return /^\d{4} \d{4}$/m.exec(text)?.[0] ?? '';
  };
  return {
    system,
    open,
    mailedCode,
    signIn: async (username) => {
      const page = await open('/console/');
      expect(await post(page, '/console/api/sign-in', { username })).toBe(202);
      expect(await post(page, '/console/api/sign-in/redeem', { code: await mailedCode(username) })).toBe(200);
      return page.context().storageState();
    },
    expectNoViolations: async (page) => {
      expect(await violationsOf(page)).toEqual([]);
    },
    underWay: (page) => calls.underWay(page),
    isStill: async (page) => {
      await eventually(async () => {
        expect([calls.underWay(page), await page.locator('[aria-busy="true"]').count()]).toEqual([[], 0]);
      });
      await animationsEnd(page);
    },
    picture: async (page, name) => {
      await mkdir(PICTURES, { recursive: true });
      await page.screenshot({ path: path.join(PICTURES, `${name}.png`), animations: 'disabled' });
    },
    troubled: (start) =>
      eventually(() => {
        const index = troubles.findIndex((trouble) => trouble.startsWith(start));
        if (index < 0) throw new Error(`No trouble begins with "${start}". There are:\n${troubles.join('\n')}`);
        troubles.splice(index, 1);
      }),
    causes: (...named) => {
      caused.push(...named);
    },
  };
}

const animationsEnd = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });

/** A write as the console sends it, repeated while it is answered 503 (F3). Returns the status of the last answer. */
function post(page: Page, at: string, body: object): Promise<number> {
  return eventually(async () => {
    const status = await postOnce(page, at, body);
    if (status === 503) throw new Error(`${at} is answered 503.`);
    return status;
  });
}

function postOnce(page: Page, at: string, body: object): Promise<number> {
  return page.evaluate(
    async ({ path: url, text }) => {
      const headers = { 'Content-Type': 'application/json', 'X-Tocsin-Console': '1' };
      const { status } = await fetch(url, { method: 'POST', headers, body: text });
      return status;
    },
    { path: at, text: JSON.stringify(body) },
  );
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** The findings of axe, a line for each element. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate((await chromiumOfProcess()).AXE_SCRIPT);
  const { violations } = await page.evaluate(() => {
    const { axe } = globalThis as unknown as { axe: { run(scope: Document, options: object): Promise<AxeResult> } };
    // The page loads what it needs by itself: axe needs no further requests.
    return axe.run(document, { resultTypes: ['violations'], preload: false });
  });
  return violations.flatMap(({ help, id, nodes }) =>
    nodes.map(({ failureSummary = '', html }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
