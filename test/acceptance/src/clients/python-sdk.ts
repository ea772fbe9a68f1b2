import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { obtainOpsgenieSdk, downloads } from '@tocsin/testkit';
import { API_KEY } from '../system/api.ts';

const SCRIPT = fileURLToPath(new URL('python_sdk.py', import.meta.url));

/** Downloads the Python SDK where it is missing; resolves with the folder of its packages. */
export const obtainPythonSdk = (): Promise<string> =>
  obtainOpsgenieSdk(downloads(), (line) => process.stderr.write(`${line}\n`));

/** Runs a case of `python_sdk.py`, which gets a name of its own; resolves with what it found. */
export async function runPythonSdk(
  [sdkCase, name]: readonly [sdkCase: string, name: string],
  {
    packages,
    url,
    ...variables
  }: { readonly packages: string; readonly url: string; readonly [variable: string]: string },
): Promise<unknown> {
  const env = {
    PATH: process.env['PATH'],
    PYTHONPATH: packages,
    PYTHONNOUSERSITE: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    TOCSIN_URL: url,
    TOCSIN_KEY: API_KEY,
    ...variables,
  };
  const { stdout } = await promisify(execFile)('python3', [SCRIPT, sdkCase, name], { env });
  return JSON.parse(stdout);
}
