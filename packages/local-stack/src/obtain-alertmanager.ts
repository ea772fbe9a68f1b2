import fs from 'node:fs/promises';
import path from 'node:path';
import { filledOnce, lastLine, MissingPartError, output, tried, type Say } from './downloads.ts';

const PACKAGE = 'prometheus-alertmanager';
const INSTEAD = 'or put an alertmanager on the PATH';

/** Where the binary of the package looks for its templates, and the same place seen from where it was unpacked. */
const INSTALLED = '/usr/share/prometheus/alertmanager';
const UNPACKED = 'usr//share/prometheus/alertmanager';

/** A program, and the folder in which it has to be started. */
export interface Program {
  readonly command: string;
  readonly cwd: string;
}

/**
 * Gives a Prometheus Alertmanager that runs here: one of the PATH, else the one of the distribution, which is unpacked once
 * and kept in `dir`. Nothing is installed, so no rights are needed and no daemon starts.
 *
 * @throws MissingPartError when there is none and apt is missing, cannot fetch it, or fetches one that does not run here.
 */
export async function obtainAlertmanager(dir: string, say: Say): Promise<Program> {
  for (const command of ['alertmanager', PACKAGE])
    if ((await tried(command, ['--version'])) !== undefined) return { command, cwd: process.cwd() };
  const target = path.join(dir, 'alertmanager');
  await filledOnce(target, async (folder) => {
    await requireApt();
    say('Alertmanager: downloading the package of this distribution (11 MB)');
    await download(folder);
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

async function requireApt(): Promise<void> {
  for (const command of ['apt-get', 'dpkg-deb'])
    if ((await tried(command, ['--version'])) === undefined)
      throw new MissingPartError(
        `${command} is missing, and Alertmanager comes through it. Use a machine with Debian packages, ${INSTEAD}.`,
      );
}

async function download(folder: string): Promise<void> {
  const fetch = (...options: readonly string[]): Promise<string> =>
    output('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', ...options, 'download', PACKAGE], folder);
  await fetch().catch(async () => {
    // A machine that was never updated has no lists of packages, and only root may write where they belong.
    const lists = path.join(folder, 'lists');
    const own = ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${path.join(folder, 'cache')}`];
    await fs.mkdir(lists);
    await output('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', ...own, 'update']).catch(refuse);
    await fetch(...own).catch(refuse);
    await fs.rm(lists, { recursive: true });
  });
  const archive = (await fs.readdir(folder)).find((name) => name.endsWith('.deb')) ?? '';
  await output('dpkg-deb', ['-x', path.join(folder, archive), folder]);
  await fs.rm(path.join(folder, archive));
}

function refuse(error: unknown): never {
  throw new MissingPartError(`apt could not fetch ${PACKAGE}: ${lastLine(error)}. Check the network, ${INSTEAD}.`);
}
