/** `npm run bench -- escalation`: whether rules fire in time, many at once, beside many that wait, and under a steady load. */
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@tocsin/testkit';
import { escalationResult, type DueMessages } from './escalation-result.ts';
import { escalatingBodies, pagingBodies } from './ingest-alerts.ts';
import { openLoop, type BodyOf, type LoadResult, type Target } from './ingest-load.ts';
import { wholeNumber } from './ingest-settings.ts';
import { BenchStack } from './ingest-stack.ts';
import { PagesMailbox } from './pages-mailbox.ts';
import { runBench, say, type BenchResult } from './run-bench.ts';

const PEOPLE = Array.from({ length: 20 }, (_, number) => `bench-${number}@example.com`);
const SOON = PEOPLE.map((_, number) => `Soon ${number}`);
/** The rules of `SOON` are due after a minute, that of `LATE` after a day. */
const SOON_MINUTES = 1;
const LATE = 'Late';
const LATE_MINUTES = 1_440;
/** The policy holds alerts with this tag until a full minute. */
const HELD = 'held';
const MINUTE_MS = 60_000;
/** As many creates a second as the installation takes at ease. */
const CREATES = 300;
/** After so long without any mail the missing ones are lost. */
const PATIENCE_MS = 30_000;

const setting = (name: string, otherwise: number): number => wholeNumber(process.env, name, otherwise);
const settings = {
  /** Escalations that are due together. */
  due: setting('DUE', 6_000),
  /** Timers that wait meanwhile. */
  pending: setting('PENDING', 100_000),
  /** Alerts a second of the steady load. */
  rate: setting('RATE', 200),
  seconds: setting('SECONDS', 20),
  warmUpSeconds: setting('WARM_UP_SECONDS', 5),
};

/** Bundles as an installation has them by default: what is measured one by one is of P1, which waits for none (U8). */
const own = { RATE_LIMITS: 'off', BUNDLE_LIMITS: process.env['BUNDLE_LIMITS'] ?? '' };

say('Starting an installation of its own');
const mailbox = await PagesMailbox.start();
await runBench(await BenchStack.start(await freePort(), mailbox.url, own), async (stack) => {
  const found = await measure(stack);
  mailbox.stop();
  return found;
});

async function measure(stack: BenchStack): Promise<BenchResult> {
  const target = await furnish(stack);
  say(`Warming up for ${settings.warmUpSeconds} s`);
  await measured(target, pagingBodies(PEOPLE, 'P1'), { rate: settings.rate, seconds: settings.warmUpSeconds });
  say(`Steady: ${settings.rate} alerts a second for ${settings.seconds} s`);
  const steady = await measured(target, pagingBodies(PEOPLE, 'P1'), { rate: settings.rate, seconds: settings.seconds });
  const together = await dueTogether(stack, target);
  const pendingSeconds = Math.ceil(settings.pending / CREATES);
  say(`Writing ${settings.pending} runs that are due another day takes ${pendingSeconds} s`);
  await openLoop(target, { rate: CREATES, seconds: pendingSeconds, bodyOf: escalatingBodies([LATE], 'late') });
  say(`One by one: 10 rules a second for ${settings.seconds} s, due a minute later`);
  const delayed = { rate: 10, seconds: settings.seconds, delayMs: SOON_MINUTES * MINUTE_MS };
  const single = await measured(target, escalatingBodies(SOON, 'soon', 'P1'), delayed);
  return escalationResult({ together, pending: settings.pending, single, steady: { ...steady, rate: settings.rate } });
}

async function furnish(stack: BenchStack): Promise<Target> {
  await stack.createUsers(...PEOPLE);
  const escalation = (name: string, username: string, minutes: number) =>
    stack.call('POST', '/v2/escalations', {
      name,
      rules: [
        {
          condition: 'if-not-acked',
          notifyType: 'default',
          delay: { timeAmount: minutes },
          recipient: { type: 'user', username },
        },
      ],
    });
  for (const [number, username] of PEOPLE.entries()) await escalation(`Soon ${number}`, username, SOON_MINUTES);
  await escalation(LATE, PEOPLE[0] ?? '', LATE_MINUTES);
  return stack.alertTarget(64);
}

/** Alerts that a policy holds until one instant: their flows start together, and a minute later their rules are due together. */
async function dueTogether(stack: BenchStack, target: Target): Promise<DueMessages> {
  const seconds = Math.ceil(settings.due / CREATES);
  // A spare minute, so that all are made before.
  const start = new Date(Math.ceil((Date.now() + seconds * 1_000 + 10_000) / MINUTE_MS) * MINUTE_MS);
  await stack.call('POST', '/v2/policies', {
    type: 'notification',
    name: 'Held',
    enabled: true,
    filter: {
      type: 'match-all-conditions',
      conditions: [{ field: 'tags', operation: 'contains', expectedValue: HELD }],
    },
    delayAction: { delayOption: 'next-time', untilHour: start.getUTCHours(), untilMinute: start.getUTCMinutes() },
  });
  const dueAt = start.getTime() + SOON_MINUTES * MINUTE_MS;
  say(`Together: ${settings.due} alerts, whose rules are due at ${new Date(dueAt).toISOString()}`);
  mailbox.clear();
  const bodyOf = escalatingBodies(SOON, HELD);
  const { accepted } = await openLoop(target, { rate: settings.due / seconds, seconds, bodyOf });
  await pause(Math.max(0, dueAt - Date.now()));
  const dueByClock = performance.now() - (Date.now() - dueAt);
  await mailsOf(accepted.length);
  return arrived(accepted.length, () => dueByClock);
}

interface Load {
  readonly rate: number;
  readonly seconds: number;
  /** From when an alert is sent until its page is due. */
  readonly delayMs?: number;
}

async function measured(target: Target, bodies: BodyOf, { delayMs = 0, ...load }: Load): Promise<DueMessages> {
  mailbox.clear();
  const sentAt: number[] = [];
  const bodyOf: BodyOf = (index) => {
    sentAt[index] = performance.now();
    return bodies(index);
  };
  const { accepted }: LoadResult = await openLoop(target, { ...load, bodyOf });
  await pause(delayMs);
  await mailsOf(accepted.length);
  return arrived(accepted.length, (number) => (sentAt[number] ?? 0) + delayMs);
}

function arrived(due: number, dueAt: (number: number) => number): DueMessages {
  const { arrivals } = mailbox;
  const waits = [...arrivals].map(([number, at]) => at - dueAt(number));
  return { due, waitsMs: Float64Array.from(waits).sort(), repeated: mailbox.mentions - arrivals.size };
}

/** Resolves when all have their mail, or no more mails come. */
async function mailsOf(expected: number): Promise<void> {
  for (let [seen, at] = [0, performance.now()]; seen < expected && performance.now() < at + PATIENCE_MS;) {
    await pause(20);
    if (mailbox.arrivals.size > seen) [seen, at] = [mailbox.arrivals.size, performance.now()];
  }
}
