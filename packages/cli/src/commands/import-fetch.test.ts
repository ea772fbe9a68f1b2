import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OPSGENIE_KEYS } from '@tocsin/testkit';
import { type Outcome } from '../testing/command-fixture.ts';
import { keyFileOf, secretsIn, useMove } from '../testing/account-fixture.ts';

const move = useMove();

const to = (): string => path.join(move.person.home, 'snapshot');
const fetchApi = (...args: readonly string[]): Promise<Outcome> =>
  move.person.types(
    'import',
    'fetch',
    '--from',
    move.opsgenie.url,
    '--key-file',
    keyFileOf(move.person),
    '--to',
    to(),
    ...args,
  );
const fetchBackup = (folder: string, ...args: readonly string[]): Promise<Outcome> =>
  move.person.types('import', 'fetch', '--from-backup', folder, '--to', to(), ...args);

/** Writes files as the backup tool of the vendor does. */
function backup(files: Readonly<Record<string, unknown>>): string {
  const folder = path.join(move.person.home, 'backup', 'OpsGenieBackups');
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return path.dirname(folder);
}

const linesOf = (kind: string): readonly unknown[] =>
  fs
    .readFileSync(path.join(to(), `${kind}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('tocsin import fetch', () => {
  it('says what it read, and in a second run what it kept', async () => {
    const first = await fetchApi();
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(/^users +4 +read$/m);
    expect(first.stdout).toContain(`The snapshot in ${to()} is whole: 25 things, secrets masked.`);
    const second = await fetchApi('--json');
    expect(JSON.parse(second.stdout)).toMatchObject({
      manifest: { version: 1, secrets: 'masked', kinds: { users: { count: 4 } } },
      kinds: expect.arrayContaining([expect.objectContaining({ kind: 'users', state: 'kept' })]),
    });
    expect(secretsIn(first.stdout + second.stdout + JSON.stringify(linesOf('integrations')))).toEqual([]);
  });

  it('shows on a terminal how far it is, without a secret', async () => {
    move.person.isTTY = true;
    const { stderr } = await fetchApi();
    expect(stderr).toContain('Reading users: 4 of 4…');
    expect(secretsIn(stderr)).toEqual([]);
  });

  it('exits with 2 where the key has no access to the configuration, and keeps nothing half', async () => {
    const file = keyFileOf(move.person, OPSGENIE_KEYS.withoutConfiguration);
    const args = ['import', 'fetch', '--from', move.opsgenie.url, '--key-file', file, '--to', to()];
    const { code, stderr } = await move.person.types(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('The key may not read /v2/account')]);
    expect(fs.readdirSync(to())).toEqual([]);
  });

  it('reads the files of the backup tool, and says what they do not have', async () => {
    const [ada, team, schedule] = [{ id: 'u1', username: 'ada@example.com' }, { id: 't1', name: 'Ops' }, { id: 's1' }];
    const folder = backup({
      'users/ada@example.com-u1.json': {
        user: { ...ada, userContacts: [{ id: 'c1', contactMethod: 'email', to: 'ada@example.com', enabled: true }] },
        notificationRuleList: [{ id: 'r1', actionType: 'create-alert' }],
      },
      'teams/Ops-t1.json': { team, teamRoutingRules: [{ id: 'rr1' }], teamRoles: null },
      'schedules/Nights-s1.json': { schedule, scheduleOverrideList: [{ alias: 'o1' }] },
      'integrations/i1.json': {
        integration: { id: 'i1', type: 'Webhook', headers: { Authorization: 'canary-of-a-header-5b1f7c3a' } },
        integrationActions: { create: [] },
      },
      'policiesV2/p1.json': { teamId: 't1', teamName: 'Ops', policy: { id: 'p1', name: 'Quiet' } },
      'orders/PolicyOrders.json': [{ id: 'p1', order: 0 }],
      'escalations/E-e1.json': { id: 'e1', name: 'E' },
    });
    const { code, stderr, stdout } = await fetchBackup(folder);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^heartbeats +- +unavailable +The backup tool does not write heartbeats\.$/m);
    expect(stdout).toMatch(/^maintenance +- +unavailable +The backup has no folder maintenance\.$/m);
    expect(linesOf('users')).toMatchObject([
      {
        value: ada,
        parts: {
          contacts: [{ id: 'c1', method: 'email', to: 'ada@example.com', status: { enabled: true } }],
          notificationRules: [{ id: 'r1' }],
        },
      },
    ]);
    expect(linesOf('teams')).toMatchObject([{ value: team, parts: { routingRules: [{ id: 'rr1' }], roles: [] } }]);
    expect(linesOf('schedules')).toMatchObject([{ parts: { overrides: [{ alias: 'o1' }], timeline: [] } }]);
    expect(linesOf('policies')).toMatchObject([{ value: { id: 'p1', teamId: 't1' } }]);
    expect(linesOf('integrations')).toMatchObject([{ value: { headers: { Authorization: '*****' } } }]);
  });

  it('refuses a file of a backup that is cut off, and a folder that is none', async () => {
    const broken = await fetchBackup(backup({ 'users/a.json': '{"user":{"id":' }));
    expect([broken.code, broken.stderr]).toEqual([
      2,
      expect.stringContaining('a.json is cut off or is not a JSON object'),
    ]);
    const none = await fetchBackup(move.person.home);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('has no files of the backup tool')]);
  });

  it.each([
    ['no source', [], /Name the source/],
    ['an API without a key', ['--from', 'https://api.opsgenie.com'], /Name the source/],
    ['two sources', ['--from', 'https://api.opsgenie.com', '--from-backup', '/tmp'], /Name one source/],
  ])('exits with 2 for %s', async (_case, args, message) => {
    const { code, stderr } = await move.person.types('import', 'fetch', '--to', to(), ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(fs.existsSync(to())).toBe(false);
  });
});
