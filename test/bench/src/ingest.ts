import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { idleActions } from './ingest-actions.ts';
import { alertBodies } from './ingest-alerts.ts';
import { observedBetween, stageBuckets } from './ingest-figures.ts';
import { closedLoop, openLoop, type LoadResult } from './ingest-load.ts';
import { report, type IngestMeasurements } from './ingest-report.ts';
import { ingestSettings, type IngestSettings } from './ingest-settings.ts';
import { Settlements } from './ingest-settlements.ts';
import { BenchStack } from './ingest-stack.ts';
import { cpuOf, sharesOf } from './processor-time.ts';
import { runBench, say } from './run-bench.ts';

const ESCALATION = 'Bench';
/** The service that measures each stage. */
const STAGES = { processed: 'alert-processor', 'handed-over': 'notifier' } as const;
const SETTLE_MS = 60_000;

const settings = ingestSettings(process.env);
say('Starting an installation of its own');
await runBench(await BenchStack.start(settings.gatewayPort), async (stack) => {
  const measured = await measure(stack, settings);
  return { table: report(measured), kept: measured.lost === 0 };
});

async function measure(stack: BenchStack, settings: IngestSettings): Promise<IngestMeasurements> {
  const { rate, seconds, warmUpSeconds, peakSeconds, connections } = settings;
  await furnish(stack);
  if (settings.actions > 0) await addActions(stack, settings.actions);
  const target = stack.alertTarget(connections);
  await using settlements = await Settlements.open(stack.variable('alert-processor', 'MONGODB_URI'));
  say(`Warming up for ${warmUpSeconds} s`);
  const warmUp = { rate: Math.ceil(rate / 2), seconds: warmUpSeconds, bodyOf: alertBodies(ESCALATION) };
  await settlements.settled((await openLoop(target, warmUp)).accepted, SETTLE_MS);
  say(`Open loop: ${rate}/s for ${seconds} s`);
  const before = await readings(stack);
  const startedAt = performance.now();
  const load = await openLoop(target, { rate, seconds, bodyOf: alertBodies(ESCALATION) });
  const cpu = sharesOf(before.cpu, cpuOf(stack), (performance.now() - startedAt) / 1_000);
  const lost = await settlements.settled(load.accepted, SETTLE_MS);
  await pause(2_000);
  const after = await readings(stack);
  say(`Closed loop: ${connections} callers for ${peakSeconds} s`);
  const peak = await closedLoop(target, { seconds: peakSeconds, bodyOf: alertBodies(ESCALATION) });
  const lostAtPeak = await settlements.settled(peak.accepted, SETTLE_MS);
  say(`Baseline: the same callers for ${peakSeconds} s`);
  const baseline = await measureBaseline(stack.variable('alert-ingest', 'KAFKA_BROKERS'), settings);
  return {
    rate,
    load,
    processed: observedBetween(before.processed, after.processed),
    handedOver: observedBetween(before.handedOver, after.handedOver),
    lost: lost + lostAtPeak,
    cpu,
    cpuPerAlert: sharesOf(before.cpu, after.cpu, load.accepted.length),
    actions: settings.actions,
    peak,
    baseline,
  };
}

/** A user to page, and the way to them. */
async function furnish(stack: BenchStack): Promise<void> {
  const user = { type: 'user', username: 'bench@example.com' };
  await stack.createUsers(user.username);
  const rotation = { type: 'weekly', startDate: '2026-01-05T08:00:00Z', participants: [user] };
  await stack.call('POST', '/v2/schedules', { name: ESCALATION, timezone: 'UTC', rotations: [rotation] });
  const recipient = { type: 'schedule', name: ESCALATION };
  const rule = { condition: 'if-not-acked', notifyType: 'default', delay: { timeAmount: 0 }, recipient };
  await stack.call('POST', '/v2/escalations', { name: ESCALATION, rules: [rule] });
}

/** Gives the one integration actions to try before it creates. */
async function addActions(stack: BenchStack, count: number): Promise<void> {
  const { data } = (await stack.call('GET', '/v2/integrations?type=API')) as { data: readonly { id: string }[] };
  const path = `/v2/integrations/${data[0]?.id ?? ''}/actions`;
  const { data: held } = (await stack.call('GET', path)) as { data: { create: readonly object[] } };
  await stack.call('PUT', path, { ...idleActions(count), create: held.create });
}

async function readings(stack: BenchStack) {
  const [processed, handedOver] = await Promise.all([
    stack.metrics(STAGES.processed),
    stack.metrics(STAGES['handed-over']),
  ]);
  return {
    processed: stageBuckets(processed, 'processed'),
    handedOver: stageBuckets(handedOver, 'handed-over'),
    cpu: cpuOf(stack),
  };
}

async function measureBaseline(brokers: string, { peakSeconds, connections }: IngestSettings): Promise<LoadResult> {
  const script = fileURLToPath(new URL('ingest-baseline.ts', import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, script], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, KAFKA_BROKERS: brokers, KAFKAJS_NO_PARTITIONER_WARNING: '1' },
  });
  try {
    const [port] = (await once(child.stdout ?? child, 'data')) as [Buffer];
    const target = { url: `http://127.0.0.1:${port.toString().trim()}`, path: '/', headers: {}, connections };
    await closedLoop(target, { seconds: 2, bodyOf: alertBodies(ESCALATION) });
    return await closedLoop(target, { seconds: peakSeconds, bodyOf: alertBodies(ESCALATION) });
  } finally {
    child.kill();
  }
}
