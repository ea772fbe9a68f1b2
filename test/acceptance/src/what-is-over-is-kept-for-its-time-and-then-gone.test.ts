import { describe, expect, it } from '@jest/globals';
import { useSystem } from './system/system.ts';

const system = useSystem({ ALERT_RETENTION_DAYS: '365', REQUEST_STATUS_RETENTION_DAYS: '7' });

const DAY = 24 * 60;
const HOUR = 60;

const statusOf = async (path: string) => (await system.api.request('GET', path)).status;

describe('an alert that was closed a year ago', () => {
  it('is gone with its notes, its log and its recipients; one that is open stays, and so does one closed later', async () => {
    const scenario = system.scenario();
    const [old, later, open] = ['old', 'later', 'open'].map((of) => scenario.name(of)) as [string, string, string];
    await scenario.users('ada');
    for (const alias of [old, later, open])
      await scenario.alert({ message: `Disk ${alias}`, alias, responders: [scenario.user('ada')], note: 'first' });
    for (const alias of [old, later, open]) await system.mailed(scenario.address('ada'), `Disk ${alias}`);
    const ids = new Map<string, string>();
    for (const alias of [old, later, open]) ids.set(alias, (await scenario.alertOf<{ id: string }>(alias)).id);
    const path = (alias: string, part = '') => `/v2/alerts/${ids.get(alias) ?? ''}${part}`;
    const parts = ['', '/notes', '/logs', '/recipients'];

    await scenario.act(old, 'close');
    await system.pass(2 * HOUR);
    await scenario.act(later, 'close');
    await system.pass(365 * DAY - 2 * HOUR - 1);
    for (const part of parts) expect([part, await statusOf(path(old, part))]).toEqual([part, 200]);
    expect(await system.api.read<unknown[]>(path(old, '/recipients'))).toHaveLength(1);

    await system.pass(HOUR);
    for (const part of parts) expect([part, await statusOf(path(old, part))]).toEqual([part, 404]);
    for (const alias of [later, open])
      for (const part of parts) expect([part, await statusOf(path(alias, part))]).toEqual([part, 200]);

    await system.pass(2 * HOUR);
    expect(await statusOf(path(later))).toBe(404);
    expect(await system.api.read(path(open))).toMatchObject({ status: 'open' });
    expect(await system.api.read<unknown[]>(path(open, '/notes'))).toHaveLength(1);
  });
});

describe('the status of a request', () => {
  it('can be read for a week, and is then unknown', async () => {
    const requestId = await system.scenario().alert({ message: 'Disk full' });
    const path = `/v2/alerts/requests/${requestId}`;
    await system.pass(7 * DAY - 1);
    expect(await system.api.read(path)).toMatchObject({ success: true });
    await system.pass(2);
    const answer = await system.api.request('GET', path);
    expect([answer.status, answer.headers.get('x-opsgenie-errortype')]).toEqual([404, null]);
    expect(answer.body['message']).toBe('Request not found.');
  });
});
