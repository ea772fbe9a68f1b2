import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OPSGENIE_KEYS, startOpsgenie, type OpsgenieDouble } from '@tocsin/testkit';
import { keyFileOf, secretsIn } from '../testing/account-fixture.ts';
import { Person, type Outcome } from '../testing/command-fixture.ts';
import { TocsinDouble } from '../testing/tocsin-double.ts';

let person: Person;
let old: OpsgenieDouble;
let tocsin: TocsinDouble;
let folder: string;

beforeEach(async () => {
  person = new Person();
  old = await startOpsgenie();
  tocsin = new TocsinDouble();
  person.env = { TOCSIN_URL: await tocsin.start(), TOCSIN_KEY: 'a-key-of-tocsin' };
  folder = path.join(person.home, 'snapshot');
});
afterEach(async () => {
  person.leave();
  tocsin.stop();
  await old.stop();
});

const fetched = (...options: readonly string[]): Promise<Outcome> =>
  person.types('import', 'fetch', '--from', old.url, '--key-file', keyFileOf(person), '--to', folder, ...options);
const DECIDED = ['--zone', 'Europe/Berlin', '--locale', 'en_GB'];
const moves = (command: string, ...options: readonly string[]): Promise<Outcome> =>
  person.types('import', command, '--from-snapshot', folder, ...DECIDED, ...options);
const filesText = (): string =>
  fs
    .readdirSync(folder)
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
    .join('');

describe('tocsin import plan', () => {
  it('says what is created, what is not moved and why, and writes nothing', async () => {
    await fetched();
    const before = fs.readdirSync(folder);
    const { code, stderr, stdout } = await moves('plan');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^tocsin: \d+ things to change or to decide\.\n$/)]);
    expect(stdout).toMatch(/^users +4 /m);
    expect(stdout).toContain('Tocsin has no integrations of type [Nagios]');
    expect(stdout).toContain('integrations [Incidents]: Its URL is masked in the snapshot.');
    expect(stdout).toContain('services [Shop]: Tocsin has no services');
    expect(tocsin.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    expect(fs.readdirSync(folder)).toEqual(before);
    expect(secretsIn(stdout)).toEqual([]);
  });

  it('prints Markdown, and JSON with each thing', async () => {
    await fetched();
    expect((await moves('plan', '--markdown')).stdout).toMatch(/^# \d+ things: /);
    const { things } = JSON.parse((await moves('plan', '--json')).stdout) as {
      things: { kind: string; state: string }[];
    };
    expect(things.filter(({ kind }) => kind === 'users').map(({ state }) => state)).toEqual(Array(4).fill('create'));
  });

  it('shows a policy that was changed in Tocsin as a conflict, also where the same run adopts its team', async () => {
    await fetched();
    const ours = await startOpsgenie();
    try {
      person.env = { TOCSIN_URL: ours.url, TOCSIN_KEY: OPSGENIE_KEYS.account };
      const team = ours.account.teams.find(({ name }) => name === 'Data');
      const policy = ours.account.policies.find(({ teamId }) => teamId === team?.['id']);
      Object.assign(policy ?? {}, { teamId: 'ours', policyDescription: 'Changed in Tocsin' });
      Object.assign(team ?? {}, { id: 'ours' });
      const { stdout } = await moves('plan', '--adopt', '--json');
      const { things } = JSON.parse(stdout) as { things: { id: string; state: string }[] };
      expect(things.find(({ id }) => id === policy?.['id'])).toMatchObject({ kind: 'policies', state: 'conflict' });
    } finally {
      await ours.stop();
    }
  });

  it('asks for the zone of the account where a thing names none', async () => {
    old.account.schedules.push({ id: 'no-zone', name: 'No zone', rotations: [] });
    old.account.onCall.set('no-zone', []);
    await fetched();
    const { code, stderr } = await person.types('import', 'plan', '--from-snapshot', folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--zone Europe/Berlin')]);
  });

  it.each([
    ['a zone that is none', ['--zone', 'Berlin'], /is not a time zone/],
    ['a side that is none', ['--take', 'both'], /Allowed are old, ours/],
  ])('exits with 2 for %s', async (_what, options, message) => {
    await fetched();
    const { code, stderr } = await person.types('import', 'plan', '--from-snapshot', folder, ...options);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('tocsin import apply', () => {
  it('writes each thing in the order of the kinds, and keeps secrets of neither side', async () => {
    await fetched();
    const { code, stderr, stdout } = await moves('apply');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Written: 28 created, 0 changed, 0 deleted, 0 as they were, 0 keys.');
    const kinds = [...tocsin.imported.keys()].map((key) => key.split('/')[0]);
    expect([...new Set(kinds)]).toEqual([
      ...['roles', 'users', 'teams', 'schedules', 'escalations', 'notification-rules', 'routing-rules'],
      ...['forwarding-rules', 'integrations', 'policies', 'policies-v1', 'maintenance', 'heartbeats', 'saved-searches'],
    ]);
    expect(tocsin.imported.get('heartbeats/nightly backup')).toMatchObject({ enabled: false, interval: 1 });
    expect(secretsIn(stdout + filesText())).toEqual([]);
    expect(filesText()).not.toContain('a-key-of-tocsin');
  });

  it('moves webhooks with the secrets of a snapshot that has them', async () => {
    await fetched('--with-secrets');
    expect((await moves('apply')).code).toBe(0);
    const hooks = [...tocsin.imported.values()].filter(({ type }) => type === 'Webhook');
    expect(hooks).toMatchObject([{ headers: { Authorization: expect.stringContaining('Bearer canary') } }]);
  });

  it('tries once again at the end what is refused, names what is refused then, and goes on', async () => {
    await fetched();
    tocsin.answer = (key, tries) => {
      if (key.startsWith('escalations/') && tries === 1)
        return { status: 404, body: { message: 'Schedule does not exist' } };
      if (!key.startsWith('saved-searches/')) return undefined;
      return { status: 422, body: { message: 'Not processable', errors: { query: 'is no query' } } };
    };
    const { code, stderr, stdout } = await moves('apply');
    expect([code, stderr]).toEqual([1, 'tocsin: 1 thing refused: see above.\n']);
    expect(stdout).toMatch(/saved-searches \[Open P1\]: .*Not processable.* query: is no query/);
    expect([...tocsin.imported.keys()].filter((key) => key.startsWith('escalations/'))).toHaveLength(1);
    expect(stdout).not.toContain('/v2/imports');
  });

  it('refuses a thing whose name no path can carry, and takes no text of a user for the answer of a Tocsin without imports', async () => {
    old.account.heartbeats.push({ name: '..', interval: 5, intervalUnit: 'minutes', enabled: true });
    await fetched();
    tocsin.answer = (key) =>
      key.startsWith('saved-searches/')
        ? { status: 404, body: { message: 'User with name [No handler found] does not exist.' } }
        : undefined;
    const { code, stderr, stdout } = await moves('apply');
    expect([code, stderr]).toEqual([1, 'tocsin: 2 things refused: see above.\n']);
    expect(stdout).toContain('heartbeats [..]: No path can carry the id');
    expect(stdout).toContain('User with name [No handler found] does not exist.');
    expect(tocsin.requests).not.toContain('PUT /v2/imports/');
  });

  it('creates a schedule without its rotations where one names an escalation that names the schedule', async () => {
    const [schedule = {}] = old.account.schedules;
    await fetched();
    tocsin.answer = (key, tries) =>
      key === `schedules/${String(schedule['id'])}` && tries === 1
        ? { status: 404, body: { message: 'no escalation' } }
        : undefined;
    expect((await moves('apply')).code).toBe(0);
    const puts = tocsin.requests.filter((request) => request === `PUT /v2/imports/schedules/${String(schedule['id'])}`);
    expect(puts).toHaveLength(3);
    expect(tocsin.imported.get(`schedules/${String(schedule['id'])}`)?.['rotations']).toHaveLength(1);
  });

  it('repeats what is answered 429, 503 or not at all', async () => {
    await fetched();
    tocsin.answer = (key, tries) => {
      if (tries > 1) return undefined;
      if (key.startsWith('roles/'))
        return { status: 429, body: { message: 'too many' }, headers: { 'retry-after': '0' } };
      return key.startsWith('heartbeats/') ? 'silence' : undefined;
    };
    const { code } = await moves('apply', '--timeout', '1');
    expect(code).toBe(0);
    expect([...tocsin.imported.keys()].filter((key) => /^(roles|heartbeats)\//.test(key))).toHaveLength(3);
  });

  it('says that this Tocsin takes no imports, or that the key may not write', async () => {
    await fetched();
    tocsin.answer = () => ({ status: 404, body: { message: 'No handler found' } });
    const off = await moves('apply');
    expect([off.code, off.stderr]).toEqual([2, expect.stringMatching(/takes no imports\.\n.*IMPORT=on/)]);
    tocsin.answer = () => ({
      status: 403,
      body: { message: 'To perform this action, use another key.', code: 40_301 },
    });
    const denied = await moves('apply');
    expect([denied.code, denied.stderr]).toEqual([2, expect.stringContaining('may read and write the configuration')]);
  });

  it('knows from an earlier snapshot what was written, also when a new one is in another folder', async () => {
    await fetched();
    await moves('apply');
    const first = folder;
    folder = path.join(person.home, 'second');
    await fetched();
    const states = async (...options: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await moves('plan', '--json', ...options);
      return (JSON.parse(stdout) as { things: { kind: string; state: string }[] }).things
        .filter(({ kind }) => kind === 'users')
        .map(({ state }) => state);
    };
    expect(await states()).toEqual(Array(4).fill('create'));
    // The lists of the double stay empty, as if all was deleted there.
    expect(await states('--since', first)).toEqual(Array(4).fill('keep'));
    expect((await moves('apply', '--since', first)).code).toBe(0);
    expect(await states()).toEqual(Array(4).fill('keep'));
  });

  it('refuses a second run on the same folder, and a folder without a snapshot', async () => {
    await fetched();
    fs.writeFileSync(
      path.join(folder, 'fetch.lock'),
      JSON.stringify({ pid: process.pid, host: (await import('node:os')).hostname() }),
    );
    const second = await moves('apply');
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('writes this folder now')]);
    const none = await person.types('import', 'apply', '--from-snapshot', person.home);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('has no snapshot')]);
  });

  it.each([
    ['lines', (id: string, key: string) => `integration id,key\n${id}, ${key}\nelsewhere,another\n`],
    [
      'the output of terraform',
      (id: string, key: string) =>
        JSON.stringify({
          values: {
            root_module: {
              child_modules: [
                { resources: [{ type: 'opsgenie_api_integration', values: { id, api_key: key, name: 'A' } }] },
              ],
              resources: [{ type: 'opsgenie_api_integration', values: { id: 'elsewhere', api_key: 'another' } }],
            },
          },
        }),
    ],
  ])('moves keys of integrations that the snapshot has, from %s, and shows and keeps none', async (_what, content) => {
    await fetched();
    const [{ id = '' } = {}] = old.account.integrations;
    const file = path.join(person.home, 'keys');
    fs.writeFileSync(file, content(String(id), 'canary-of-a-key-0001'), { mode: 0o600 });
    const { code, stderr, stdout } = await moves('apply', '--keys', file);
    expect([code, stderr]).toEqual([0, '']);
    expect(tocsin.imported.get(`keys/${String(id)}`)).toEqual({ apiKey: 'canary-of-a-key-0001' });
    expect(tocsin.imported.has('keys/elsewhere')).toBe(false);
    expect(stdout).toContain('1 key of integrations that the snapshot does not have');
    expect(stdout + filesText()).not.toContain('canary-of-a-key');
  });

  it('takes no keys that others can read, and shows none of a file that it cannot read', async () => {
    await fetched();
    const file = path.join(person.home, 'keys');
    fs.writeFileSync(file, 'canary of a key without an id', { mode: 0o600 });
    const wrong = await moves('apply', '--keys', file);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Line 1 of')]);
    expect(wrong.stderr).not.toContain('canary');
    fs.chmodSync(file, 0o644);
    const open = await moves('apply', '--keys', file);
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('Others can read')]);
    expect(tocsin.imported.size).toBe(0);
  });
});

describe('tocsin import verify', () => {
  it('names what is missing', async () => {
    await fetched();
    const { code, stderr, stdout } = await moves('verify');
    expect([code, stderr]).toEqual([1, expect.stringContaining('missing or different: see above.')]);
    expect(stdout).toContain('users [ada@example.com]');
  });
});
