import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { eventually } from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { startComposed, type ComposedService } from './system/composed-service.ts';
import { newInstallation } from './system/installation.ts';
import { RECIPES } from './system/recipes.ts';
import { ServiceProcess } from './system/service-process.ts';

const CLOSED_PORT = 'smtp://127.0.0.1:9';
/** How long the gateway waits for a silent service here. */
const UPSTREAM_TIMEOUT_MS = '5000';
const SCHEDULES = '/v2/schedules';
const OF_OTHERS = ['/v2/users', '/v2/integrations', '/v2/alerts'];

let api: Api;
let services: readonly ComposedService[] = [];
/** The victim, the only service with a process of its own. */
let scheduling: ServiceProcess;

beforeAll(async () => {
  const installation = await newInstallation(CLOSED_PORT, 'fatal');
  scheduling = new ServiceProcess('scheduling', installation.environmentOf('scheduling'));
  const others = RECIPES.filter(({ name }) => name !== 'scheduling');
  const start = (recipe: (typeof RECIPES)[number]) => {
    const environment = { ...installation.environmentOf(recipe.name), UPSTREAM_TIMEOUT_MS };
    return startComposed(recipe, environment, systemClock, () => undefined);
  };
  [services] = await Promise.all([Promise.all(others.map(start)), scheduling.start()]);
  api = new Api(installation.gatewayUrl);
});

afterAll(async () => {
  await scheduling.stop();
  await Promise.all(services.map((service) => service.stop()));
});

const statusesOf = (paths: readonly string[]): Promise<readonly number[]> =>
  Promise.all(paths.map(async (path) => (await api.request('GET', path)).status));

const SIX = Array.from({ length: 6 }, () => SCHEDULES);

describe.each([
  [
    'stands still',
    () => {
      scheduling.freeze();
    },
    () => {
      scheduling.thaw();
    },
    504,
  ],
  ['is killed', () => scheduling.kill(), () => scheduling.start(), 503],
] as const)('a service that %s', (_, fell, rises, atFirst) => {
  it('delays only its first few callers, no caller of another service, and works when it is back', async () => {
    expect(await statusesOf([SCHEDULES, ...OF_OTHERS])).toEqual([200, 200, 200, 200]);
    await fell();
    expect(await statusesOf(SIX)).toContain(atFirst);
    // Of a service that stands still, 503 instead of 504 says that no caller waited for it.
    await eventually(async () => {
      expect(await statusesOf(SIX)).toContain(503);
    });
    expect(await statusesOf(OF_OTHERS)).toEqual([200, 200, 200]);
    await rises();
    await eventually(async () => {
      expect(await statusesOf(SIX)).toEqual(SIX.map(() => 200));
    });
  });
});
