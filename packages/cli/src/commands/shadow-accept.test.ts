import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { beginMirror, keyFileOf, useMove } from '../testing/account-fixture.ts';
import { type Outcome } from '../testing/command-fixture.ts';
import { TocsinDouble } from '../testing/tocsin-double.ts';

const move = useMove();
let tocsin: TocsinDouble;
/** The users whom the alerts reached in Opsgenie, by the number of the alert; Tocsin reaches none. */
let reached: Map<number, readonly string[]>;

const CREATED = '2026-03-01T09:00:00Z';
const idOf = (number: number): string => `70000000-0000-4000-8000-00000000000${number}-1479717447425`;
const folder = (): string => path.join(move.person.home, 'mirror');
const acceptedFile = (): string => path.join(folder(), 'accepted.jsonl');

beforeEach(async () => {
  tocsin = new TocsinDouble();
  const url = await tocsin.start();
  move.person.env = { TOCSIN_URL: url, TOCSIN_KEY: 'a-key-of-tocsin' };
  tocsin.data = ({ pathname, searchParams }) => {
    const [, number] = /0(\d)-1479717447425"$/.exec(searchParams.get('query') ?? '') ?? [];
    return pathname === '/v2/alerts' && number !== undefined && number !== '9' ? [{ id: `ours-${number}` }] : undefined;
  };
  beginMirror(folder(), { from: move.opsgenie.url, to: url });
  reached = new Map([
    [1, ['ada']],
    [2, []],
  ]);
});
afterEach(() => {
  tocsin.stop();
});

function report(...options: readonly string[]): Promise<Outcome> {
  const { account, url } = move.opsgenie;
  account.alerts = [...reached.keys()].map((number) => ({
    ...{ id: idOf(number), message: `Disk ${number}`, createdAt: CREATED, updatedAt: CREATED, status: 'open' },
  }));
  for (const [number, names] of reached)
    account.alertRecipients.set(
      idOf(number),
      names.map((name) => ({ user: { username: `${name}@example.com` }, createdAt: CREATED })),
    );
  const from = ['--from', url, '--key-file', keyFileOf(move.person)];
  return move.person.types('shadow', 'report', ...from, '--place', folder(), ...options);
}

const accept = (...args: readonly string[]): Promise<Outcome> =>
  move.person.types('shadow', 'accept', ...args, '--place', folder());

describe('tocsin shadow accept', () => {
  it('has the report list a difference as explained, with the reason', async () => {
    expect(await report()).toMatchObject({ code: 1, stdout: expect.stringContaining(`Disk 1 (${idOf(1)}), created`) });
    expect(await accept(idOf(1), '--because', 'Ada was added by hand.')).toEqual({
      ...{ code: 0, stdout: '1 alert accepted.\n', stderr: '' },
    });
    const { code, stdout } = await report();
    expect(code).toBe(0);
    expect(stdout).toContain(`\nExplained: Disk 1 (${idOf(1)}): Ada was added by hand.`);
    const json = JSON.parse((await report('--json')).stdout) as object;
    expect(json).toMatchObject({ different: [], explained: [{ id: idOf(1), because: 'Ada was added by hand.' }] });
  });

  it('has an alert that later differs in another way count as unexplained again', async () => {
    await report();
    await accept(idOf(1), '--because', 'Ada was added by hand.');
    reached.set(1, ['ada', 'grace']);
    expect(await report()).toMatchObject({ code: 1, stdout: expect.stringContaining('grace@example.com: missing') });
    reached.set(1, ['ada']);
    expect(await report()).toMatchObject({ code: 0 });
  });

  it('accepts an alert that could not be compared, until it differs', async () => {
    reached = new Map([[9, ['ada']]]);
    expect(await report()).toMatchObject({ code: 2, stdout: expect.stringContaining('Tocsin has no such alert.') });
    await accept(idOf(9), '--because', 'It was created before the key of the mirror worked.');
    expect(await report()).toMatchObject({ code: 0, stdout: expect.stringContaining('Explained: Disk 9') });
  });

  it('changes nothing where one of several ids is not of the last report', async () => {
    await report();
    expect(await accept(idOf(1), idOf(2), 'no-such-id', '--because', 'A reason.')).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: `tocsin: The last report lists no difference of ${idOf(2)}, no-such-id.\n  Nothing was changed. \`tocsin shadow report\` prints the ids.\n`,
    });
    expect(existsSync(acceptedFile())).toBe(false);
    expect(await report()).toMatchObject({ code: 1 });
  });

  it('takes back what was accepted, and nothing else', async () => {
    await report();
    await accept(idOf(1), '--because', 'A reason.');
    expect(await accept(idOf(2), '--undo')).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('No difference was accepted of') },
    });
    expect(await accept(idOf(1), '--undo')).toMatchObject({ code: 0, stdout: '1 alert no longer accepted.\n' });
    expect(await report()).toMatchObject({ code: 1 });
    expect(await accept(idOf(1), '--undo')).toMatchObject({ code: 2 });
  });

  it('needs a reason of at most 500 characters, and a report', async () => {
    for (const options of [[], ['--because', ' '], ['--because', 'x'.repeat(501)], ['--because', 'x', '--undo']])
      expect(await accept(idOf(1), ...options)).toMatchObject({ code: 2, stdout: '' });
    expect(await accept(idOf(1), '--because', 'A reason.')).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('has no report.\n  Make one: tocsin shadow report') },
    });
  });

  it('goes on after a process died in the middle of a line', async () => {
    await report();
    await accept(idOf(1), '--because', 'A reason.');
    const whole = readFileSync(acceptedFile(), 'utf8');
    appendFileSync(acceptedFile(), '{"id":"70000000-0000');
    expect(await report()).toMatchObject({ code: 0 });
    expect(await accept(idOf(1), '--because', 'Another one.')).toMatchObject({ code: 0 });
    expect(readFileSync(acceptedFile(), 'utf8').startsWith(`${whole}{"id":"${idOf(1)}","because":"Another`)).toBe(true);
  });

  it('says where the file is damaged what to do', async () => {
    await report();
    appendFileSync(acceptedFile(), 'no JSON\n');
    expect(await report()).toMatchObject({ code: 2, stderr: expect.stringContaining('accepted.jsonl is damaged.') });
  });
});
