/**
 * `npm run bench -- storm`: how long a page takes whose key is quiet, first while another key floods the installation with alerts
 * that page no user (F6), then while many keys flood as many people with pages (F2).
 */
import { freePort } from '@tocsin/testkit';
import { alertBodies, pagingBodies } from './ingest-alerts.ts';
import { closedLoop, type LoadResult, type Target } from './ingest-load.ts';
import { wholeNumber } from './ingest-settings.ts';
import { Settlements } from './ingest-settlements.ts';
import { BenchStack } from './ingest-stack.ts';
import { PagesMailbox } from './pages-mailbox.ts';
import { runBench, say, type BenchResult } from './run-bench.ts';
import { BulkTopic } from './storm-bulk.ts';
import { noMoreCome, quietPages, type QuietPages } from './storm-pages.ts';
import { pagingStormResult, stormResult } from './storm-result.ts';

const setting = (name: string, otherwise: number): number => wholeNumber(process.env, name, otherwise);
/** Of each half. */
const seconds = setting('SECONDS', 50);
/** Requests of the floods that are under way at once. */
const callers = setting('CALLERS', 64);
/** Keys that flood with pages, each one person. */
const sources = setting('SOURCES', 20);
const PAGES_PER_SECOND = 2;
const WARM_UP_SECONDS = 4;
const PERSON = 'quiet@example.com';
/** Far from the numbers of what floods. */
const FIRST_QUIET = 1_000_000_000;
/** The default rates of an installation, which no single key exceeds. The bench sets them, so that its limits are valid. */
const RATE = { perSecond: 100, burst: 1_000 };
const SETTLE_MS = 60_000;
/** After so long without any mail the missing ones are lost: a bundle is held for up to a minute (U8). */
const BUNDLE_PATIENCE_MS = 90_000;

/** The installation under load, and who is paged now and then. */
interface Stage {
  readonly stack: BenchStack;
  readonly settlements: Settlements;
  readonly bulk: BulkTopic;
  readonly page: (length: number) => Promise<QuietPages>;
}

say('Starting an installation of its own');
const mailbox = await PagesMailbox.start();
const rates = { RATE_LIMITS: `alert=${RATE.perSecond}/${RATE.burst}` };
await runBench(await BenchStack.start(await freePort(), mailbox.url, rates), async (stack) => {
  const found = await measure(stack);
  mailbox.stop();
  return found;
});

async function measure(stack: BenchStack): Promise<BenchResult> {
  await stack.createUsers(PERSON);
  const quiet = await targetOf(stack, 'Quiet', 1);
  // The most urgent are held for no bundle (U8): the wait is that behind the flood alone.
  const bodyOf = pagingBodies([PERSON], 'P1');
  let first = FIRST_QUIET;
  const page = (length: number): Promise<QuietPages> => {
    const load = { perSecond: PAGES_PER_SECOND, seconds: length, bodyOf, first };
    first += PAGES_PER_SECOND * length;
    return quietPages(quiet, mailbox, load);
  };
  const mongoUri = stack.variable('alert-processor', 'MONGODB_URI');
  await using settlements = await Settlements.open(mongoUri);
  await using bulk = await BulkTopic.open({ mongoUri, brokers: stack.variable('alert-processor', 'KAFKA_BROKERS') });
  say(`Warming up for ${WARM_UP_SECONDS} s`);
  await page(WARM_UP_SECONDS);
  const stage = { stack, settlements, bulk, page };
  const halves = [await withoutPages(stage), await withPages(stage)];
  return { table: halves.map(({ table }) => table).join('\n\n'), kept: halves.every(({ kept }) => kept) };
}

/** One key floods with alerts that page no user. */
async function withoutPages({ bulk, stack, settlements, page }: Stage): Promise<BenchResult> {
  const noisy = await targetOf(stack, 'Noisy', callers);
  say(
    `One key floods with ${callers} callers for ${seconds} s, another pages a user ${PAGES_PER_SECOND} times a second`,
  );
  const storm = closedLoop(noisy, { seconds, bodyOf: alertBodies('Unpaged') });
  const quiet = await page(seconds);
  const flood = await storm;
  const bulkMs = await bulk.emptyAfterMs();
  const lost = await settlements.settled([...flood.accepted, ...quiet.accepted], SETTLE_MS);
  return stormResult({ bulkMs, flood, quiet, lost, rateMost: mostOf(flood) });
}

/** Many keys flood, each with alerts that page one person of its own. */
async function withPages({ bulk, stack, settlements, page }: Stage): Promise<BenchResult> {
  const people = Array.from({ length: sources }, (_, source) => `flooded-${source}@example.com`);
  const targets: Target[] = [];
  for (const [source, person] of people.entries()) {
    await stack.createUsers(person);
    targets.push(await targetOf(stack, `Noisy ${source}`, Math.ceil(callers / sources)));
  }
  say(`${sources} keys flood one person each for ${seconds} s, another pages a user as before`);
  mailbox.clear();
  const pages = pagingBodies(people);
  const storms = targets.map((target, source) =>
    closedLoop(target, { seconds, bodyOf: (index) => pages(index * sources + source) }),
  );
  const quiet = await page(seconds);
  const floods = await Promise.all(storms);
  // It looks beside the wait for the mails.
  const bulkEmpty = bulk.emptyAfterMs();
  const accepted = floods.flatMap((flood) => flood.accepted);
  const owed = accepted.length + quiet.accepted.length;
  say(`Waiting for the mails about ${owed} alerts`);
  await noMoreCome(() => mailbox.arrivals.size, owed, BUNDLE_PATIENCE_MS);
  const { arrivals, mails, mentions } = mailbox;
  const arrived = [...arrivals.keys()].filter((number) => number < FIRST_QUIET).length;
  const unsettled = await settlements.settled([...accepted, ...quiet.accepted], SETTLE_MS);
  const rateMost = Math.max(...floods.map(mostOf));
  const repeated = mentions - arrivals.size;
  const bulkMs = await bulkEmpty;
  return pagingStormResult({ bulkMs, floods, rateMost, quiet, arrived, mails, repeated, unsettled });
}

/** The most requests of one key in that time by the rate of its domain. */
function mostOf({ seconds: length }: LoadResult): number {
  return RATE.burst + Math.ceil(RATE.perSecond * length);
}

async function targetOf(stack: BenchStack, name: string, connections: number): Promise<Target> {
  const created = (await stack.call('POST', '/v2/integrations', { type: 'API', name })) as { data: { apiKey: string } };
  return stack.alertTarget(connections, created.data.apiKey);
}
