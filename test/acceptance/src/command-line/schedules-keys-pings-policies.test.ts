import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { API_KEY } from '../system/api.ts';
import { CommandLine } from '../system/command-line.ts';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
let scenario: Scenario;
let cli: CommandLine;

beforeEach(() => {
  scenario = system.scenario();
  cli = new CommandLine(system.api.url);
});
afterEach(() => {
  cli.remove();
});

describe('tocsin schedule show', () => {
  it('draws a week over a change of the clocks, an override and the gap that it leaves', async () => {
    await scenario.users('ada', 'bob', 'zoe');
    const name = scenario.name('Ops');
    await system.api.create('/v2/schedules', {
      ...{ name, timezone: 'Europe/Berlin' },
      rotations: [
        {
          ...{ name: 'Days', type: 'daily', startDate: '2026-03-01T23:00:00Z' },
          participants: [scenario.user('ada'), scenario.user('bob')],
        },
      ],
    });
    const query = 'scheduleIdentifierType=name';
    const put = (alias: string, user: object, startDate: string, endDate: string) =>
      system.api.create(`/v2/schedules/${encodeURIComponent(name)}/overrides?${query}`, {
        alias,
        user,
        startDate,
        endDate,
      });
    await put('a', scenario.user('zoe'), '2026-03-24T23:00:00Z', '2026-03-25T23:00:00Z');
    await put('b', { type: 'none' }, '2026-03-28T23:00:00Z', '2026-03-29T06:00:00Z');
    const berlin = cli.with({ TZ: 'Europe/Berlin' });
    const { code, stdout, stderr } = await berlin.run('schedule', 'show', name, '--week', '2026-03-23');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      `${name}  Europe/Berlin`,
      '',
      '         Mon 23    Tue 24    Wed 25    Thu 26    Fri 27    Sat 28    Sun 29',
      'Days     │bob──────│ada──────│bob──────│ada──────│bob──────│ada──────│bob──────',
      'override                     │zoe──────                              │n…',
      'ON CALL  │bob──────│ada──────│zoe──────│ada──────│bob──────│ada──────GAP!│bob──',
      '',
      'NO USER IS ON CALL:',
      '  Sun 29 Mar 00:00 – 08:00 (7 h)',
      'Sun 29 Mar has 23 hours: the clocks change.',
      '',
    ]);
    const missing = await cli.run('schedule', 'show', scenario.name('Nothing'));
    expect([missing.code, missing.stdout]).toEqual([5, '']);
  });
});

describe('tocsin key', () => {
  it('create makes a key that does what it may and no more; rotate replaces it', async () => {
    const name = scenario.name('ci');
    const made = await cli.run('key', 'create', name);
    const key = made.stdout.trim();
    expect([made.code, key]).toEqual([0, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    await system.settle();
    const own = cli.with({ TOCSIN_KEY: key });
    expect((await own.run('alert', 'list', '--limit', '1')).code).toBe(0);
    const refused = await own.run('key', 'create', scenario.name('other'));
    expect([refused.code, refused.stdout]).toEqual([4, '']);
    const rotated = await cli.json<{ readonly apiKey: string }>('key', 'rotate', name);
    expect(rotated.apiKey).not.toBe(key);
    expect((await cli.run('key', 'create', name)).code).toBe(1);
    expect((await cli.run('key', 'rotate', scenario.name('nothing'))).code).toBe(5);
  });

  it('that is not known, or is none, ends every command with 4, and nothing is printed', async () => {
    for (const key of [API_KEY.replace('5', '6'), 'no-uuid']) {
      const { code, stdout, stderr } = await cli.with({ TOCSIN_KEY: key }).run('alert', 'list');
      expect([code, stdout, stderr]).toEqual([4, '', expect.stringMatching(/^tocsin: .*\n {2}request /)]);
    }
  });

  it('goes by a pipe into a profile, which then is used', async () => {
    const alone = cli.with({ TOCSIN_URL: '', TOCSIN_KEY: '' });
    const added = await alone.fed(`${API_KEY}\n`, 'profile', 'add', 'test', '--url', system.api.url);
    expect([added.code, added.stderr]).toEqual([0, '']);
    expect((await alone.run('alert', 'list', '--limit', '1')).code).toBe(0);
  });
});

describe('tocsin heartbeat ping', () => {
  it('is noticed', async () => {
    const name = scenario.name('backup');
    await system.api.create('/v2/heartbeats', { name, interval: 10, intervalUnit: 'minutes', enabled: false });
    const { code, stdout } = await cli.run('heartbeat', 'ping', name);
    expect([code, stdout]).toEqual([0, 'PONG - Heartbeat received\n']);
    expect(await system.api.read(`/v2/heartbeats/${encodeURIComponent(name)}`)).toMatchObject({ name });
    expect(await cli.json('heartbeat', 'ping', name)).toMatchObject({ result: 'PONG - Heartbeat received' });
  });
});

describe('tocsin policy evaluate', () => {
  it('shows what would become of an alert, which is not made', async () => {
    const alias = scenario.name('disk');
    const policy = await scenario.policy('Tidy', { message: '{{message.toUpperCase()}}', enabled: true });
    const { code, stdout, stderr } = await cli.run('policy', 'evaluate', 'Disk full', '--alias', alias);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^It would make an alert\nAlert: P3 DISK FULL\nUsers are notified at once\n/);
    expect(stdout).toMatch(new RegExp(`\nyes +${scenario.name('Tidy')} +`));
    const evaluation = await cli.json<object>('policy', 'evaluate', 'Disk full', '--alias', alias);
    expect(evaluation).toMatchObject({ outcome: 'created', alert: { message: 'DISK FULL' } });
    expect((await cli.run('policy', 'evaluate', '--existing', alias)).code).toBe(5);
    await system.api.expect(200, 'DELETE', `/v2/policies/${policy.id}`);
  });
});
