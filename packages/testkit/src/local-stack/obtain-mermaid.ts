import path from 'node:path';
import { filledOnce, lastLine, MissingPartError, output, type Say } from './downloads.ts';

const RELEASE = '11.17.2';

/**
 * Gives the folder with the modules of mermaid, which draws the diagrams of the documents for readers. npm installs it once, apart from
 * the packages of the repository, because it takes 154 MB and only one test needs it.
 *
 * @throws MissingPartError when npm cannot fetch it.
 */
export async function obtainMermaid(dir: string, say: Say): Promise<string> {
  return filledOnce(path.join(dir, `mermaid-${RELEASE}`), async (target) => {
    say(`mermaid ${RELEASE}: downloading it (154 MB on disk)`);
    const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
    await output('npm', ['install', ...quietly, '--prefix', target, `mermaid@${RELEASE}`]).catch((error: unknown) => {
      throw new MissingPartError(`npm could not fetch mermaid: ${lastLine(error)}. Check the network.`);
    });
  });
}
