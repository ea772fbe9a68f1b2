import fs from 'node:fs/promises';
import path from 'node:path';
import { lastLine, MissingPartError, output, requireDigest, tried } from './downloads.ts';

/** A package of Debian 12 for amd64, with exactly the tested bytes. */
export interface DebianPackage {
  readonly name: string;
  /** SHA-256 of the package. */
  readonly digest: string;
  /** The wanted part, in the words of errors. */
  readonly what: string;
  /** The alternative to the package, in the words of errors. */
  readonly instead: string;
}

/**
 * Resolves when the package is unpacked in `folder`. Nothing is installed, so no rights are needed and no daemon starts.
 *
 * @throws MissingPartError when apt is missing, cannot fetch it, or fetches another package than the tested one.
 */
export async function unpackDebian(folder: string, wanted: DebianPackage): Promise<void> {
  await requireApt(wanted);
  await download(folder, wanted);
  const archive = path.join(folder, (await fs.readdir(folder)).find((name) => name.endsWith('.deb')) ?? wanted.name);
  await requireDigest(archive, wanted.digest).catch((error: unknown) => {
    throw new MissingPartError(`${lastLine(error)} Use Debian 12 on amd64, ${wanted.instead}.`);
  });
  await output('dpkg-deb', ['-x', archive, folder]);
  await fs.rm(archive);
}

async function requireApt({ what, instead }: DebianPackage): Promise<void> {
  for (const command of ['apt-get', 'dpkg-deb'])
    if ((await tried(command, ['--version'])) === undefined)
      throw new MissingPartError(
        `${command} is missing, and ${what} comes through it. Use a machine with Debian packages, ${instead}.`,
      );
}

async function download(folder: string, { name, instead }: DebianPackage): Promise<void> {
  const fetch = (...options: readonly string[]): Promise<string> =>
    output('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', ...options, 'download', name], folder);
  const refuse = (error: unknown): never => {
    throw new MissingPartError(`apt could not fetch ${name}: ${lastLine(error)}. Check the network, ${instead}.`);
  };
  await fetch().catch(async () => {
    // A machine that was never updated has no lists of packages, and only root may write into their folder.
    const lists = path.join(folder, 'lists');
    const own = ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${path.join(folder, 'cache')}`];
    await fs.mkdir(lists);
    await output('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', ...own, 'update']).catch(refuse);
    await fetch(...own).catch(refuse);
    await fs.rm(lists, { recursive: true });
  });
}
