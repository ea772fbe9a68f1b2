import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { obtainPromtool, downloads } from '@tocsin/testkit';

/**
 * The output of promtool.
 *
 * @throws Error with the alerts that differ, when a test of rules fails.
 */
export async function promtool(...args: readonly string[]): Promise<string> {
  const program = await obtainPromtool(downloads(), (line) => process.stderr.write(`${line}\n`));
  const { stdout } = await promisify(execFile)(program, [...args]);
  return stdout;
}
