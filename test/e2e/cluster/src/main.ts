/** `npm test -- cluster`: installs Tocsin into the cluster that KUBECONFIG names, breaks it under load, and balances the ledger. */
import { Cluster } from './cluster.ts';
import { ClusterRun } from './cluster-run.ts';
import { endCommands } from './command.ts';
import { balanced, problems } from './ledger.ts';
import { Release } from './release.ts';
import { report } from './report.ts';
import { settingsOf } from './settings.ts';

/** The facts that one node without an ingress controller, a metrics server and enforced policies cannot show. */
const NOT_SHOWN = [
  'whether NetworkPolicies let through what they should: only a network that enforces them shows it',
  'whether HPA and ScaledObjects scale: that takes metrics-server and KEDA',
  'what an Ingress or HTTPRoute does while pods are replaced: callers came through a node port',
  'the loss of a node, and spreading over several',
];

const settings = settingsOf(process.env);
const startedAt = performance.now();
let isStopped = false;
const cluster = new Cluster(settings.kubectl, settings.namespace);
const release = new Release(settings, cluster);
const missing = await findMissing();
if (missing !== undefined) {
  process.stderr.write(`${missing}\ndocs/cluster-run.md says what a run needs.\n`);
  process.exit(1);
}
const run = new ClusterRun(settings, { cluster, release, run: `run${Date.now().toString(36)}`, say });

/** Settles with the first signal that wants an end of the run. */
const stopped = new Promise<NodeJS.Signals>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, resolve);
});

const outcome = await Promise.race([balances(), stopped]);
if (typeof outcome === 'string') {
  // A terminal interrupts the programs of the run as well; their callers go no further.
  say(`${outcome}: ending what runs`);
  isStopped = true;
  endCommands();
}
process.exitCode = outcome === true ? 0 : outcome === false ? 1 : 130;
if (outcome !== false || !settings.keep) await cleanedUp();
process.exit();

/** Says which of a cluster and Helm is missing; undefined where neither is. */
async function findMissing(): Promise<string | undefined> {
  const { KUBECONFIG = '' } = process.env;
  const named = KUBECONFIG === '' ? 'KUBECONFIG is not set' : `KUBECONFIG is ${KUBECONFIG}`;
  try {
    await cluster.reach();
  } catch (error) {
    return `kubectl reaches no cluster, and ${named}. ${reasonOf(error)}`;
  }
  try {
    await release.findHelm();
  } catch (error) {
    return `Helm does not run. ${reasonOf(error)}`;
  }
  return undefined;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}

async function balances(): Promise<boolean> {
  const broken = await brokenBy(async () => {
    await cluster.create();
    await run.install();
    await run.killEach();
    await run.replaceAll();
    await run.reinstall();
  });
  const reconciliation = balanced(run.ledger);
  const found = [...problems(reconciliation), ...broken];
  process.stdout.write(`\n${report(reconciliation)}\n\nNot shown by this run:\n${listed(NOT_SHOWN)}\n\n`);
  process.stdout.write(found.length === 0 ? 'It balances.\n' : `It does NOT balance:\n${listed(found)}\n`);
  return found.length === 0;
}

/** The error of a failed step; none where all succeeded. */
async function brokenBy(steps: () => Promise<void>): Promise<readonly string[]> {
  try {
    await steps();
    return [];
  } catch (error) {
    // The process ends, and removes all of it beside this.
    if (isStopped) return new Promise(() => undefined);
    say(`broken off: ${String(error)}`);
    await run.breakOff();
    return [`broken off: ${reasonOf(error)}\n${await cluster.described()}`];
  }
}

async function cleanedUp(): Promise<void> {
  say('removing the namespace');
  await release.uninstall().catch(() => undefined);
  await cluster.remove();
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function say(line: string): void {
  process.stdout.write(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}\n`);
}
