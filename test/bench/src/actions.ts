/** `npm run bench -- actions`: what the actions of an integration cost each alert, beside reading its body. */
import { evaluation } from '@tocsin/alert-ingest/evaluation';
import { createAlertBody, IntegrationActionsBody } from '@tocsin/api';
import { benchActions } from './actions-load.ts';
import { besideReadingResult, measureBesideReading } from './beside-reading.ts';
import { alertBodies } from './ingest-alerts.ts';
import { runBench, say } from './run-bench.ts';

const ACTIONS = Number(process.env['ACTIONS'] ?? 50);
const TIMES = 50_000;

const nothingToStop = { stop: () => Promise.resolve() };

await runBench(nothingToStop, () => {
  say(`Evaluating ${ACTIONS} actions ${TIMES} times, and reading a body as often`);
  const body = createAlertBody('reject').parse(JSON.parse(alertBodies('none')(2)));
  const evaluate = evaluation(IntegrationActionsBody.parse(benchActions(ACTIONS)), body);
  const outcome = evaluate();
  if (outcome.kind !== 'create' || !outcome.alert.tags.includes(`service-${ACTIONS - 1}`))
    throw new Error('The last action does not hold: this would measure something else.');
  const measured = measureBesideReading(evaluate, TIMES);
  return Promise.resolve(besideReadingResult({ what: `evaluating ${ACTIONS} actions`, ...measured, limitUs: 100 }));
});
