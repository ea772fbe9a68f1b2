import path from 'node:path';
import { filledOnce, type Say } from './downloads.ts';
import { unpackDebian } from './unpack-debian.ts';

const PACKAGE = 'libfaketime';
/** SHA-256 of the package that we tested: 0.9.10-2.1 of Debian 12 for amd64. */
const PACKAGE_DIGEST = 'b09481e7690680966005330c3f907bba4b5eefc35e1faaea4783cc55655d1150';
const INSTEAD = 'or leave out the tests of clocks';

/**
 * Gives the path of the library `libfaketime`, which changes the time for a program that preloads it. It is unpacked once and kept in
 * `dir`; nothing is installed.
 *
 * @throws MissingPartError when apt is missing, cannot fetch it, or fetches another package than the tested one.
 */
export async function obtainFaketime(dir: string, say: Say): Promise<string> {
  const target = path.join(dir, 'faketime');
  await filledOnce(target, async (folder) => {
    say('libfaketime: downloading the package of this distribution (47 kB)');
    await unpackDebian(folder, { name: PACKAGE, digest: PACKAGE_DIGEST, what: 'libfaketime', instead: INSTEAD });
  });
  return path.join(target, 'usr', 'lib', 'x86_64-linux-gnu', 'faketime', 'libfaketime.so.1');
}
