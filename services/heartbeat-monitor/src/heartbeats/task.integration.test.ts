import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { ContendedError } from './heartbeat.ts';
import { teamKey, testApp, useApp, type TestApp } from '../testing/app-fixture.ts';
import { alertsAfter } from '../testing/open-alerts.ts';

const PATH = '/v2/heartbeats';
const BACKUP = `${PATH}/backup`;
const body = { name: 'backup', interval: 10, intervalUnit: 'minutes', enabled: true, ownerTeam: { id: 'ops' } };

const openApp = useApp();
let app: TestApp;

beforeEach(async () => {
  app = await openApp();
  await app.pass(0);
  await app.post(PATH, body);
});

const kinds = async () => (await app.commands()).map(({ kind }) => kind);
const openAfter = async () => alertsAfter(await app.commands()).open;
const isExpired = async () => ((await app.get(BACKUP)).data as { expired: boolean }).expired;

/** Pinged, and silent for longer than its interval. */
async function missed(): Promise<void> {
  await app.post(`${BACKUP}/ping`);
  await app.pass(10);
}

describe('a heartbeat that was pinged once', () => {
  it('opens one alert when its interval is over, however often the monitor looks', async () => {
    await missed();
    for (let run = 0; run < 3; run += 1) await app.pass(1);
    expect(app.expiries()).toBe(1);
    expect(await app.commands()).toMatchObject([
      {
        kind: 'create',
        identifier: { type: 'alias', value: 'heartbeat:backup' },
        integration: { id: 'integration-1', name: 'Default API', type: 'API' },
        acceptedAt: '2026-01-01T00:10:00.000Z',
        alert: { responders: [{ type: 'team', id: 'ops' }] },
      },
    ]);
  });

  it.each([
    ['a ping', () => app.post(`${BACKUP}/ping`)],
    ['enabling it', () => app.post(`${BACKUP}/enable`)],
    ['disabling it', () => app.post(`${BACKUP}/disable`)],
    ['a new interval', () => app.patch(BACKUP, { interval: 5 })],
    ['its end', () => app.delete(BACKUP)],
  ])('has its alert closed by %s (H1 to H4)', async (_, act) => {
    await missed();
    expect(await openAfter()).toEqual(['heartbeat:backup']);
    await act();
    expect(await kinds()).toEqual(['create', 'close']);
    expect(await openAfter()).toEqual([]);
  });

  it('opens another alert when it falls silent again', async () => {
    for (let times = 0; times < 3; times += 1) await missed();
    expect(alertsAfter(await app.commands())).toEqual({ open: ['heartbeat:backup'], opened: 3 });
    expect(new Set((await app.commands()).map(({ requestId }) => requestId)).size).toBe(5);
  });

  it('opens an alert in the scope of the key that created it (A16)', async () => {
    await app.post(PATH, { ...body, name: 'of a team' }, teamKey);
    await app.post(`${PATH}/of%20a%20team/ping`, {}, teamKey);
    await app.pass(10);
    await app.post(`${PATH}/of%20a%20team/ping`);
    expect((await app.commands()).map(({ integration }) => integration.ownerTeamId)).toEqual(['ops', 'ops']);
  });

  it('pages no user when its team is deleted, and that is logged (S12)', async () => {
    app.teams.remove('ops');
    await missed();
    expect(await kinds()).toEqual(['create']);
    expect(app.logged).toEqual(['a heartbeat without a team expired: no user is paged']);
  });
});

describe('a heartbeat that was never pinged', () => {
  it('does not expire, whether it is enabled or not', async () => {
    await app.post(PATH, { ...body, name: 'off', enabled: false });
    await app.pass(1e6);
    expect(await app.commands()).toEqual([]);
  });
});

describe('an outage of Tocsin (H2)', () => {
  beforeEach(async () => {
    await app.post(`${BACKUP}/ping`);
    await app.pass(5);
  });

  /** Whether it is expired almost an interval from now on, and a whole interval from now on. */
  async function expiryFromNow(): Promise<readonly boolean[]> {
    await app.pass(0);
    await app.pass(9);
    const before = await isExpired();
    await app.pass(1);
    return [before, await isExpired()];
  }
  const AFTER_ONE_INTERVAL = [false, true];

  it('of all monitors expires nothing for one interval', async () => {
    app.clock.moveTo(new Date('2026-01-01T02:00:00Z'));
    app.liveness.passMs(60_000);
    expect(await expiryFromNow()).toEqual(AFTER_ONE_INTERVAL);
    expect(app.logged).toContain('an outage of Tocsin has ended: no heartbeat expires for one interval');
  });

  it('of all monitors is noticed by one that begins, also when it was short', async () => {
    app.liveness.passMs(3_000);
    app = testApp(app);
    app.clock.moveTo(new Date('2026-01-01T02:00:00Z'));
    expect(await expiryFromNow()).toEqual(AFTER_ONE_INTERVAL);
  });

  it('is none where another monitor is at work', async () => {
    const other = testApp(app);
    for (let run = 0; run < 30; run += 1) await other.pass(0);
    await app.pass(5);
    expect(await isExpired()).toBe(true);
  });

  it('in the middle of a run, in which the machine froze, expires nothing for one interval', async () => {
    const asked = jest.spyOn(app.gateway, 'acceptsPings').mockImplementationOnce(() => {
      app.clock.moveTo(new Date('2026-01-01T02:00:00Z'));
      app.liveness.passMs(7_200_000);
      return Promise.resolve(true);
    });
    await app.pass(0);
    expect(asked).toHaveBeenCalled();
    expect(await expiryFromNow()).toEqual(AFTER_ONE_INTERVAL);
  });

  it('of the gateway expires nothing while it lasts, and for one interval after it', async () => {
    app.gateway.ready = false;
    await app.pass(60);
    app.liveness.passMs(60_000);
    await app.pass(60);
    expect(await isExpired()).toBe(false);
    app.gateway.ready = true;
    expect(await expiryFromNow()).toEqual(AFTER_ONE_INTERVAL);
    expect(app.logged.slice(0, 2)).toEqual([
      'the gateway accepts no pings: no heartbeat expires until it does',
      'the gateway accepts pings again',
    ]);
  });

  it('of the gateway expires nothing for one interval after it, however short it was', async () => {
    app.gateway.ready = false;
    await app.pass(0);
    app.gateway.ready = true;
    expect(await expiryFromNow()).toEqual(AFTER_ONE_INTERVAL);
  });

  it('of the database expires nothing for one interval', async () => {
    app.setUnavailable(true);
    await expect(app.pass(60)).rejects.toThrow(UnavailableError);
    app.liveness.passMs(60_000);
    app.setUnavailable(false);
    expect(await expiryFromNow()).toEqual(AFTER_ONE_INTERVAL);
  });

  it('of the database is none of the senders, also where it was short and another monitor refused their pings', async () => {
    const other = testApp(app);
    await app.pass(0);
    await other.pass(0);
    app.setUnavailable(true);
    await expect(other.task.activate()).rejects.toThrow(UnavailableError);
    expect((await app.post(`${BACKUP}/ping`)).status).toBe(503);
    app.liveness.passMs(5_000);
    app.setUnavailable(false);
    await other.pass(5);
    expect(await isExpired()).toBe(false);
  });

  it('that comes more often than the interval puts nothing off for ever', async () => {
    const weekly = { ...body, name: 'weekly', interval: 7, intervalUnit: 'days' };
    await app.post(PATH, weekly);
    await app.post(`${PATH}/weekly/ping`);
    const expiredAfter: number[] = [];
    for (let day = 3; day <= 21; day += 3) {
      await app.pass(3 * 1_440 - 1);
      app.gateway.ready = false;
      await app.pass(0);
      app.gateway.ready = true;
      await app.pass(1);
      if (((await app.get(`${PATH}/weekly`)).data as { expired: boolean }).expired) expiredAfter.push(day);
    }
    expect(expiredAfter).toEqual([15, 18, 21]);
  });

  it('is one outage, however many monitors notice it', async () => {
    const others = [testApp(app), testApp(app)];
    const runAll = async () => {
      for (const each of [app, ...others]) await each.pass(0);
    };
    await app.post(`${BACKUP}/ping`);
    await app.pass(4);
    let taken = 0;
    for (let minute = 0; !(await isExpired()); minute += 1) {
      const isUnavailable = minute % 6 < 4;
      for (const each of [app, ...others]) each.gateway.ready = !isUnavailable;
      await app.pass(1);
      await runAll();
      taken += isUnavailable ? 0 : 1;
    }
    expect(taken).toBeGreaterThanOrEqual(10);
  });
});

describe('a slow database (H2)', () => {
  const SECOND = 1 / 60;

  beforeEach(async () => {
    await app.post(`${BACKUP}/ping`);
    await app.pass(10 - SECOND);
  });

  it.each([
    ['a ping', 'ping', 'pingInTime'],
    ['enabling', 'enable', 'change'],
  ] as const)('expires nothing that %s in time keeps alive', async (_, path, method) => {
    const begun = Promise.withResolvers<undefined>();
    const isFast = Promise.withResolvers<undefined>();
    const write = app.store[method].bind(app.store) as (...args: readonly unknown[]) => Promise<never>;
    jest.spyOn(app.store, method).mockImplementationOnce(async (...args: readonly unknown[]) => {
      begun.resolve(undefined);
      await isFast.promise;
      return write(...args);
    });
    const answer = app.post(`${BACKUP}/${path}`);
    // The request is sent once a reader waits for its answer.
    const answered = answer.then(({ status }) => status);
    await begun.promise;
    await app.pass(2 * SECOND);
    await app.pass(2 * SECOND);
    expect(app.expiries()).toBe(0);
    isFast.resolve(undefined);
    expect(await answered).toBeLessThan(300);
    await app.pass(9);
    expect(await app.commands()).toEqual([]);
    await app.pass(1);
    expect(await kinds()).toEqual(['create']);
  });

  it('expires nothing whose ping another monitor may be writing as slowly', async () => {
    const report = app.liveness.report.bind(app.liveness);
    jest.spyOn(app.liveness, 'report').mockImplementationOnce((one) => {
      app.clock.advance(3_000);
      return report(one);
    });
    await app.pass(2 * SECOND);
    expect(app.expiries()).toBe(0);
    await app.pass(0);
    expect(app.expiries()).toBe(1);
  });

  it('expires nothing whose ping failed after the report of the same run', async () => {
    const report = app.liveness.report.bind(app.liveness);
    jest.spyOn(app.store, 'pingInTime').mockRejectedValueOnce(new UnavailableError('The database is slow.'));
    jest.spyOn(app.liveness, 'report').mockImplementationOnce(async (one) => {
      const outages = await report(one);
      expect((await app.post(`${BACKUP}/ping`)).status).toBe(503);
      return outages;
    });
    await app.pass(2 * SECOND);
    await app.pass(0);
    await app.pass(9);
    expect(app.expiries()).toBe(0);
    await app.pass(1);
    expect(app.expiries()).toBe(1);
  });

  it('expires the others while one heartbeat is changed slowly, whose change came before they were due', async () => {
    await app.post(PATH, { ...body, name: 'contended' });
    const begun = Promise.withResolvers<undefined>();
    const isDone = Promise.withResolvers<undefined>();
    jest.spyOn(app.store, 'change').mockImplementationOnce(async () => {
      begun.resolve(undefined);
      await isDone.promise;
      return undefined;
    });
    const answered = app.post(`${PATH}/contended/enable`).then(({ status }) => status);
    await begun.promise;
    await app.pass(2 * SECOND);
    expect(app.expiries()).toBe(1);
    isDone.resolve(undefined);
    expect(await answered).toBe(404);
  });

  it('makes no outage of a change that was refused because others changed the same heartbeat', async () => {
    jest
      .spyOn(app.store, 'change')
      .mockRejectedValueOnce(new ContendedError('Heartbeat [backup] is changed too often.'));
    expect((await app.post(`${BACKUP}/enable`)).status).toBe(503);
    await app.pass(2 * SECOND);
    expect(app.expiries()).toBe(1);
  });

  it('expires what was due before the ping that it writes', async () => {
    const begun = Promise.withResolvers<undefined>();
    const isFast = Promise.withResolvers<boolean>();
    jest.spyOn(app.store, 'pingInTime').mockImplementationOnce(() => {
      begun.resolve(undefined);
      return isFast.promise;
    });
    app.clock.advance(2_000);
    const answered = app.post(`${PATH}/another/ping`).then(({ status }) => status);
    await begun.promise;
    await app.pass(0);
    expect(app.expiries()).toBe(1);
    isFast.resolve(true);
    expect(await answered).toBe(202);
  });
});

describe('several monitors', () => {
  it('open and close each alert once, in order', async () => {
    const other = testApp(app);
    await app.post(`${BACKUP}/ping`);
    for (let times = 0; times < 3; times += 1) {
      await Promise.all([app.pass(10), other.task.activate()]);
      await Promise.all([app.task.activate(), other.task.activate()]);
      await other.post(`${BACKUP}/ping`);
    }
    expect(await kinds()).toEqual(Array.from({ length: 3 }, () => ['create', 'close']).flat());
    expect(alertsAfter(await app.commands())).toEqual({ open: [], opened: 3 });
  });
});
