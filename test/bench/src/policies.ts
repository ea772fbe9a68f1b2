/** `npm run bench -- policies`: what policies cost each alert, beside reading its body. */
import { policyApplication } from '@tocsin/alert-processor/policy-application';
import { createAlertBody } from '@tocsin/api';
import { besideReadingResult, measureBesideReading } from './beside-reading.ts';
import { alertBodies } from './ingest-alerts.ts';
import { benchPolicies, createOf } from './policies-load.ts';
import { runBench, say } from './run-bench.ts';

const POLICIES = Number(process.env['POLICIES'] ?? 500);
const TIMES = 10_000;

const nothingToStop = { stop: () => Promise.resolve() };

await runBench(nothingToStop, () => {
  say(`Applying ${POLICIES} policies to a create ${TIMES} times, and reading a body as often`);
  const body = createAlertBody('reject').parse(JSON.parse(alertBodies('none')(2)));
  const apply = policyApplication(benchPolicies(POLICIES), createOf(body));
  const { command, flow } = apply();
  if (command.alert.priority !== 'P1' || flow.hold === undefined)
    throw new Error('The last policy of a kind does not hold: this would measure something else.');
  const measured = measureBesideReading(apply, TIMES);
  return Promise.resolve(besideReadingResult({ what: `applying ${POLICIES} policies`, ...measured, limitUs: 1_000 }));
});
