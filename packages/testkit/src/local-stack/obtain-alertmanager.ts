import fs from 'node:fs/promises';
import path from 'node:path';
import { filledOnce, MissingPartError, tried, type Say } from './downloads.ts';
import { unpackDebian } from './unpack-debian.ts';

const PACKAGE = 'prometheus-alertmanager';
/** SHA-256 of the package that we tested: 0.25.0-1+b4 of Debian 12 for amd64. */
const PACKAGE_DIGEST = '4fb9aed15cfe8e0c32408e643ab32a1e41ee87d2cc26f18aeba928b1b0b98ae7';
const INSTEAD = 'or put an alertmanager on the PATH';

/** Where the binary of the package looks for its templates, and the same place relative to the unpacked folder. */
const INSTALLED = '/usr/share/prometheus/alertmanager';
const UNPACKED = 'usr//share/prometheus/alertmanager';

/** A program, and the folder in which it has to be started. */
export interface Program {
  readonly command: string;
  readonly cwd: string;
}

/**
 * Gives a Prometheus Alertmanager that runs here: that of the PATH, otherwise that of the distribution, which is unpacked once and kept
 * in `dir`. Nothing is installed, so no rights are needed and no daemon starts.
 *
 * @throws MissingPartError when the PATH has none and apt is missing, cannot fetch it, or fetches a package that is not the tested one
 *   or does not run here.
 */
export async function obtainAlertmanager(dir: string, say: Say): Promise<Program> {
  for (const command of ['alertmanager', PACKAGE])
    if ((await tried(command, ['--version'])) !== undefined) return { command, cwd: process.cwd() };
  const target = path.join(dir, 'alertmanager');
  await filledOnce(target, async (folder) => {
    say('Alertmanager: downloading the package of this distribution (11 MB)');
    await unpackDebian(folder, { name: PACKAGE, digest: PACKAGE_DIGEST, what: 'Alertmanager', instead: INSTEAD });
    await relocate(binaryIn(folder));
  });
  const command = binaryIn(target);
  if ((await tried(command, ['--version'])) !== undefined) return { command, cwd: target };
  throw new MissingPartError(`${command} does not run on this machine. Remove ${target} and try again, ${INSTEAD}.`);
}

const binaryIn = (folder: string): string => path.join(folder, 'usr', 'bin', PACKAGE);

/** The paths are of one length, so that nothing else in the binary moves. */
async function relocate(binary: string): Promise<void> {
  const code = await fs.readFile(binary, 'latin1');
  await fs.writeFile(binary, code.replaceAll(INSTALLED, UNPACKED), 'latin1');
}
