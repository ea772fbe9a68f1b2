import path from 'node:path';
import { filledOnce, MissingPartError, tried, type Say } from './downloads.ts';
import { unpackDebian } from './unpack-debian.ts';

const INSTEAD = 'or put a promtool on the PATH';
const PACKAGE = {
  name: 'prometheus',
  /** Of 2.42.0+ds-5+deb12u1. */
  digest: '81d59a24fce84f7fbe97a45a4f2914b6a5881b5cd1db2a6a0e129e515e1a5f55',
  what: 'promtool',
  instead: INSTEAD,
} as const;

/**
 * Gives promtool, which checks and tests the rules of Prometheus: that of the PATH, otherwise that of the distribution, which is
 * unpacked once and kept in `dir`.
 *
 * @throws MissingPartError as `obtainAlertmanager` does.
 */
export async function obtainPromtool(dir: string, say: Say): Promise<string> {
  if ((await tried('promtool', ['--version'])) !== undefined) return 'promtool';
  const target = await filledOnce(path.join(dir, 'prometheus'), async (folder) => {
    say('promtool: downloading the package of this distribution (19 MB)');
    await unpackDebian(folder, PACKAGE);
  });
  const command = path.join(target, 'usr', 'bin', 'promtool');
  if ((await tried(command, ['--version'])) !== undefined) return command;
  throw new MissingPartError(`${command} does not run on this machine. Remove ${target} and try again, ${INSTEAD}.`);
}
