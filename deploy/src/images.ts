/** `npm run images`: builds the images of the services; docs/how-to/build-images.md. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DataFolder } from './data-folder.ts';
import { Docker } from './images/docker.ts';
import { imageOrder, type ImageOrder } from './images/image-order.ts';
import { makeLocalBases } from './images/local-bases.ts';
import { runCommand } from './run-command.ts';
import type { ServiceName } from './service-plan.ts';
import { readSettings } from './settings.ts';
import { terminal } from './terminal.ts';
import { explained, TroubleError } from './trouble.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    ending.abort();
  });
}
const docker = new Docker(ending.signal);

try {
  const result = imageOrder(process.argv.slice(2), process.env);
  if ('problems' in result) throw new TroubleError(result.problems.join('\n'));
  await makeImages(result.order);
} catch (error) {
  terminal.complain(ending.signal.aborted ? 'Stopped.' : explained(error));
  process.exitCode = 1;
}

async function makeImages(order: ImageOrder): Promise<void> {
  await docker.requireEngine();
  if (order.localBases) await makeLocalBases({ docker, prefix: order.localPrefix, downloads: downloads(), say });
  await docker.requireImage(order.nodeImage);
  const buildImage = await imageToBuildIn(order);
  if (order.previousGateway !== undefined) await docker.requireImage(order.previousGateway);
  const previous = order.previousGateway === undefined ? [] : [`PREVIOUS_GATEWAY=${order.previousGateway}`];
  const labels = await labelArgs(order);
  for (const service of order.services) {
    const bases = [`NODE_IMAGE=${order.nodeImage}`, `BUILD_IMAGE=${buildImage}`, `SERVICE=${service}`];
    const [name, ...others] = namesOf(service, order);
    await timed(`Building ${name}`, () =>
      docker.build(name, ROOT, [
        '--file',
        path.join(ROOT, 'deploy', 'Dockerfile'),
        ...others.flatMap((other) => ['--tag', other]),
        ...[...bases, ...previous, ...labels].flatMap((arg) => ['--build-arg', arg]),
      ]),
    );
  }
  terminal.say();
  for (const service of order.services) {
    const names = namesOf(service, order);
    const megabytes = Math.round((await docker.sizeOf(names[0])) / 1e6);
    terminal.say(`${names.join(', ').padEnd(70)} ${megabytes} MB`);
  }
}

function say(line: string): void {
  terminal.say(line);
}

/** Where Kafka and MongoDB are kept once they were downloaded. */
function downloads(): string {
  const result = readSettings(process.env, [], ROOT);
  if ('problems' in result) throw new TroubleError(result.problems.join('\n'));
  return new DataFolder(result.settings.dataFolder).downloads;
}

function namesOf(service: ServiceName, { tags: [tag, ...others] }: ImageOrder): readonly [string, ...string[]] {
  const nameOf = (one: string) => `tocsin-${service}:${one}`;
  return [nameOf(tag), ...others.map(nameOf)];
}

/** The image that npm runs in: with a CA of the caller where there is one, which thereby is in no image of a service. */
async function imageToBuildIn({ caFile, nodeImage }: ImageOrder): Promise<string> {
  if (caFile === undefined) return nodeImage;
  if (!fs.existsSync(caFile))
    throw new TroubleError(`There is no file ${caFile} (BUILD_CA_FILE, NODE_EXTRA_CA_CERTS).`);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-build-'));
  try {
    fs.copyFileSync(caFile, path.join(folder, 'ca.crt'));
    fs.writeFileSync(
      path.join(folder, 'Dockerfile'),
      `FROM ${nodeImage}\nCOPY ca.crt /ca.crt\nENV NODE_EXTRA_CA_CERTS=/ca.crt\n`,
    );
    await timed(`Adding ${caFile} to what builds, and to nothing else`, () => docker.build('tocsin-build', folder));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
  return 'tocsin-build';
}

async function labelArgs({ source }: ImageOrder): Promise<readonly string[]> {
  const git = (...args: readonly string[]) => runCommand('git', args, { cwd: ROOT, env: process.env, output: 'keep' });
  const [revision, created] = await Promise.all([
    git('describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'),
    git('log', '-1', '--format=%cI'),
  ]);
  return [
    ...(revision.ok ? [`REVISION=${revision.output}`] : []),
    // The time of the commit, so that the same commit gives the same image.
    ...(created.ok ? [`CREATED=${created.output}`] : []),
    ...(source === undefined ? [] : [`SOURCE=${source}`]),
  ];
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  terminal.say(what);
  const beganAt = performance.now();
  await work();
  terminal.say(`  ${((performance.now() - beganAt) / 1_000).toFixed(1)} s`);
}
