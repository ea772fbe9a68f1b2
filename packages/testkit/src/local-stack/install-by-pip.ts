import fs from 'node:fs/promises';
import path from 'node:path';
import { lastLine, MissingPartError, output, tried } from './downloads.ts';

/**
 * Installs exactly the packages of the lines `requirements` into `folder`, apart from every other Python package of the machine, and
 * without building any. Where the lines have hashes, all must, and pip takes no other bytes.
 *
 * @throws MissingPartError when Python 3 or its pip is missing, or pip cannot fetch `name`.
 */
export async function installByPip(folder: string, name: string, requirements: string): Promise<void> {
  if ((await tried('python3', ['-m', 'pip', '--version'])) === undefined)
    throw new MissingPartError('Python 3 or its pip is missing. Install the package python3-pip.');
  const list = path.join(folder, 'requirements.txt');
  await fs.writeFile(list, requirements);
  const exactly = ['--no-deps', '--only-binary', ':all:', '--target', folder, '-r', list];
  await output('python3', ['-m', 'pip', 'install', '-q', ...exactly]).catch((error: unknown) => {
    throw new MissingPartError(`pip could not fetch ${name}: ${lastLine(error)}. Check the network.`);
  });
}
