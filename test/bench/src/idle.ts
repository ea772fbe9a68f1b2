/** `npm run bench -- idle`: what the whole stack takes while nothing happens, and what it asks of MongoDB. */
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@tocsin/testkit';
import { idleRows, idleResult } from './idle-result.ts';
import { BenchStack } from './ingest-stack.ts';
import { MongoCounts, mongoShares, mongoTables } from './mongo-counts.ts';
import { processTree } from './process-tree.ts';
import { runBench, say } from './run-bench.ts';

const SETTLE_SECONDS = 20;
const MEASURE_SECONDS = 60;

say('Starting an installation of its own');
await runBench(await BenchStack.start(await freePort()), async (stack) => {
  say(`Resting for ${SETTLE_SECONDS} s, then measuring for ${MEASURE_SECONDS} s`);
  await pause(SETTLE_SECONDS * 1000);
  await using mongo = await MongoCounts.open(stack.mongoUri);
  const before = { processes: processTree(stack.pid), mongo: await mongo.read() };
  await pause(MEASURE_SECONDS * 1000);
  const after = { processes: processTree(stack.pid), mongo: await mongo.read() };
  const { table, within } = idleResult(idleRows(before.processes, after.processes, MEASURE_SECONDS));
  const counts = mongoTables(mongoShares(before.mongo, after.mongo, MEASURE_SECONDS), 'a second');
  return { table: `${counts}\n\n${table}`, kept: within };
});
