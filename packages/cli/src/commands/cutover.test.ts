import { describe, expect, it } from '@jest/globals';
import { keyFileOf, useMove } from '../testing/account-fixture.ts';
import { type Outcome } from '../testing/command-fixture.ts';

const move = useMove();

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
      { since: '2027-02-01T00:00:00.000Z', senders: [], integrations: [], heartbeats: [], onCall: [] },
    ]);
  });

  it('needs the time of the switch', async () => {
    expect(await retire()).toMatchObject({ code: 2, stderr: expect.stringContaining('--since <time>') });
  });
});
