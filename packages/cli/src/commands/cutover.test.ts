import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keyFileOf, useMove } from '../testing/account-fixture.ts';
import { type Outcome } from '../testing/command-fixture.ts';
import { TocsinDouble } from '../testing/tocsin-double.ts';

const move = useMove();
let tocsin: TocsinDouble;
let learned: readonly object[];

beforeEach(async () => {
  tocsin = new TocsinDouble();
  move.person.env = { TOCSIN_URL: await tocsin.start(), TOCSIN_KEY: 'a-key-of-tocsin' };
  learned = [];
  tocsin.data = ({ pathname }) => (pathname === '/v2/account/opsgenie-keys' ? learned : undefined);
});
afterEach(() => {
  tocsin.stop();
});

const retire = (...args: readonly string[]): Promise<Outcome> =>
  move.person.types('cutover', 'retire', '--from', move.opsgenie.url, '--key-file', keyFileOf(move.person), ...args);

const alert = (number: number, createdAt: string, integration?: string) => ({
  ...{ id: `70000000-0000-4000-8000-${String(number).padStart(12, '0')}`, createdAt, status: 'open' },
  ...(integration !== undefined && { integration: { name: integration } }),
});

describe('tocsin cutover retire', () => {
  it('names the tools that send since the switch, and what is on, and exits with 1', async () => {
    move.opsgenie.account.alerts = [
      alert(1, '2027-01-31T23:59:59.999Z', 'Before'),
      alert(2, '2027-02-01T09:00:00Z', 'Grafana'),
      alert(3, '2027-02-01T09:30:00Z', 'Nagios'),
      alert(4, '2027-02-02T09:00:00Z', 'Grafana'),
      alert(5, '2027-02-02T09:00:00Z'),
    ];
    const { code, stdout, stderr } = await retire('--since', '2027-02-01T00:00Z');
    expect(code).toBe(1);
    expect(stdout).toContain(`  - Grafana: 2 alerts, the last at 2027-02-02T09:00:00.000Z
  - Nagios: 1 alert, the last at 2027-02-01T09:30:00.000Z
  - no integration: 1 alert, the last at 2027-02-02T09:00:00.000Z
`);
    expect(stdout).not.toContain('Before');
    expect(stdout).not.toContain('Old Nagios');
    expect(stdout).not.toContain('never pinged');
    expect(stdout).toContain('  - Ops_schedule: ada@example.com');
    expect(stderr).toMatch(/^tocsin: \d+ things left: see above\.$/m);
  });

  it('exits with 0 where nothing is left', async () => {
    for (const each of [
      ...move.opsgenie.account.integrations,
      ...move.opsgenie.account.heartbeats,
      ...move.opsgenie.account.schedules,
    ])
      each['enabled'] = false;
    const { code, stdout } = await retire('--since', '2027-02-01T00:00Z', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { since: '2027-02-01T00:00:00.000Z', senders: [], forwarded: [], integrations: [], heartbeats: [], onCall: [] },
    ]);
  });

  it('names the tools that send through Tocsin since the switch with a key that is not imported', async () => {
    const key = { requests: 4, operation: 'ping-heartbeat', lastAt: '2027-02-02T09:00:00Z' };
    learned = [
      { ...key, sha256: 'a'.repeat(64) },
      { ...key, sha256: 'b'.repeat(64), integration: { id: 'i', name: 'Imported' } },
      { ...key, sha256: 'c'.repeat(64), lastAt: '2027-01-31T09:00:00Z' },
    ];
    const { stdout } = await retire('--since', '2027-02-01T00:00Z');
    expect(stdout).toContain('  - aaaaaaaaaaaa…: 4 requests, the last at 2027-02-02T09:00:00Z (ping-heartbeat)\n');
    expect(stdout).not.toMatch(/bbbb|cccc/);
  });

  it('needs the time of the switch', async () => {
    expect(await retire()).toMatchObject({ code: 2, stderr: expect.stringContaining('--since <time>') });
  });
});
