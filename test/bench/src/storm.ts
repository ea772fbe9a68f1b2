/** `npm run bench:storm`: how long a page takes whose key is quiet, while another key floods the installation (F1). */
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { freePort } from '@tocsin/local-stack';
import { alertBodies, pagingBodies } from './ingest-alerts.ts';
import { closedLoop, type Target } from './ingest-load.ts';
import { wholeNumber } from './ingest-settings.ts';
import { Settlements } from './ingest-settlements.ts';
import { BenchStack } from './ingest-stack.ts';
import { PagesMailbox } from './pages-mailbox.ts';
import { runBench, say, type Verdict } from './run-bench.ts';
import { stormVerdict } from './storm-verdict.ts';

const seconds = wholeNumber(process.env, 'SECONDS', 50);
/** Requests of the flood that are under way at once. */
const CALLERS = wholeNumber(process.env, 'CALLERS', 64);
const PAGES_PER_SECOND = 2;
const WARM_UP_SECONDS = 4;
const PERSON = 'quiet@example.com';
/** What lets either key through and is what an installation has by default; the bench says it so that its limits hold. */
const RATE = { perSecond: 100, burst: 1_000 };
/** After so long without any mail the missing ones are lost. */
const PATIENCE_MS = 20_000;
const SETTLE_MS = 60_000;

say('Starting an installation of its own');
const mailbox = await PagesMailbox.start();
const rates = { RATE_LIMITS: `alert=${RATE.perSecond}/${RATE.burst}` };
await runBench(await BenchStack.start(await freePort(), mailbox.url, rates), async (stack) => {
  const found = await measure(stack);
  mailbox.stop();
  return found;
});

async function measure(stack: BenchStack): Promise<Verdict> {
  await stack.call('POST', '/v2/users', { username: PERSON, fullName: 'Quiet', role: { name: 'user' } });
  const [noisy, quiet] = [await targetOf(stack, 'Noisy', CALLERS), await targetOf(stack, 'Quiet', 1)];
  await using settlements = await Settlements.open(stack.variable('alert-processor', 'MONGODB_URI'));
  say(`Warming up for ${WARM_UP_SECONDS} s`);
  await pagesOf(quiet, WARM_UP_SECONDS);
  say(
    `One key floods with ${CALLERS} callers for ${seconds} s, another pages somebody ${PAGES_PER_SECOND} times a second`,
  );
  const storm = closedLoop(noisy, { seconds, bodyOf: alertBodies('Nobody') });
  const pages = await pagesOf(quiet, seconds);
  const flood = await storm;
  const lost = await settlements.settled([...flood.accepted, ...pages.accepted], SETTLE_MS);
  return stormVerdict({
    flood,
    refused: pages.refused,
    waitsMs: pages.waitsMs,
    lost,
    rateMost: RATE.burst + Math.ceil(RATE.perSecond * flood.seconds),
  });
}

async function targetOf(stack: BenchStack, name: string, connections: number): Promise<Target> {
  const created = (await stack.call('POST', '/v2/integrations', { type: 'API', name })) as { data: { apiKey: string } };
  const headers = { authorization: `GenieKey ${created.data.apiKey}`, 'content-type': 'application/json' };
  return { url: stack.url, path: '/v2/alerts', headers, connections };
}

interface Pages {
  /** Request ids of the 202s. */
  readonly accepted: readonly string[];
  /** Answer -> how often it was sent again for that. */
  readonly refused: ReadonlyMap<string, number>;
  readonly waitsMs: Float64Array;
}

/** Pages one person, as senders of alerts do: who is refused comes again when told to. Tells when the mails came. */
async function pagesOf({ url, path, headers }: Target, length: number): Promise<Pages> {
  mailbox.clear();
  const [accepted, refused] = [[] as string[], new Map<string, number>()];
  const bodies = pagingBodies([PERSON]);
  const pool = new Pool(url, { connections: 16, pipelining: 1 });
  const page = async (number: number): Promise<void> => {
    for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
      const answer = await pool.request({ method: 'POST', path, headers, body: bodies(number) });
      await answer.body.dump();
      const status = String(answer.statusCode);
      if (status === '202') return void accepted.push(String(answer.headers['x-request-id']));
      refused.set(status, (refused.get(status) ?? 0) + 1);
      await pause(1_000 * Number(answer.headers['retry-after'] ?? 1));
    }
  };
  const startedAt = performance.now();
  const sent: { readonly at: number; readonly done: Promise<void> }[] = [];
  while (sent.length < PAGES_PER_SECOND * length) {
    await pause(Math.max(0, startedAt + (1_000 * sent.length) / PAGES_PER_SECOND - performance.now()));
    sent.push({ at: performance.now(), done: page(sent.length) });
  }
  await Promise.all(sent.map(({ done }) => done));
  await mailsOf(accepted.length);
  await pool.close();
  const waits = sent.map(({ at }, number) => (mailbox.arrivals.get(number) ?? Infinity) - at);
  return { accepted, refused, waitsMs: Float64Array.from(waits).sort() };
}

/** Resolves when all accepted pages have their mail, or no more mails come. */
async function mailsOf(accepted: number): Promise<void> {
  for (let [seen, at] = [0, performance.now()]; seen < accepted && performance.now() < at + PATIENCE_MS;) {
    await pause(20);
    if (mailbox.arrivals.size > seen) [seen, at] = [mailbox.arrivals.size, performance.now()];
  }
}
