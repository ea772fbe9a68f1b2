import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type OpsgenieObject } from '@tocsin/testkit';
import { keyFileOf, secretsIn, useMove } from '../testing/account-fixture.ts';
import { type Outcome } from '../testing/command-fixture.ts';

const START = Date.parse('2026-01-15T08:00:00Z');
const MINUTE = 60_000;

const move = useMove();

const idOf = (number: number): string => `70000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** An alert of the first team that was created so long after the start. */
function alert(number: number, afterMs: number, over: OpsgenieObject = {}): OpsgenieObject {
  const createdAt = new Date(START + afterMs).toISOString();
  const team = move.opsgenie.account.teams[0]?.['id'];
  const report = { ackTime: 2 * MINUTE, closeTime: 10 * MINUTE };
  return { id: idOf(number), createdAt, status: 'closed', ownerTeamId: team, teams: [{ id: team }], report, ...over };
}

const folder = (): string => path.join(move.person.home, 'history');
const fetchHistory = (...args: readonly string[]): Promise<Outcome> =>
  move.person.types(
    'history',
    'fetch',
    '--from',
    move.opsgenie.url,
    '--key-file',
    keyFileOf(move.person),
    '--to',
    folder(),
    ...args,
  );
const report = (...args: readonly string[]): Promise<Outcome> =>
  move.person.types('history', 'report', '--from-history', folder(), ...args);

const linesIn = (): readonly Readonly<Record<string, { readonly id?: string }>>[] =>
  fs
    .readFileSync(path.join(folder(), 'alerts.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, { readonly id?: string }>>);
const idsIn = (): readonly unknown[] => linesIn().flatMap((line) => line['alert']?.id ?? []);
const allIds = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => idOf(at + 1));

describe('tocsin history fetch', () => {
  it('reads each alert once, in the order of creation, past the page and where many have one time', async () => {
    move.opsgenie.account.alerts = [
      ...Array.from({ length: 250 }, (_, at) => alert(at + 1, at * MINUTE)),
      ...Array.from({ length: 330 }, (_, at) => alert(at + 251, 250 * MINUTE)),
      ...Array.from({ length: 20 }, (_, at) => alert(at + 581, (251 + at) * MINUTE)),
    ];
    const { code, stdout, stderr } = await fetchHistory();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trim()).toBe(`The history in ${folder()} has 600 alerts, 0 of them open. New: 600.`);
    expect(idsIn().toSorted()).toEqual(allIds(600));
    expect(fs.statSync(path.join(folder(), 'alerts.jsonl')).mode & 0o777).toBe(0o600);
  });

  it('adds what is new, also an alert that the list shows late, and reads those again that were open', async () => {
    move.opsgenie.account.alerts = [
      alert(1, 0, { status: 'open', report: { ackTime: MINUTE } }),
      alert(2, MINUTE, { status: 'open', report: undefined }),
      alert(3, 30 * MINUTE),
    ];
    await fetchHistory();
    move.opsgenie.account.alerts = [alert(1, 0), alert(3, 30 * MINUTE), alert(4, 25 * MINUTE), alert(5, 31 * MINUTE)];
    const { stdout } = await fetchHistory('--json');
    expect(JSON.parse(stdout)).toEqual({ added: 2, again: 2, gone: 1, count: 4, open: 0 });
    expect(idsIn()).toEqual([1, 2, 3, 4, 5, 1].map(idOf));
    expect(linesIn().filter((line) => 'gone' in line)).toEqual([{ gone: idOf(2) }]);
    expect(linesIn().at(-2)?.['alert']).not.toHaveProperty('description');
  });

  it('goes on after a break at any byte of its file, and loses and repeats no alert', async () => {
    move.opsgenie.account.alerts = Array.from({ length: 120 }, (_, at) => alert(at + 1, at * MINUTE));
    await fetchHistory();
    const whole = fs.readFileSync(path.join(folder(), 'alerts.jsonl'));
    for (const share of [0, 0.001, 0.01, 0.3, 0.5, 0.77, 0.999]) {
      fs.writeFileSync(path.join(folder(), 'alerts.jsonl'), whole.subarray(0, Math.floor(whole.length * share)));
      expect((await fetchHistory()).code).toBe(0);
      expect(idsIn()).toEqual(allIds(120));
    }
  });

  it('loses no alert where others are deleted while it reads', async () => {
    move.opsgenie.account.alerts = Array.from({ length: 320 }, (_, at) => alert(at + 1, at * MINUTE));
    move.opsgenie.beforeAnswer = ({ path: asked }) => {
      if (asked === '/v2/alerts') move.opsgenie.account.alerts.shift();
    };
    await fetchHistory();
    const left = move.opsgenie.account.alerts.map(({ id }) => id);
    expect(idsIn()).toEqual(expect.arrayContaining(left));
    expect(new Set(idsIn()).size).toBe(idsIn().length);
  });

  it('begins with the day of --since, and refuses a folder that was begun otherwise', async () => {
    move.opsgenie.account.alerts = [alert(1, 0), alert(2, 24 * 60 * MINUTE)];
    expect((await fetchHistory('--since', '2026-01-16')).stdout).toContain('has 1 alert, ');
    expect(await fetchHistory()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was begun with --since 2026-01-16T00:00:00.000Z.'),
    });
    fs.writeFileSync(path.join(folder(), 'notes.txt'), '');
    expect(await fetchHistory()).toMatchObject({ code: 2, stderr: expect.stringContaining('is no history') });
  });

  it('shows on a terminal how far it is, and no secret', async () => {
    move.opsgenie.account.alerts = Array.from({ length: 150 }, (_, at) => alert(at + 1, at * MINUTE));
    move.person.isTTY = true;
    const { stderr } = await fetchHistory();
    expect(stderr).toContain('Reading alerts: 100 of about 150, created until');
    expect(secretsIn(stderr)).toEqual([]);
  });
});

describe('tocsin history report', () => {
  it('says by month and team how long it took', async () => {
    const ack = (ackTime: number) => ({ report: { ackTime, closeTime: 3 * 60 * MINUTE } });
    move.opsgenie.account.alerts = [
      ...Array.from({ length: 10 }, (_, at) => alert(at + 1, at * MINUTE, ack((at + 1) * MINUTE))),
      alert(11, 20 * 24 * 60 * MINUTE, { ownerTeamId: undefined, teams: [], status: 'open', report: undefined }),
    ];
    await fetchHistory();
    const { code, stdout } = await report();
    expect(code).toBe(0);
    expect(
      stdout
        .split('\n')
        .slice(0, 3)
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ['MONTH', 'ALERTS', 'ACKNOWLEDGED', 'MEDIAN', '90 %', 'CLOSED', 'MEDIAN', '90 %', 'TEAM'],
      ['2026-01', '10', '10', '5 min', '9 min', '10', '3 h', '3 h', 'Ops'],
      ['2026-02', '1', '0', '-', '-', '0', '-', '-', 'no team'],
    ]);
    expect(JSON.parse((await report('--json')).stdout)).toMatchObject([
      { month: '2026-01', team: 'Ops', timeToAcknowledge: { median: 5 * MINUTE, p90: 9 * MINUTE } },
      { month: '2026-02', alerts: 1, acknowledged: 0 },
    ]);
  });

  it('counts an alert once that was read again, and none that is deleted', async () => {
    move.opsgenie.account.alerts = [1, 2].map((number) => alert(number, 0, { status: 'open', report: undefined }));
    await fetchHistory();
    move.opsgenie.account.alerts = [alert(1, 0)];
    await fetchHistory();
    expect(JSON.parse((await report('--json')).stdout)).toMatchObject([{ alerts: 1, closed: 1 }]);
  });

  it('writes a file for a spreadsheet, in which no name is a formula, and a page', async () => {
    move.opsgenie.account.alerts = [alert(1, 0)];
    Object.assign(move.opsgenie.account.teams[0] ?? {}, { name: '=HYPERLINK("x|y")' });
    await fetchHistory();
    expect((await report('--format', 'csv')).stdout.trim().split('\n').at(-1)).toBe(
      `2026-01,1,1,120,120,1,600,600,"'=HYPERLINK(""x|y"")"`,
    );
    expect((await report('--format', 'markdown')).stdout.trim().split('\n').at(-1)).toBe(
      String.raw`| 2026-01 | 1 | 1 | 2 min | 2 min | 1 | 10 min | 10 min | =HYPERLINK("x\|y") |`,
    );
  });

  it.each([
    ['\u001b]0;title\u0007', '\ufffd]0;title\ufffd'],
    [' \t=1+1', "'=1+1"],
    ['＝1+1', "'＝1+1"],
    ['one\r\ntwo', 'one two'],
  ])('prints of the name %j nothing that a terminal obeys or a spreadsheet calculates', async (name, shown) => {
    move.opsgenie.account.alerts = [alert(1, 0)];
    Object.assign(move.opsgenie.account.teams[0] ?? {}, { name });
    await fetchHistory();
    expect((await report('--format', 'csv')).stdout.split('\n').slice(1)).toEqual([
      `2026-01,1,1,120,120,1,600,600,${shown}`,
      '',
    ]);
  });

  it('exits with 2 where the folder has no history, one of another version, or one that is damaged', async () => {
    expect(await report()).toMatchObject({ code: 2, stderr: expect.stringContaining('has no history') });
    await fetchHistory();
    const file = path.join(folder(), 'alerts.jsonl');
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace('"version":1', '"version":9'));
    expect(await report()).toMatchObject({ code: 2, stderr: expect.stringContaining('has version 9') });
    fs.writeFileSync(file, `${text}half a line}\n`);
    expect(await report()).toMatchObject({ code: 2, stderr: expect.stringContaining('is damaged') });
  });
});
