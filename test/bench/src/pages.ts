/** `npm run bench -- pages`: how many pages a second become mails, what one costs, and how long it takes. */
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@tocsin/testkit';
import { pagingBodies } from './ingest-alerts.ts';
import { closedLoop, openLoop, type BodyOf, type LoadResult, type Target } from './ingest-load.ts';
import { wholeNumber } from './ingest-settings.ts';
import { BenchStack } from './ingest-stack.ts';
import { MongoCounts, mongoShares } from './mongo-counts.ts';
import { PagesMailbox } from './pages-mailbox.ts';
import { pagesReport, type PagesLoad, type PagesMeasurements } from './pages-report.ts';
import { PagesWrites } from './pages-writes.ts';
import { cpuOf, sharesOf } from './processor-time.ts';
import { runBench, say } from './run-bench.ts';

const PEOPLE = Array.from({ length: 20 }, (_, number) => `bench-${number}@example.com`);
/** After so long without any mail the missing ones are lost. */
const PATIENCE_MS = 30_000;
/** After the last mail, until everything about it is written. */
const SETTLE_MS = 2_000;

const SAMPLED_SECONDS = 5;
/** The sample ends so long before the load does: its last pages come more slowly. */
const LAST_MS = 500;

const setting = (name: string, otherwise: number): number => wholeNumber(process.env, name, otherwise);
const settings = {
  /** Pages a second of the open loop. */
  rate: setting('RATE', 300),
  seconds: setting('SECONDS', 20),
  warmUpSeconds: setting('WARM_UP_SECONDS', 5),
  /** Alerts of the closed loop that wait for their mail at once. */
  underWay: setting('UNDER_WAY', 400),
  connections: setting('CONNECTIONS', 64),
};

/** The installation under load, and what is read from it. */
interface BenchContext {
  readonly stack: BenchStack;
  readonly mailbox: PagesMailbox;
  readonly writes: PagesWrites;
  readonly mongo: MongoCounts;
  readonly target: Target;
}

say('Starting an installation of its own');
const mailbox = await PagesMailbox.start();
await runBench(await BenchStack.start(await freePort(), mailbox.url), async (stack) => {
  const measured = await measure(stack);
  mailbox.stop();
  return { table: pagesReport(measured), kept: measured.most.lost + measured.steady.lost === 0 };
});

async function measure(stack: BenchStack): Promise<PagesMeasurements> {
  const { rate, seconds, warmUpSeconds, connections } = settings;
  await stack.createUsers(...PEOPLE);
  await using writes = await PagesWrites.open(stack.mongoUri, stack.variable('alert-ingest', 'KAFKA_BROKERS'));
  await using mongo = await MongoCounts.open(stack.mongoUri);
  const target = stack.alertTarget(connections);
  const context: BenchContext = { stack, mailbox, writes, mongo, target };
  say(`Warming up for ${warmUpSeconds} s`);
  await loaded(context, (bodyOf) => closedLoopOfPages(target, warmUpSeconds, bodyOf));
  say(`Closed loop: ${settings.underWay} pages under way for ${seconds} s`);
  const documents = documentsOfAPage(context, seconds);
  const most = await loaded(context, (bodyOf) => closedLoopOfPages(target, seconds, bodyOf));
  say(`Open loop: ${rate}/s for ${seconds} s`);
  const steady = await loaded(context, (bodyOf) => openLoop(target, { rate, seconds, bodyOf }));
  return { most, documents: await documents, rate, steady };
}

/** Sends the next alert when a mail has come. */
async function closedLoopOfPages(target: Target, seconds: number, bodyOf: BodyOf): Promise<LoadResult> {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  mailbox.onMail(() => {
    underWay -= 1;
    waiting.shift()?.();
  });
  const waitForTurn = async (): Promise<void> => {
    if (underWay >= settings.underWay) await new Promise<void>((resolve) => waiting.push(resolve));
    underWay += 1;
  };
  const ended = setTimeout(() => {
    for (const go of waiting.splice(0)) go();
  }, seconds * 1_000);
  try {
    return await closedLoop(target, { seconds, bodyOf, ready: waitForTurn });
  } finally {
    clearTimeout(ended);
    mailbox.onMail(() => undefined);
  }
}

async function loaded(context: BenchContext, load: (bodyOf: BodyOf) => Promise<LoadResult>): Promise<PagesLoad> {
  mailbox.clear();
  const sentAt: number[] = [];
  const bodies = pagingBodies(PEOPLE);
  const before = await readings(context);
  const startedAt = performance.now();
  const { accepted, refused } = await load((index) => {
    sentAt[index] = performance.now();
    return bodies(index);
  });
  await mailsOf(accepted.length);
  await pause(SETTLE_MS);
  const after = await readings(context);
  const { arrivals, mentions } = mailbox;
  const pages = arrivals.size;
  const waits = [...arrivals].map(([number, at]) => at - (sentAt[number] ?? at));
  return {
    accepted: accepted.length,
    refused,
    lost: Math.max(0, accepted.length - pages),
    repeated: mentions - pages,
    perSecond: (pages * 1_000) / (Math.max(...arrivals.values()) - startedAt),
    waitsMs: Float64Array.from(waits).sort(),
    cpu: sharesOf(before.cpu, after.cpu, pages),
    records: sharesOf(before.records, after.records, pages),
    mongo: mongoShares(before.mongo, after.mongo, pages),
  };
}

/** Counts during the last seconds of the load: the oplog does not reach back much further. */
async function documentsOfAPage({ writes }: BenchContext, seconds: number): Promise<ReadonlyMap<string, number>> {
  const reading = async () => ({ at: await writes.now(), mentions: mailbox.mentions });
  const sampled = Math.min(SAMPLED_SECONDS, seconds / 2);
  await pause((seconds - sampled) * 1_000 - LAST_MS);
  const from = await reading();
  await pause(sampled * 1_000);
  const to = await reading();
  return sharesOf(new Map(), await writes.documents(from.at, to.at), to.mentions - from.mentions);
}

/** Resolves when all accepted alerts have their mail, or no more mails come. */
async function mailsOf(accepted: number): Promise<void> {
  for (let [seen, at] = [0, performance.now()]; seen < accepted && performance.now() < at + PATIENCE_MS;) {
    await pause(20);
    if (mailbox.arrivals.size > seen) [seen, at] = [mailbox.arrivals.size, performance.now()];
  }
}

async function readings({ mongo, stack, writes }: BenchContext) {
  const records = await writes.records();
  return { cpu: cpuOf(stack), records, mongo: await mongo.read() };
}
