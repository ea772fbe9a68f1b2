/** `npm run bench:idle`: what the whole stack takes while nothing happens. */
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@tocsin/local-stack';
import { idleRows, idleVerdict } from './idle-verdict.ts';
import { BenchStack } from './ingest-stack.ts';
import { processTree } from './process-tree.ts';

const SETTLE_SECONDS = 20;
const MEASURE_SECONDS = 30;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

say('Starting an installation of its own');
const stack = await BenchStack.start(await freePort());
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stack.stop().finally(() => process.exit(1)));
try {
  say(`Resting for ${SETTLE_SECONDS} s, then measuring for ${MEASURE_SECONDS} s`);
  await pause(SETTLE_SECONDS * 1000);
  const before = processTree(stack.pid);
  await pause(MEASURE_SECONDS * 1000);
  const { table, within } = idleVerdict(idleRows(before, processTree(stack.pid), MEASURE_SECONDS));
  say(`\n${table}`);
  process.exitCode = within ? 0 : 1;
} finally {
  await stack.stop();
}
