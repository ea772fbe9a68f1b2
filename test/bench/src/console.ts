/** `npm run bench -- console`: how soon a page of the console shows alerts, of which thousands are open, and takes a key. */
import { sharedBrowser } from '@tocsin/test-console/browser';
import { freePort, startMailbox } from '@tocsin/testkit';
import type { Browser, BrowserContext } from 'playwright-core';
import { consoleResult } from './console-result.ts';
import { acknowledgeAll, idleRequests, openList, pressKeys, scroll } from './console-page.ts';
import { openLoop } from './ingest-load.ts';
import { wholeNumber } from './ingest-settings.ts';
import { Settlements } from './ingest-settlements.ts';
import { BenchStack } from './ingest-stack.ts';
import { runBench, say, type BenchResult } from './run-bench.ts';

const alerts = wholeNumber(process.env, 'ALERTS', 10_000);
/** Times that the page is opened, each by a browser that has nothing of it. */
const openings = wholeNumber(process.env, 'OPENINGS', 7);
const PER_SECOND = 200;
const SETTLE_MS = 120_000;
const IDLE_SECONDS = 30;
const PERSON = 'reader@example.com';

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

say('Starting an installation of its own');
const mailbox = await startMailbox();
const stack = await BenchStack.start(await freePort(), mailbox.url, { RATE_LIMITS: 'off', SIGN_IN_LIMIT: 'off' });
const stage = {
  stop: async () => {
    await stack.stop();
    await mailbox.stop();
  },
};
await runBench(stage, measure);

async function measure(): Promise<BenchResult> {
  await createAlerts();
  const browser = await sharedBrowser({ hasNotifications: false });
  try {
    return await measureWith(browser);
  } finally {
    await browser.close();
  }
}

async function measureWith(browser: Browser): Promise<BenchResult> {
  const storageState = await signIn(browser);
  const contextOf = () => browser.newContext({ baseURL: stack.url, storageState });
  say(`Opening the list ${openings} times`);
  const opened = [];
  for (let opening = 0; opening < openings; opening += 1) {
    await using context = await contextOf();
    opened.push((await openList(context)).times);
  }
  await using context = await contextOf();
  const { page } = await openList(context);
  say('Pressing keys, scrolling, resting, acknowledging');
  const before = stack.cpuSeconds();
  const keyMs = await pressKeys(page);
  const scrolled = await scroll(page);
  const requestsPerSecond = await idleRequests(page, IDLE_SECONDS);
  const bulk = await acknowledgeAll(page);
  const used = [...stack.cpuSeconds()].map(([name, seconds]) => seconds - (before.get(name) ?? 0));
  const cpuSeconds = used.reduce((sum, seconds) => sum + seconds, 0);
  return consoleResult({ alerts, opened, keyMs, scrolled, requestsPerSecond, bulk, cpuSeconds });
}

async function createAlerts(): Promise<void> {
  say(`Creating ${alerts} alerts`);
  const bodyOf = (index: number) =>
    JSON.stringify({ alias: `open-${index}`, message: `Disk full on db-${index}`, priority: `P${(index % 5) + 1}` });
  await using settlements = await Settlements.open(stack.variable('alert-processor', 'MONGODB_URI'));
  const load = await openLoop(stack.alertTarget(16), { rate: PER_SECOND, seconds: alerts / PER_SECOND, bodyOf });
  const missing = alerts - load.accepted.length + (await settlements.settled(load.accepted, SETTLE_MS));
  if (missing > 0) throw new Error(`${missing} alerts of ${alerts} were not created.`);
}

async function signIn(browser: Browser): Promise<SignedIn> {
  await stack.createUsers(PERSON);
  await using context = await browser.newContext({ baseURL: stack.url });
  const send = async (path: string, data: object): Promise<void> => {
    const headers = { 'X-Tocsin-Console': '1', 'Sec-Fetch-Site': 'same-origin' };
    const answer = await context.request.post(path, { headers, data });
    if (!answer.ok()) throw new Error(`${path} is answered ${answer.status()}: ${await answer.text()}`);
  };
  await send('/console/api/sign-in', { username: PERSON });
  const { text } = await mailbox.received(PERSON, 'code to sign in');
  await send('/console/api/sign-in/redeem', { code: /^\d{4} \d{4}$/m.exec(text)?.[0] });
  return await context.storageState();
}
