import { expect, it } from '@jest/globals';
import { useSystem } from '../system/system.ts';
import { obtainPythonSdk, runPythonSdk } from './python-sdk.ts';

const system = useSystem({ RATE_LIMITS: 'alert=1/1' });

it('the Python SDK, as it is by default, creates every alert although its key is over its rate (F6)', async () => {
  const alias = system.scenario().name('throttled');
  const found = await runPythonSdk(['throttled', alias], { packages: await obtainPythonSdk(), url: system.api.url });
  expect(found).toEqual({ accepted: 4, came_again: true });
  await system.settle();
  const { data } = (await system.api.expect(200, 'GET', '/v2/alerts')).body;
  expect((data as { alias: string }[]).map((alert) => alert.alias).sort()).toEqual(
    [0, 1, 2, 3].map((number) => `${alias} ${String(number)}`),
  );
});
