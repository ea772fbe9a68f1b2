/** `npm test -- e2e [pattern]`: the tests of the images, on a Docker engine. Whatever becomes of them, it removes what they started. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICES } from '@tocsin/events';
import { eventually } from '@tocsin/testkit';
import { getContainerRuntimeClient } from 'testcontainers';
import { imagesOf } from './stack/images.ts';
import { PART_LABEL, RUN_LABEL } from './stack/planned-container.ts';
import { logOf } from './stack/part.ts';

type Runtime = Awaited<ReturnType<typeof getContainerRuntimeClient>>;

const WORKSPACE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = path.join(WORKSPACE, '..', '..');
const REPORTS = path.join(WORKSPACE, 'reports');
const REPORT = path.join(REPORTS, 'e2e.json');

const REMOVED_WITHIN_MS = 60_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const)
  process.on(signal, () => {
    ending.abort();
  });

try {
  fs.mkdirSync(REPORTS, { recursive: true });
  for (const name of fs.readdirSync(REPORTS).filter((each) => each === 'e2e.json' || each.endsWith('.log')))
    fs.rmSync(path.join(REPORTS, name));
  const runtime = await engine();
  await requireImages(runtime);
  process.exitCode = (await runTests(runtime)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
// Where nothing was run, that is one failure, not none.
if (process.exitCode !== 0 && !fs.existsSync(REPORT))
  fs.writeFileSync(REPORT, `${JSON.stringify({ kind: 'e2e', passed: 0, failed: 1 })}\n`);
process.exit();

async function engine(): Promise<Runtime> {
  try {
    return await getContainerRuntimeClient();
  } catch (error) {
    throw new Error('No Docker engine answers: start one, or name one by DOCKER_HOST.', { cause: error });
  }
}

/** A registry that is not named cannot have the images of the services. */
async function requireImages({ container }: Runtime): Promise<void> {
  const names = SERVICES.map((service) => imagesOf(process.env).of(service)).filter((name) => !name.includes('/'));
  const there = (await container.dockerode.listImages()).flatMap(({ RepoTags: tags }) => tags ?? []);
  const missing = names.filter((name) => !there.includes(name));
  if (missing.length > 0)
    throw new Error(
      `The engine has no image ${missing.join(', ')}: build them first, or name others by E2E_IMAGE_PREFIX and E2E_IMAGE_TAG.`,
    );
}

/** Resolves with whether every test passed, once nothing of the run is left. */
async function runTests(runtime: Runtime): Promise<boolean> {
  const run = `tocsin-e2e-${randomUUID().slice(0, 8)}`;
  let passed = false;
  try {
    passed = await jest(run, process.argv.slice(2));
  } finally {
    await remove(runtime, run, { keepLogs: !passed });
  }
  return passed;
}

async function jest(run: string, args: readonly string[]): Promise<boolean> {
  const script = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, script, ...args, '--selectProjects', 'e2e'], {
    cwd: WORKSPACE,
    env: { ...process.env, E2E_RUN: run },
    stdio: ['ignore', 'inherit', 'inherit'],
    signal: ending.signal,
    killSignal: 'SIGTERM',
  });
  child.on('error', () => undefined);
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}

/** Removes containers, their data and the network of a run; `keepLogs`: what each container said stays in `reports/`. */
async function remove({ container }: Runtime, run: string, { keepLogs }: { keepLogs: boolean }): Promise<void> {
  const { dockerode } = container;
  const filters = { label: [`${RUN_LABEL}=${run}`] };
  const left = await dockerode.listContainers({ all: true, filters });
  if (keepLogs && left.length > 0) say(`What the containers said is in ${path.relative(process.cwd(), REPORTS)}/*.log`);
  for (const { Id: id, Labels: labels } of left) {
    if (!keepLogs) break;
    const log = await logOf(dockerode.getContainer(id));
    fs.writeFileSync(path.join(REPORTS, `${labels[PART_LABEL] ?? id}.log`), log);
  }
  // An engine under load gives up on a removal that succeeds when it is asked again.
  await eventually(
    async () => {
      const containers = await dockerode.listContainers({ all: true, filters });
      await Promise.all(containers.map(({ Id: id }) => dockerode.getContainer(id).remove({ force: true, v: true })));
      const networks = await dockerode.listNetworks({ filters: { name: [run] } });
      await Promise.all(networks.map(({ Id: id }) => dockerode.getNetwork(id).remove()));
    },
    { timeoutMs: REMOVED_WITHIN_MS, everyMs: 1_000 },
  );
}
