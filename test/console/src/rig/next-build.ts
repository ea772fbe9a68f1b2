import { mkdtemp, readdir, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** The build of this repository. */
export const BUILD = path.resolve(import.meta.dirname, '../../../../packages/console/dist');

/** `name-hash.js`. */
const ASSET = /^(.*)-[\w-]{8}(\.\w+)$/;

/**
 * Makes a build as the next release would: the same files, with other names of assets. Returns its folder.
 */
export async function nextBuild(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tocsin-next-console-'));
  await mkdir(path.join(folder, 'assets'));
  const assets = await readdir(path.join(BUILD, 'assets'));
  const plain = assets.filter((name) => ASSET.test(name) && !/\.(?:br|gz)$/.test(name));
  // Two files can have one name but for the hash.
  const renamed = plain.map((name, index) => {
    const hash = `next${String(index).padStart(4, '0')}`;
    return [name, name.replace(ASSET, `$1-${hash}$2`)] as const;
  });
  const withNewNames = async (name: string): Promise<string> =>
    renamed.reduce(
      (text, [before, after]) => text.replaceAll(before, after),
      await readFile(path.join(BUILD, name), 'utf8'),
    );
  for (const [before, after] of renamed)
    await writeFile(path.join(folder, 'assets', after), await withNewNames(`assets/${before}`));
  await writeFile(path.join(folder, 'index.html'), await withNewNames('index.html'));
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
