import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Api } from './system/api.ts';
import { useSystem } from './system/system.ts';

const system = useSystem();
let scenario: Scenario;

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
});

interface Probe {
  readonly id: string;
  readonly api: Api;
}

async function integration(name: string): Promise<Probe> {
  const body = { type: 'API', name: scenario.name(name) };
  const { id, apiKey } = await system.api.create<{ readonly id: string; readonly apiKey: string }>(
    '/v2/integrations',
    body,
  );
  await system.settle();
  return { id, api: system.api.as(apiKey) };
}

/** Resolves with what became of it. */
async function send({ api }: { readonly api: Api }, message: string, path = '', body: object = {}) {
  const { body: accepted } = await api.expect(202, 'POST', `/v2/alerts${path}`, body);
  await system.settle();
  return system.api.read<Readonly<Record<string, unknown>>>(`/v2/alerts/requests/${String(accepted['requestId'])}`);
}
const open = (probe: { readonly api: Api }, message: string) =>
  send(probe, message, '', { message, alias: scenario.name(message), responders: [scenario.user('ada')] });
const pages = async (probe: { readonly api: Api }, message: string) => {
  expect(await open(probe, message)).toMatchObject({ success: true, status: 'Created alert' });
  await system.mailed(scenario.address('ada'), message);
};
/** A mail about it would fail its test. */
const isDropped = async (probe: { readonly api: Api }, message: string) => {
  const settled = await open(probe, message);
  expect(settled).toMatchObject({ success: true, alertId: '' });
  return String(settled['status']);
};

const inMinutes = (minutes: number) => new Date(system.clock.now().getTime() + minutes * 60_000).toISOString();
const A_MILLISECOND = 1 / 60_000;

describe('a window over an integration', () => {
  it('drops its creates from its first instant to before its last, those of its neighbour never, and lets closes pass', async () => {
    const [probe, neighbour] = [await integration('Probe'), await integration('Neighbour')];
    const { id } = await system.api.create('/v1/maintenance', {
      description: scenario.name('New disks'),
      time: { type: 'schedule', startDate: inMinutes(60), endDate: inMinutes(120) },
      rules: [{ entity: { type: 'integration', id: probe.id } }],
    });
    const status = () => system.api.read(`/v1/maintenance/${id}`);
    await system.pass(60 - A_MILLISECOND);
    expect(await status()).toMatchObject({ status: 'planned' });
    await pages(probe, 'just before');
    await system.pass(A_MILLISECOND);
    expect(await status()).toMatchObject({ status: 'active' });
    expect(await isDropped(probe, 'at its start')).toContain(scenario.name('New disks'));
    await pages(neighbour, 'of the neighbour');
    const close = `/${encodeURIComponent(scenario.name('just before'))}/close?identifierType=alias`;
    expect(await send(probe, 'close', close)).toMatchObject({ success: true, status: 'Closed alert' });
    await system.pass(60 - A_MILLISECOND);
    await isDropped(probe, 'just before its end');
    await system.pass(A_MILLISECOND);
    expect(await status()).toMatchObject({ status: 'past' });
    await pages(probe, 'at its end');
  });

  it('ends at once where it is cancelled or deleted, and begins at once where it lasts for a while', async () => {
    const probe = await integration('Probe');
    const rules = [{ entity: { type: 'integration', id: probe.id }, state: 'disabled' }];
    for (const [method, path] of [
      ['POST', '/cancel'],
      ['DELETE', ''],
    ] as const) {
      const { id } = await system.api.create('/v1/maintenance', { time: { type: 'for-5-minutes' }, rules });
      await isDropped(probe, `before ${method}`);
      await system.pass(1);
      await system.api.expect(200, method, `/v1/maintenance/${id}${path}`);
      await pages(probe, `after ${method}`);
    }
    await system.api.create('/v1/maintenance', { time: { type: 'for-5-minutes' }, rules });
    await system.pass(5 - A_MILLISECOND);
    await isDropped(probe, 'after nearly five minutes');
    await system.pass(A_MILLISECOND);
    await pages(probe, 'after five minutes');
    expect(await system.api.read('/v1/maintenance?type=non-expired')).toEqual([]);
  });
});

describe('a window over a policy', () => {
  it.each([
    ['enabled', false],
    ['disabled', true],
  ] as const)('has it %s while it lasts, whatever its own flag, which stays', async (state, enabled) => {
    const { id } = await scenario.policy('Quiet', { suppress: true, enabled });
    const rules = [{ entity: { type: 'policy', id }, state }];
    const isPaged = async (message: string) => {
      const before = system.mailbox.mails.length;
      await open(system, message);
      if (system.mailbox.mails.length === before) return false;
      await system.mailed(scenario.address('ada'), message);
      return true;
    };
    const paged = [await isPaged('before')];
    await system.api.create('/v1/maintenance', { time: { type: 'for-1-hour' }, rules });
    paged.push(await isPaged('during'));
    expect(await system.api.read(`/v2/policies/${id}`)).toMatchObject({ enabled });
    await system.pass(60);
    paged.push(await isPaged('after'));
    expect(paged).toEqual([!enabled, enabled, !enabled]);
  });
});
