import { describe, expect, it } from '@jest/globals';
import { OPSGENIE_KEYS } from '@tocsin/testkit';
import { type Outcome } from '../testing/command-fixture.ts';
import { keyFileOf, secretsIn, useMove } from '../testing/account-fixture.ts';

const move = useMove();
const preflight = (...args: readonly string[]): Promise<Outcome> =>
  move.person.types('import', 'preflight', '--from', move.opsgenie.url, '--key-file', keyFileOf(move.person), ...args);
const DECIDED = ['--zone', 'Europe/Berlin', '--locale', 'en_GB'];

describe('tocsin import preflight', () => {
  it('says what the account has and how long its API lives, and proposes what is to be decided', async () => {
    const { code, stderr, stdout } = await preflight();
    expect([code, stderr]).toEqual([1, 'tocsin: Not ready to move: see above.\n']);
    expect(stdout).toContain(
      `Account [Example] at ${move.opsgenie.url}, plan Standard. The API ends in 399 days, on 2027-04-05.`,
    );
    expect(stdout).toMatch(/^users +4$/m);
    expect(stdout).toMatch(/^policies +3$/m);
    expect(stdout).toMatch(/^heartbeats +2$/m);
    expect(stdout).toContain('--zone Europe/Berlin');
    expect(stdout).toContain('--locale en_GB');
    expect(stdout).toContain('What blocks the move: nothing');
    expect(secretsIn(stdout)).toEqual([]);
  });

  it('proposes no time zone and no locale of an account that has nothing', async () => {
    Object.assign(move.opsgenie.account, { users: [], schedules: [] });
    const { stdout } = await preflight();
    expect(stdout).toContain('the time zone of the account, and nothing that was read has one.');
    expect(stdout).toContain('state it, such as --locale en_GB');
  });

  it('prints nothing of the account that a terminal obeys', async () => {
    move.opsgenie.account.account['name'] = 'a\u001b[2J';
    move.opsgenie.account.account['plan'] = { name: 'b\u001b]0;c\u0007\u202e' };
    const { stdout } = await preflight(...DECIDED);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(stdout).toContain('Account [a\ufffd[2J]');
  });

  it('shows on a terminal which list it reads', async () => {
    move.person.isTTY = true;
    expect((await preflight(...DECIDED)).stderr).toContain('Reading the list of policies…');
  });

  it('exits with 0 where nothing blocks and all is decided', async () => {
    const { code, stderr, stdout } = await preflight(...DECIDED);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('What is to be decided: nothing');
  });

  it('names what blocks: users over the plan, and teams that a merge would delete', async () => {
    move.opsgenie.account.account['plan'] = { name: 'Standard', maxUserCount: '3' };
    move.opsgenie.account.teams.push({ id: 'another', name: 'ops ', description: '' });
    const { code, stdout } = await preflight(...DECIDED, '--json');
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as { blocks: { what: string }[] }).blocks.map(({ what }) => what)).toEqual([
      "The account has 4 users and its plan 3: an account that is over its plan is not ready for the vendor's migration.",
      'The teams [Ops] and [ops ] differ in letter case or spaces alone: a migration that merges teams by name deletes all but one of them for good.',
    ]);
  });

  it('says which kind the account does not have, and goes on', async () => {
    await preflight();
    const before = move.opsgenie.requests.length;
    const asked = move.opsgenie.requests.findIndex(({ path }) => path === '/v2/roles');
    for (let at = 0; at < asked; at += 1) move.opsgenie.next({ answerAfterMs: 0 });
    move.opsgenie.next({ refuse: 402, body: '{"message":"Upgrade your plan"}' });
    const { stdout } = await preflight('--json');
    expect(move.opsgenie.requests.length).toBe(before * 2);
    expect((JSON.parse(stdout) as { counts: object[] }).counts[0]).toEqual({
      kind: 'roles',
      why: 'The account does not include /v2/roles (402: Upgrade your plan).',
    });
  });

  it('exits with 2 and a sentence where the key is of a team', async () => {
    const file = keyFileOf(move.person, OPSGENIE_KEYS.team);
    const { code, stderr, stdout } = await move.person.types(
      'import',
      'preflight',
      '--from',
      move.opsgenie.url,
      '--key-file',
      file,
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'tocsin: The key is of a team and sees no other: the account cannot be read with it.\n' +
        '  Make one in Settings, API key management, with Read and Configuration access.\n',
    );
  });

  it.each([
    ['an address without encryption', ['--from', 'http://api.opsgenie.com'], /unencrypted\. Use https/],
    ['an address that is none', ['--from', 'api.opsgenie.com'], /is not the URL/],
    ['a file that is not there', ['--key-file', '/nonexistent/key'], /Cannot read the key in \/nonexistent\/key/],
    ['a zone that is none', ['--zone', 'Berlin'], /\[Berlin\] is not a time zone/],
    ['a locale that is none', ['--locale', 'English'], /\[English\] is not a locale/],
  ])('exits with 2 for %s, before it asks anything', async (_case, args, message) => {
    const { code, stderr } = await preflight(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(move.opsgenie.requests).toEqual([]);
  });

  it('names a file of a key that is empty, and one that is a folder', async () => {
    const args = ['import', 'preflight', '--from', move.opsgenie.url, '--key-file'];
    const file = keyFileOf(move.person, '');
    const empty = await move.person.types(...args, file);
    expect([empty.code, empty.stderr]).toEqual([2, `tocsin: ${file} is empty: it has no key.\n`]);
    const folder = await move.person.types(...args, move.person.home);
    expect([folder.code, folder.stderr]).toEqual([
      2,
      `tocsin: ${move.person.home} is a folder, not a file with a key.\n`,
    ]);
    expect(move.opsgenie.requests).toEqual([]);
  });

  it('takes no key that others can read, and no key as an option', async () => {
    const file = keyFileOf(move.person, OPSGENIE_KEYS.account, 0o644);
    const args = ['import', 'preflight', '--from', move.opsgenie.url];
    const open = await move.person.types(...args, '--key-file', file);
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('Others can read the key')]);
    const option = await move.person.types(...args, '--key', OPSGENIE_KEYS.account);
    expect([option.code, secretsIn(option.stderr)]).toEqual([2, []]);
    expect(move.opsgenie.requests).toEqual([]);
  });
});
