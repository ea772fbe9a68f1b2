import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, type OpsgenieObject, type Scenario } from '@tocsin/testkit';
import { CommandLine, type Ran } from '../system/command-line.ts';
import { OldAccount } from '../system/old-account.ts';
import { useSystem } from '../system/system.ts';

const system = useSystem();
let scenario: Scenario;
let cli: CommandLine;
let old: OldAccount;
/** The ids in Opsgenie of users and of the team. Tocsin has them under other ids. */
let ids: Readonly<Record<'ada' | 'grace' | 'Ops', string>>;
let changes = 0;

beforeEach(async () => {
  scenario = system.scenario();
  cli = new CommandLine(system.api.url);
  old = await OldAccount.start(cli);
  await scenario.users('ada', 'grace');
  await opsPages('grace');
  const [ada, grace] = [old.user(scenario.address('ada')), old.user(scenario.address('grace'))];
  ids = { ada, grace, Ops: old.team(scenario.name('Ops')) };
  await old.adopt();
  await setShadow(true);
});
afterEach(async () => {
  cli.remove();
  await old.opsgenie.stop();
});

const setShadow = (enabled: boolean) => system.api.expect(200, 'PUT', '/v2/account/shadow', { enabled });

/** Makes a team whose alerts page one user. */
async function opsPages(name: string): Promise<void> {
  const { id } = await scenario.team('Ops', name);
  await scenario.escalation('Ops', { delay: 0, to: { type: 'user', name } });
  const [rule] = await system.api.read<readonly { readonly id: string }[]>(`/v2/teams/${id}/routing-rules`);
  const notify = { notify: scenario.responder('escalation', 'Ops') };
  await system.api.expect(200, 'PATCH', `/v2/teams/${id}/routing-rules/${rule?.id ?? ''}`, notify);
}

const report = (): Promise<Ran> => cli.run(...old.report);
const mirror = async (): Promise<Ran> => {
  const ran = await cli.run(...old.mirror, '--once');
  await system.settle();
  return ran;
};

const idOf = (number: number): string => `70000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Makes an alert of the account of Opsgenie that pages one user at once, or changes it. */
function theirs(number: number, name: 'ada' | 'grace', over: OpsgenieObject = {}): void {
  const updatedAt = new Date(Date.now() + (changes += 1_000)).toISOString();
  const index = old.opsgenie.account.alerts.findIndex(({ id }) => id === idOf(number));
  const present = old.opsgenie.account.alerts[index] ?? {
    ...{ id: idOf(number), message: `Disk ${number} full`, createdAt: updatedAt, status: 'open' },
    ...{ acknowledged: false, snoozed: false, priority: 'P2', tags: ['db'], source: 'nagios' },
    responders: [{ type: 'user', id: ids[name] }],
  };
  old.opsgenie.account.alerts.splice(index < 0 ? old.opsgenie.account.alerts.length : index, 1, {
    ...present,
    updatedAt,
    ...over,
  });
  if (index < 0) theirsReached(number, name);
}

/** Opsgenie says that the alert reached a user now, by the clock of Tocsin. */
function theirsReached(number: number, ...names: readonly ('ada' | 'grace')[]): void {
  old.opsgenie.account.alertRecipients.set(
    idOf(number),
    names.map((name) => ({
      user: { id: ids[name], username: scenario.address(name) },
      createdAt: system.clock.now().toISOString(),
    })),
  );
}

const ours = async (number: number): Promise<unknown> => {
  const found = await system.api.read<readonly unknown[]>(`/v2/alerts?query=alias:"${idOf(number)}"`);
  expect(found).toHaveLength(1);
  return found[0];
};

/** The lines that a mirror writes, each as soon as it is asked for. */
async function* linesOf(output: Readable): AsyncGenerator<string> {
  for await (const line of createInterface({ input: output })) yield line;
}

interface Report {
  readonly rows: readonly { readonly team?: string; readonly users: { readonly same: number } }[];
}

describe('tocsin shadow mirror and report', () => {
  it('copies each alert with what users did to it, pages no user, and says where other users were reached', async () => {
    // Created before the first look, so the report does not compare it.
    theirs(1, 'ada', { createdAt: new Date(Date.now() - 60_000).toISOString() });
    expect(await mirror()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 alert mirrored.') });
    expect(await ours(1)).toMatchObject({ message: 'Disk 1 full', priority: 'P2', tags: ['db'], status: 'open' });

    theirs(1, 'ada', { acknowledged: true, report: { acknowledgedBy: scenario.address('ada') } });
    theirs(2, 'ada', { status: 'closed', report: { closedBy: scenario.address('ada') } });
    theirs(3, 'grace');
    expect(await mirror()).toMatchObject({ code: 0, stdout: expect.stringContaining('3 alerts mirrored.') });
    expect(await ours(1)).toMatchObject({ acknowledged: true, report: { acknowledgedBy: scenario.address('ada') } });
    expect(await ours(2)).toMatchObject({ status: 'closed' });
    expect(await mirror()).toMatchObject({ code: 0, stdout: expect.stringContaining('0 alerts mirrored.') });

    const same = await report();
    expect([same.code, same.stderr]).toEqual([0, '']);
    expect(same.stdout).toMatch(/2 alerts since .*; users who were reached within 60 s are the same\./);

    theirsReached(3, 'grace', 'ada');
    old.opsgenie.account.alertLogs.set(idOf(3), [{ createdAt: '2026-03-02T08:00:00Z', log: 'Sent [Email] to ada' }]);
    const different = await report();
    expect(different.code).toBe(1);
    expect(different.stdout).toContain(`${scenario.address('ada')}: missing; Opsgenie at`);
    expect(different.stdout).toContain('Sent [Email] to ada');
    const { id } = (await ours(3)) as { readonly id: string };
    expect(different.stdout).toContain(`tocsin explain ${id}`);
  });

  it('reaches users of users and teams that were adopted under other ids', async () => {
    theirs(31, 'ada');
    theirs(32, 'grace', { responders: [], ownerTeamId: ids.Ops });
    theirs(33, 'grace', { responders: [{ type: 'team', id: ids.Ops }] });
    expect(await mirror()).toMatchObject({ code: 0, stdout: expect.stringContaining('3 alerts mirrored.') });
    const same = await report();
    expect([same.code, same.stderr]).toEqual([0, '']);
    const reached = (await cli.json<Report>(...old.report)).rows.map(({ team, users }) => [team, users.same]);
    expect(reached).toEqual([
      [undefined, 2],
      [scenario.name('Ops'), 1],
    ]);
  });

  it('mirrors nothing while shadow is off', async () => {
    await setShadow(false);
    theirs(11, 'ada');
    expect(await mirror()).toMatchObject({ code: 1, stderr: expect.stringContaining('Shadow is off') });
    await setShadow(true);
    expect(await mirror()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 alert mirrored.') });
  });

  it('goes on until it is ended, also while a service is away', async () => {
    const process = cli.start(...old.mirror, '--every', '5', '--timeout', '3');
    const ended = cli.end(process);
    await system.without('directory', async () => {
      theirs(21, 'ada');
      await new Promise((resolve) => process.stderr.once('data', resolve));
    });
    const lines = new Promise((resolve) => process.stdout.once('data', resolve));
    await lines;
    process.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('1 alert mirrored.') });
    expect(await ours(21)).toMatchObject({ status: 'open' });
  });

  it('looks at once when the webhook of Opsgenie comes', async () => {
    const port = String(await freePort());
    const process = cli.start(...old.mirror, '--every', '600', '--listen', port);
    const [said, mirrored] = [linesOf(process.stderr), linesOf(process.stdout)];
    const ended = once(process, 'exit');
    const [url = ''] = /http:\S+/.exec(String((await said.next()).value)) ?? [];
    const post = async () => (await fetch(url, { method: 'POST', body: '{"action":"Create"}' })).status;
    theirs(41, 'ada');
    expect(await post()).toBe(200);
    expect((await mirrored.next()).value).toContain('1 alert mirrored.');
    theirs(41, 'ada', { acknowledged: true, report: { acknowledgedBy: scenario.address('ada') } });
    expect(await post()).toBe(200);
    expect((await mirrored.next()).value).toContain('1 alert mirrored.');
    await system.settle();
    expect(await ours(41)).toMatchObject({ acknowledged: true });
    process.kill('SIGINT');
    expect((await ended)[0]).toBe(0);
  });
});
