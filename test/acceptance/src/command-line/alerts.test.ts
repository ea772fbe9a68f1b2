import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { CommandLine } from '../system/command-line.ts';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
const UUID = '[0-9a-f]{8}-[0-9a-f-]{27}';
let scenario: Scenario;
let alias: string;
let cli: CommandLine;

beforeEach(() => {
  scenario = system.scenario();
  alias = scenario.name('disk');
  cli = new CommandLine(system.api.url);
});
afterEach(() => {
  cli.remove();
});

interface Shown {
  readonly id: string;
  readonly tinyId: string;
  readonly notes: readonly { readonly note: string }[];
  readonly logs: readonly { readonly log: string }[];
}

const open = (...options: readonly string[]) => cli.run('alert', 'create', 'Disk full', '--alias', alias, ...options);

describe('tocsin alert', () => {
  it('create makes the alert that was described and says, once it is settled, which one it is', async () => {
    await scenario.users('ada');
    const { code, stdout, stderr } = await cli.fed(
      'df says\nno',
      ...['alert', 'create', 'Disk full', '--alias', alias, '-p', 'p1', '-d', '-', '-t', 'db', '-t', 'disk'],
      ...['--detail', 'rack=b=2', '--action', 'Restart', '--entity', 'db-1', '--user', 'Ada', '--note', 'again'],
      ...['-r', `user:${scenario.address('ada')}`],
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^Created alert ${UUID}, alias ${alias}\n$`));
    expect(await scenario.alertOf(alias)).toMatchObject({
      ...{ message: 'Disk full', priority: 'P1', description: 'df says\nno', tags: ['db', 'disk'], entity: 'db-1' },
      ...{ details: { rack: 'b=2' }, actions: ['Restart'], responders: [{ type: 'user' }] },
    });
    await system.mailed(scenario.address('ada'), 'Disk full');
  });

  it('create with --json prints what became of the request, without waiting its id alone', async () => {
    const settled = await cli.json<Record<string, unknown>>('alert', 'create', 'Fan', '--alias', alias);
    expect(settled).toMatchObject({ action: 'Create', success: true, alias, requestId: expect.any(String) });
    const accepted = await cli.json<Record<string, unknown>>('alert', 'create', 'Fan', '-a', alias, '--no-wait');
    expect(accepted).toEqual({ result: 'Request will be processed', requestId: expect.stringMatching(UUID) });
    await system.settle();
    expect(await scenario.alertOf(alias)).toMatchObject({ count: 2 });
  });

  it('create that the API refuses says each wrong field and the id of the request, and exits 1', async () => {
    const { code, stdout, stderr } = await cli.run('alert', 'create', 'x'.repeat(131), '-t', 'y'.repeat(51));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^tocsin: Request body is not processable. Please check the errors.\n {2}message: .*130/);
    expect(stderr).toMatch(new RegExp(`\n {2}tags\\[0\\]: .*\n {2}request ${UUID}\n$`));
  });

  it('ack, note, snooze, escalate and close change the alert by its alias, short number and id', async () => {
    await scenario.users('eve');
    await scenario.escalation('Late', { delay: 0, to: { type: 'user', name: 'eve' } });
    await open();
    const { id, tinyId } = await cli.json<Shown>('alert', 'get', alias);
    const outcomes = [
      await cli.run('alert', 'ack', alias, '--user', 'Ada', '--note', 'looking'),
      await cli.run('alert', 'note', tinyId, 'It was\nthe fan'),
      await cli.run('alert', 'escalate', id, scenario.name('Late')),
      await cli.run('alert', 'snooze', tinyId, '--until', '2026-03-02T06:00Z'),
      await cli.run('alert', 'close', alias, '--by', 'alias'),
    ];
    expect(outcomes.map(({ code, stdout }) => [code, stdout.split(alias.slice(0, 4))[0]?.split(id)[0]])).toEqual([
      [0, 'Acknowledged alert '],
      [0, 'Added note '],
      [0, 'Escalated alert '],
      [0, 'Snoozed alert '],
      [0, 'Closed alert '],
    ]);
    const { notes, ...alert } = await cli.json<Shown>('alert', 'get', id, '--notes');
    expect(alert).toMatchObject({ status: 'closed', owner: 'Ada' });
    expect(notes.map(({ note }) => note)).toEqual(['It was\nthe fan', 'looking']);
    await system.mailed(scenario.address('eve'), 'Disk full');
  });

  it('an action that fails once it was accepted says why and exits 1, with --json too', async () => {
    const { code, stdout, stderr } = await cli.run('alert', 'ack', scenario.name('nothing'));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^tocsin: Alert does not exist\n {2}request ${UUID}\n$`));
    const result = await cli.run('alert', 'close', scenario.name('nothing'), '--json');
    expect([result.code, JSON.parse(result.stdout)]).toMatchObject([
      1,
      { success: false, status: 'Alert does not exist' },
    ]);
  });

  it('snooze for longer than a week is refused by the API, without an end by the command line', async () => {
    await open();
    const tooLong = await cli.run('alert', 'snooze', alias, '--until', '2026-03-20T00:00Z');
    expect([tooLong.code, tooLong.stderr]).toEqual([1, expect.stringContaining('endTime')]);
    const endless = await cli.run('alert', 'snooze', alias);
    expect([endless.code, endless.stderr]).toEqual([2, expect.stringContaining('--for')]);
    const unclear = await cli.run('alert', 'snooze', alias, '--for', 'a while');
    expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining('1h30m')]);
  });

  it('get shows the alert and its log to a person, and 5 says that there is none', async () => {
    await open('-d', 'line one\nline two', '--detail', 'rack=b2');
    const { code, stdout } = await cli.run('alert', 'get', alias, '--log', '--notes');
    expect(code).toBe(0);
    const fields = stdout
      .split('\n')
      .slice(0, 4)
      .map((line) => line.split(/ {2,}/));
    expect(fields).toEqual([
      ['Message', 'Disk full'],
      ['State', 'open'],
      ['Priority', 'P3'],
      ['Short id', expect.stringMatching(/^\d+$/)],
    ]);
    expect(stdout).toContain('Created   2026-03-02 00:00 UTC\n');
    expect(stdout).toContain('Text      line one\n          line two\n');
    expect(stdout).toMatch(/\nNotes\n {2}none\n\nLog\n(.*\n)* {2}2026-03-02 00:00 {2}.*: .*created/i);
    const missing = await cli.run('alert', 'get', scenario.name('nothing'));
    expect([missing.code, missing.stdout, missing.stderr]).toEqual([5, '', expect.stringContaining('request ')]);
  });

  it('list shows what a query finds in a table that no message can break', async () => {
    await open('-p', 'P2');
    const evil = scenario.name('evil');
    await cli.run('alert', 'create', 'two\nlines \u001b[2J', '--alias', evil);
    const { stdout } = await cli.run('alert', 'list', `alias:"${alias}" OR alias:"${evil}"`, '--order', 'asc');
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^ID +PRIO {2}STATE {2}COUNT {2}CREATED \(UTC\) {5}OWNER {2}MESSAGE$/),
      expect.stringMatching(/^\d+ +P2 {4}open {3}1 {6}2026-03-02 00:00 {9}Disk full$/),
      expect.stringMatching(/^\d+ +P3 {4}open {3}1 {6}2026-03-02 00:00 {9}two lines \ufffd\[2J$/),
    ]);
    await cli.run('alert', 'close', alias);
    const found = await cli.json<readonly Shown[]>('alert', 'list', `alias:"${alias}"`);
    expect(found).toMatchObject([{ status: 'closed', alias }]);
    expect((await cli.run('alert', 'list', 'alias:"no such"')).stdout).toBe('No alerts\n');
    const wrong = await cli.run('alert', 'list', 'colour:red');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('colour')]);
  });
});
