/** `npm run bench:actions`: what the actions of an integration cost each alert, beside reading its body. */
import { evaluation } from '@tocsin/alert-ingest/evaluation';
import { createAlertBody, IntegrationActionsBody } from '@tocsin/contracts';
import { benchActions } from './actions-load.ts';
import { actionsVerdict } from './actions-report.ts';
import { alertBodies } from './ingest-alerts.ts';
import { runBench, say } from './run-bench.ts';

const ACTIONS = Number(process.env['ACTIONS'] ?? 50);
const WARM_UP = 5_000;
const TIMES = 50_000;

const nothingToStop = { stop: () => Promise.resolve() };

await runBench(nothingToStop, () => {
  say(`Evaluating ${ACTIONS} actions ${TIMES} times, and reading a body as often`);
  const json = alertBodies('none')(2);
  const schema = createAlertBody('reject');
  const evaluate = evaluation(IntegrationActionsBody.parse(benchActions(ACTIONS)), schema.parse(JSON.parse(json)));
  const outcome = evaluate();
  if (outcome.kind !== 'create' || !outcome.alert.tags.includes(`service-${ACTIONS - 1}`))
    throw new Error('The last action does not hold: this would measure something else.');
  const read = () => schema.parse(JSON.parse(json));
  for (let time = 0; time < WARM_UP; time += 1) {
    evaluate();
    read();
  }
  const [evaluatedUs, readUs]: [number[], number[]] = [[], []];
  for (let time = 0; time < TIMES; time += 1) {
    evaluatedUs.push(tookUs(evaluate));
    readUs.push(tookUs(read));
  }
  return Promise.resolve(actionsVerdict({ actions: ACTIONS, evaluatedUs, readUs }));
});

function tookUs(once: () => unknown): number {
  const startedAt = performance.now();
  once();
  return (performance.now() - startedAt) * 1_000;
}
