import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { CommandLine } from '../system/command-line.ts';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
let scenario: Scenario;
let cli: CommandLine;

beforeEach(async () => {
  scenario = system.scenario();
  cli = new CommandLine(system.api.url);
  await scenario.users('ada', 'bob');
  await scenario.schedule('Ops', { participants: ['ada', 'bob'] });
});
afterEach(() => {
  cli.remove();
});

const rowsOf = (stdout: string) =>
  stdout
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/));

describe('tocsin who', () => {
  it('says of every schedule who is on call, until when, and loudly where no user is', async () => {
    await scenario.schedule('Later', { participants: ['ada'], startDate: '2027-01-01T00:00:00Z' });
    await scenario.schedule('Empty');
    const { code, stdout, stderr } = await cli.run('who', '--at', '2026-03-02T10:00Z');
    expect([code, stderr]).toEqual([0, '']);
    const rows = rowsOf(stdout).filter(([name]) => [scenario.name('Ops'), scenario.name('Later')].includes(name ?? ''));
    expect(rows.map((row) => row.filter((cell) => !cell.startsWith('2026')))).toEqual([
      [scenario.name('Ops'), scenario.address('ada')],
      [scenario.name('Later'), 'NO USER'],
    ]);
    const empty = await cli.run('who', scenario.name('Empty'));
    expect(rowsOf(empty.stdout)).toContainEqual([scenario.name('Empty'), 'no rotations']);
  });

  it('says of one schedule, by name and by id, who is on call then, in the zone that is asked for', async () => {
    const name = scenario.name('Ops');
    const berlin = cli.with({ TZ: 'Europe/Berlin' });
    const { stdout } = await berlin.run('who', name, '--at', '2026-03-03T12:00');
    expect(rowsOf(stdout)[0]).toEqual([name, '2026-03-04 01:00', scenario.address('bob')]);
    const utc = await berlin.run('who', name, '--at', '2026-03-03T12:00', '--utc');
    expect(utc.stdout).toContain('UNTIL (UTC)');
    expect(rowsOf(utc.stdout)[0]?.[1]).toBe('2026-03-04 00:00');
    const known = await cli.json<{ readonly _parent: { readonly id: string } }>('who', name, '--at', '2026-03-03');
    expect(known).toEqual({
      _parent: { id: expect.any(String), name, enabled: true },
      onCallRecipients: [scenario.address('bob')],
      hasRotations: true,
      until: '2026-03-04T00:00:00.000Z',
    });
    const now = await cli.json<object>('who', known._parent.id);
    expect(now).toMatchObject({ onCallRecipients: [scenario.address('ada')] });
  });

  it('exits 5 for a schedule that is not there', async () => {
    const { code, stdout, stderr } = await cli.run('who', 'Nothing');
    expect([code, stdout]).toEqual([5, '']);
    expect(stderr).toMatch(/^tocsin: .*Nothing.*\n {2}request /);
  });
});
