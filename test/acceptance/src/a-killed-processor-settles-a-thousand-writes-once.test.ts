import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, Scenario } from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { mapConcurrent } from './system/map-concurrent.ts';
import { newInstallation } from './system/installation.ts';
import { ServiceProcess } from './system/service-process.ts';

const ALIASES = 200;
const LANES = 20;
/** When so many aliases are written, the processor is killed and started again. */
const KILLED_AFTER = [20, 80, 140];
/** How the writes of one alias end. */
const SETTLED = ['Created alert', 'Created alert', 'Added note', 'Updated message', 'Closed alert'];

const services: ServiceProcess[] = [];
let api: Api;
let scenario: Scenario;
let processor: ServiceProcess;

beforeAll(async () => {
  const installation = await newInstallation('smtp://127.0.0.1:1', 'fatal');
  const serviceOf = (name: ConstructorParameters<typeof ServiceProcess>[0]): ServiceProcess => {
    // All that is sent here comes from one key.
    const service = new ServiceProcess(name, { ...installation.environmentOf(name), RATE_LIMITS: 'off' });
    services.push(service);
    return service;
  };
  processor = serviceOf('alert-processor');
  for (const name of ['alert-ingest', 'gateway'] as const) serviceOf(name);
  await Promise.all(services.map((service) => service.start()));
  api = new Api(installation.gatewayUrl);
  scenario = new Scenario(api, 'killed.example.com', new Date());
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
});

async function writes(alias: string): Promise<readonly string[]> {
  return [
    await scenario.alert({ alias, message: 'first' }),
    await scenario.alert({ alias, message: 'again' }),
    await scenario.act(alias, 'notes', { note: `note of ${alias}` }),
    await scenario.act(alias, 'message', { message: `message of ${alias}` }, 'PUT'),
    await scenario.act(alias, 'close'),
  ];
}

interface Status {
  readonly success: boolean;
  readonly status: string;
  readonly alertId: string;
}

/** Of a request that may have to wait until the processor is back. */
const statusOf = (requestId: string) =>
  eventually(() => api.read<Status>(`/v2/alerts/requests/${requestId}`), { everyMs: 200 });

describe('alert-processor, killed with -9 three times while it settles', () => {
  it('settles a thousand writes once and in order', async () => {
    const aliases = Array.from({ length: ALIASES }, (_, index) => `killed-${String(index)}`);
    const restarts: Promise<void>[] = [];
    let written = 0;
    const sent = await mapConcurrent(LANES, aliases, async (alias) => {
      const requestIds = await writes(alias);
      written += 1;
      if (KILLED_AFTER.includes(written))
        restarts.push(
          (restarts.at(-1) ?? Promise.resolve()).then(() => processor.kill()).then(() => processor.start()),
        );
      return requestIds;
    });
    await Promise.all(restarts);
    expect(restarts).toHaveLength(KILLED_AFTER.length);

    const statuses = await mapConcurrent(LANES, sent.flat(), statusOf);
    expect(statuses.map(({ status }) => status)).toEqual(aliases.flatMap(() => SETTLED));
    const alertIds = statuses.filter((_, index) => index % SETTLED.length === 0).map(({ alertId }) => alertId);
    expect(new Set(alertIds).size).toBe(ALIASES);
    const found = await mapConcurrent(LANES, alertIds, async (alertId) => {
      const alert = await api.read<Record<string, unknown>>(`/v2/alerts/${alertId}`);
      const notes = await api.read<readonly { note: string }[]>(`/v2/alerts/${alertId}/notes`);
      const logs = await api.read<readonly unknown[]>(`/v2/alerts/${alertId}/logs`);
      const { alias, status, message, count } = alert;
      return { alias, status, message, count, notes: notes.map(({ note }) => note), logs: logs.length };
    });
    expect(found).toEqual(
      aliases.map((alias) => ({
        alias,
        status: 'closed',
        message: `message of ${alias}`,
        count: 2,
        notes: [`note of ${alias}`],
        logs: found[0]?.logs,
      })),
    );
  });
});
