/** `npm run bench -- overload`: what callers are answered at twice what the machine can accept (F3). */
import { freePort } from '@tocsin/testkit';
import { alertBodies } from './ingest-alerts.ts';
import { closedLoop, openLoop } from './ingest-load.ts';
import { ingestSettings, type IngestSettings } from './ingest-settings.ts';
import { Settlements } from './ingest-settlements.ts';
import { BenchStack } from './ingest-stack.ts';
import { overloadResult } from './overload-result.ts';
import { runBench, say, type BenchResult } from './run-bench.ts';

const TIMES = 2;
const SETTLE_MS = 120_000;
/** Callers who know nothing of each other share no connection and wait for none. */
const ANY_NUMBER = 100_000;

const settings = ingestSettings(process.env);
say('Starting an installation of its own');
await runBench(await BenchStack.start(await freePort()), (stack) => measure(stack, settings));

async function measure(
  stack: BenchStack,
  { connections, warmUpSeconds, peakSeconds }: IngestSettings,
): Promise<BenchResult> {
  const bodyOf = alertBodies('Unpaged');
  const target = stack.alertTarget(connections);
  await using settlements = await Settlements.open(stack.variable('alert-processor', 'MONGODB_URI'));
  say(`Closed loop: ${connections} callers for ${warmUpSeconds} s to warm up, ${peakSeconds} s to see what it can do`);
  await settlements.settled((await closedLoop(target, { seconds: warmUpSeconds, bodyOf })).accepted, SETTLE_MS);
  const peak = await closedLoop(target, { seconds: peakSeconds, bodyOf });
  const capacity = Math.round(peak.accepted.length / peak.seconds);
  await settlements.settled(peak.accepted, SETTLE_MS);
  const rate = TIMES * capacity;
  say(`Open loop: ${rate}/s for ${peakSeconds} s`);
  const load = await openLoop({ ...target, connections: ANY_NUMBER }, { rate, seconds: peakSeconds, bodyOf });
  const lost = await settlements.settled(load.accepted, SETTLE_MS);
  return overloadResult({ capacity, load, lost });
}
