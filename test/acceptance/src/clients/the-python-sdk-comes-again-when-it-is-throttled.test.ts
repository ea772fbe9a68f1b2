import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { obtainOpsgenieSdk } from '@tocsin/local-stack';
import { downloads } from '@tocsin/testing';
import { API_KEY } from '../system/api.ts';
import { useSystem } from '../system/system.ts';

const SCRIPT = fileURLToPath(new URL('python_sdk.py', import.meta.url));
const system = useSystem({ RATE_LIMITS: 'alert=1/1' });

it('the Python SDK, as it is by default, creates every alert although its key is over its rate (F1)', async () => {
  const packages = await obtainOpsgenieSdk(downloads(), (line) => process.stderr.write(`${line}\n`));
  const env = {
    PATH: process.env['PATH'],
    PYTHONPATH: packages,
    PYTHONNOUSERSITE: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    TOCSIN_URL: system.api.url,
    TOCSIN_KEY: API_KEY,
  };
  const alias = system.scenario().name('throttled');
  const { stdout } = await promisify(execFile)('python3', [SCRIPT, 'throttled', alias], { env });
  expect(JSON.parse(stdout)).toEqual({ accepted: 4, came_again: true });
  await system.settle();
  const { data } = (await system.api.expect(200, 'GET', '/v2/alerts')).body;
  expect((data as { alias: string }[]).map((alert) => alert.alias).sort()).toEqual(
    [0, 1, 2, 3].map((number) => `${alias} ${String(number)}`),
  );
}, 120_000);
