/** `npm run bench -- search`: what it takes to find alerts among a million. */
import { ALERTS } from '@tocsin/alert-processor/search-app';
import { ALERT_SORT_FIELDS } from '@tocsin/api';
import { collectionOf, type Connection } from '@tocsin/mongo';
import { runBench, say } from './run-bench.ts';
import { alertIdAt } from './search-alerts.ts';
import { questions, type Question } from './search-queries.ts';
import { searchResult, type Answers } from './search-report.ts';
import { SearchStage } from './search-stage.ts';

const COUNT = Number(process.env['ALERTS'] ?? 1_000_000);
/** How often a question is asked; one that takes long, for at most so many milliseconds. */
const TIMES = Number(process.env['TIMES'] ?? 200);
const MAX_MS = 4_000;
const WARM_UP = 3;
/** Asks only the questions whose names match; all where unset. */
const ONLY = new RegExp(process.env['ONLY'] ?? '');

await runBench(await SearchStage.open({ alerts: COUNT, keep: process.argv.includes('--keep') }), async (stage) => {
  const byIdMs = await lookUps(stage.connection);
  const answers: Answers[] = [];
  for (const question of questions(COUNT, ALERT_SORT_FIELDS).filter(({ name }) => ONLY.test(name))) {
    answers.push(await asked(stage, question));
    say(`  ${question.name}`);
  }
  return searchResult(byIdMs, answers);
});

async function lookUps(connection: Connection): Promise<readonly number[]> {
  const alerts = collectionOf<{ _id: string }>(connection, ALERTS);
  const tookMs: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const startedAt = performance.now();
    await alerts.findOne({ _id: alertIdAt((time * 7_919) % COUNT) });
    tookMs.push(performance.now() - startedAt);
  }
  return tookMs;
}

async function asked(stage: SearchStage, question: Question): Promise<Answers> {
  const { name, bar, path, teamId } = question;
  const targets = question.asked.map((query) => `${path}?${new URLSearchParams(query).toString()}`);
  const examined = await counted(stage.connection, async () => {
    for (const target of targets) await stage.ask(target, teamId);
  });
  const tookMs: number[] = [];
  const refusals = new Set<number>();
  const until = performance.now() + MAX_MS;
  for (let time = 0; time < TIMES && (time < targets.length * 2 || performance.now() < until); time += 1) {
    const startedAt = performance.now();
    const status = await stage.ask(targets[time % targets.length] ?? path, teamId);
    if (time >= WARM_UP || bar === 'rule') tookMs.push(performance.now() - startedAt);
    if (status !== 200) refusals.add(status);
  }
  return { name, bar, tookMs, refusals: [...refusals], examined };
}

/** The documents that MongoDB read for the queries of `asking`, by its own count. */
async function counted(connection: Connection, asking: () => Promise<void>): Promise<Answers['examined']> {
  const { db } = connection;
  if (db === undefined) throw new TypeError('The connection was never opened.');
  const since = new Date();
  await db.setProfilingLevel('all');
  await asking();
  await db.setProfilingLevel('off');
  const seen = await db
    .collection<{ keysExamined?: number; docsExamined?: number }>('system.profile')
    .find({ ts: { $gte: since }, ns: `${db.databaseName}.${ALERTS}` })
    .toArray();
  return {
    keys: seen.reduce((sum, { keysExamined = 0 }) => sum + keysExamined, 0),
    documents: seen.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0),
  };
}
