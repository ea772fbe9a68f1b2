/** `npm run bench:idle`: what the whole stack takes while nothing happens. */
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@tocsin/local-stack';
import { idleRows, idleVerdict } from './idle-verdict.ts';
import { BenchStack } from './ingest-stack.ts';
import { processTree } from './process-tree.ts';
import { runBench, say } from './run-bench.ts';

const SETTLE_SECONDS = 20;
const MEASURE_SECONDS = 30;

say('Starting an installation of its own');
await runBench(await BenchStack.start(await freePort()), async (stack) => {
  say(`Resting for ${SETTLE_SECONDS} s, then measuring for ${MEASURE_SECONDS} s`);
  await pause(SETTLE_SECONDS * 1000);
  const before = processTree(stack.pid);
  await pause(MEASURE_SECONDS * 1000);
  const { table, within } = idleVerdict(idleRows(before, processTree(stack.pid), MEASURE_SECONDS));
  return { table, kept: within };
});
