import fs from 'node:fs';
import { CliError, EXIT } from '../cli-error.ts';
import { isOpenOnTheWay, keyText, webAddress } from '../connection.ts';
import type { Profile } from '../profiles.ts';

/** The bits of the mode of a file that give rights to users other than its owner. */
const OTHERS = 0o077;
/** No key is longer. */
const MAX_KEY_BYTES = 4_096;

/** The address of an account and the key that reads it. @throws CliError (usage) for an address that a key must not be sent to, and for a file that holds no key or that others can read. */
export function accountAt(from: string, keyFile: string): Profile {
  const url = webAddress(from);
  if (isOpenOnTheWay(url))
    throw new CliError(EXIT.usage, `The key would be sent to ${url} unencrypted. Use https.`, [
      'http is allowed on this machine alone, as http://127.0.0.1:8080.',
    ]);
  return { url, key: keyText(privateContentOf(keyFile, MAX_KEY_BYTES)) };
}

/** The text of a file with keys. @throws CliError (usage) where it is empty, too large, or where others can read it. */
export function privateContentOf(file: string, maxBytes: number): string {
  let opened: number;
  try {
    opened = fs.openSync(file, 'r');
  } catch (error) {
    throw new CliError(EXIT.usage, `Cannot read the key in ${file}: ${String(error)}`);
  }
  try {
    const found = fs.fstatSync(opened);
    if (found.isDirectory()) throw new CliError(EXIT.usage, `${file} is a folder, not a file with a key.`);
    const { mode, size } = found;
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      throw new CliError(EXIT.usage, `Others can read the key in ${file} (mode ${(mode & 0o777).toString(8)}).`, [
        `Make it yours alone: chmod 600 '${file}'`,
      ]);
    if (size > maxBytes) throw new CliError(EXIT.usage, `${file} holds no key: it has ${size} bytes.`);
    const content = fs.readFileSync(opened, 'utf8');
    if (content.trim() === '') throw new CliError(EXIT.usage, `${file} is empty: it has no key.`);
    return content;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(EXIT.usage, `Cannot read the key in ${file}: ${String(error)}`);
  } finally {
    fs.closeSync(opened);
  }
}
