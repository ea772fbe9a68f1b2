import { describe, expect, it } from '@jest/globals';
import { byAlias } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem();

describe('creates of one alias', () => {
  it('sent twice are one alert with count 2 and one page', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    const create = { message: 'Disk full', alias: 'twice', responders: [scenario.user('ada')] };
    await scenario.alert(create);
    await scenario.alert(create);
    await system.mailed(scenario.address('ada'), 'Disk full');
    await system.pass(30);
    expect(await scenario.alertOf('twice')).toMatchObject({ count: 2, message: 'Disk full' });
  });

  it('sent 50 at once are one alert with count 50 and one page', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    const create = { message: 'Storm', alias: 'fifty', responders: [scenario.user('ada')] };
    const requests = await Promise.all(Array.from({ length: 50 }, () => scenario.alert(create)));
    await system.mailed(scenario.address('ada'), 'Storm');
    expect(await scenario.alertOf('fifty')).toMatchObject({ count: 50 });
    const statuses = await Promise.all(
      requests.map((id) => system.api.read<{ success: boolean; alertId: string }>(`/v2/alerts/requests/${id}`)),
    );
    expect(statuses.every(({ success }) => success)).toBe(true);
    expect(new Set(statuses.map(({ alertId }) => alertId)).size).toBe(1);
  });

  it('after a close make a new alert', async () => {
    const scenario = system.scenario();
    await scenario.alert({ message: 'First', alias: 'again' });
    await scenario.act('again', 'close');
    await scenario.alert({ message: 'Second', alias: 'again' });
    await system.settle();
    expect(await scenario.alertOf('again')).toMatchObject({ message: 'Second', count: 1, status: 'open' });
  });
});

describe('an alert that was accepted with an alias', () => {
  it('is there for a read by that alias right after its 202, 50 times in a row', async () => {
    const scenario = system.scenario();
    for (let read = 0; read < 50; read += 1) {
      const alias = scenario.name(`read-at-once-${read}`);
      await system.api.expect(202, 'POST', '/v2/alerts', { message: 'Disk full', alias });
      expect(await system.api.read(byAlias(alias))).toMatchObject({ alias, count: 1 });
    }
  });
});

describe('create, note and close by alias, each sent after the 202 before it', () => {
  it('settle in that order', async () => {
    const scenario = system.scenario();
    const sent: string[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const alias = `ordered-${turn}`;
      sent.push(await scenario.alert({ message: alias, alias }));
      sent.push(await scenario.act(alias, 'notes', { note: `note of ${alias}` }));
      sent.push(await scenario.act(alias, 'close'));
    }
    await system.settle();
    const statuses = await Promise.all(
      sent.map((id) => system.api.read<{ success: boolean; status: string }>(`/v2/alerts/requests/${id}`)),
    );
    expect(statuses.map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, () => ['Created alert', 'Added note', 'Closed alert']).flat(),
    );
  });
});

describe('a write to an alert that does not exist', () => {
  it('is accepted and settles as failed, naming it (A7)', async () => {
    const scenario = system.scenario();
    const requestId = await scenario.act('never-created', 'acknowledge');
    const status = await system.api.read(`/v2/alerts/requests/${requestId}`);
    expect(status).toMatchObject({ success: false, status: 'Alert does not exist', alertId: '', alias: '' });
  });
});

describe('a status', () => {
  it('can be read right after the 202, and never for a request that was not made (A8)', async () => {
    const scenario = system.scenario();
    const requestId = await scenario.alert({ message: 'Read at once' });
    const status = await system.api.read(`/v2/alerts/requests/${requestId}`);
    expect(status).toMatchObject({ success: true, isSuccess: true, action: 'Create', status: 'Created alert' });
    const foreign = await system.api.request('GET', '/v2/alerts/requests/5f1d0a52-6d2b-4e0f-9d3f-2f6f3c1f5a11');
    expect(foreign.status).toBe(404);
    expect(foreign.headers.get('x-opsgenie-errortype')).toBeNull();
  });
});
