import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { growAccount, OPSGENIE_KEYS, startOpsgenie, type OpsgenieDouble } from '@tocsin/testkit';
import { CliError } from '../cli-error.ts';
import { impatient, secretsIn } from '../testing/account-fixture.ts';
import { type FetchedKind, fetchSnapshot } from './fetch.ts';
import { KINDS, type KindName } from './kinds.ts';
import { OpsgenieClient } from './opsgenie-client.ts';
import { Progress } from './progress.ts';
import { SnapshotFolder } from './snapshot/folder.ts';
import { Snapshot } from './snapshot/reader.ts';
import { ApiSource } from './source.ts';

const NOW = new Date('2026-03-02T08:00:00Z');
let old: OpsgenieDouble;
let home: string;
let shown: string[];

beforeEach(async () => {
  old = await startOpsgenie();
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-fetch-'));
  shown = [];
});
afterEach(async () => {
  fs.rmSync(home, { recursive: true, force: true });
  await old.stop();
});

const folderOf = (name = 'snapshot'): string => path.join(home, name);
const begun = (secrets: 'masked' | 'included' = 'masked') =>
  ({ origin: { type: 'api', url: old.url }, secrets }) as const;

async function fetchTo(name = 'snapshot', secrets: 'masked' | 'included' = 'masked'): Promise<readonly FetchedKind[]> {
  const client = new OpsgenieClient({ url: old.url, key: OPSGENIE_KEYS.account }, impatient());
  const folder = SnapshotFolder.open(folderOf(name), begun(secrets), NOW);
  const progress = new Progress(
    (text) => shown.push(text),
    () => 0,
  );
  try {
    return await fetchSnapshot(new ApiSource(client, NOW), folder, progress, () => NOW);
  } finally {
    folder.close();
  }
}

/** All files of kinds, by their names. */
const filesIn = (name = 'snapshot'): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fs
      .readdirSync(folderOf(name))
      .filter((file) => file !== 'manifest.json')
      .map((file) => [file, fs.readFileSync(path.join(folderOf(name), file), 'utf8')]),
  );

const thingsOf = (kind: KindName): readonly unknown[] =>
  [...Snapshot.open(folderOf()).things(kind)].map(({ parts, value }) => ({ value, parts }));

const errorOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);
/** How often each thing, not each list, was asked for. */
const readsOf = (pattern: RegExp): number => old.requests.filter(({ path: asked }) => pattern.test(asked)).length;

describe('a snapshot', () => {
  it('has every thing of the account with all that belongs to it, and only its user can read it', async () => {
    const fetched = await fetchTo();
    expect(fetched.map(({ count, kind, state }) => [kind, count, state])).toEqual([
      ['account', 1, 'read'],
      ['roles', 1, 'read'],
      ['users', 4, 'read'],
      ['teams', 2, 'read'],
      ['schedules', 3, 'read'],
      ['escalations', 1, 'read'],
      ['forwarding-rules', 1, 'read'],
      ['integrations', 3, 'read'],
      ['policies', 3, 'read'],
      ['policies-v1', 1, 'read'],
      ['maintenance', 1, 'read'],
      ['heartbeats', 2, 'read'],
      ['saved-searches', 1, 'read'],
      ['services', 1, 'read'],
    ]);
    const { account } = old;
    const [ada = {}] = account.users;
    const rules = account.notificationRules.get(String(ada['id']));
    expect(thingsOf('users')[0]).toMatchObject({
      value: ada,
      parts: { contacts: account.contacts.get(String(ada['id'])), notificationRules: rules },
    });
    expect(thingsOf('policies')).toMatchObject(account.policies.map((value) => ({ value })));
    expect(thingsOf('teams')[0]).toMatchObject({ parts: { routingRules: [{}, {}, {}], roles: [{}] } });
    expect(thingsOf('schedules')[0]).toMatchObject({
      parts: { overrides: [{ alias: 'holiday' }], timeline: [{ startDate: '2026-03-02T00:00:00.000Z' }] },
    });
    const modes = fs.readdirSync(folderOf()).map((file) => fs.statSync(path.join(folderOf(), file)).mode & 0o777);
    expect([fs.statSync(folderOf()).mode & 0o777, new Set(modes)]).toEqual([0o700, new Set([0o600])]);
    expect(Object.keys(filesIn()).sort()).toEqual(KINDS.map((kind) => `${kind}.jsonl`).sort());
  });

  it('has no secret, unless the user asks for them', async () => {
    await fetchTo();
    await fetchTo('with', 'included');
    const all = (name: string): string =>
      fs
        .readdirSync(folderOf(name))
        .map((file) => fs.readFileSync(path.join(folderOf(name), file), 'utf8'))
        .join('');
    expect(secretsIn(all('snapshot'))).toEqual([]);
    expect(secretsIn(all('with'))).toHaveLength(5);
    expect(secretsIn(shown.join('\n'))).toEqual([]);
    const [, webhook] = thingsOf('integrations') as { value: object }[];
    expect(webhook?.value).toMatchObject({
      url: 'https://*****@hooks.example.com/services/*****?token=*****',
      headers: { Authorization: '*****' },
      password: '*****',
    });
  });

  it('leaves out, with the reason, what the plan of the account does not include', async () => {
    old.beforeAnswer = ({ path: asked }) => {
      if (asked === '/v2/account')
        old.next({ answerAfterMs: 0 }, { answerAfterMs: 0 }, { refuse: 402, body: '{"message":"m"}' });
      old.beforeAnswer = asked === '/v2/account' ? () => undefined : old.beforeAnswer;
    };
    const fetched = await fetchTo();
    expect(fetched[1]).toMatchObject({ kind: 'roles', state: 'unavailable', count: 0 });
    expect(Snapshot.open(folderOf()).has('roles')).toBe(false);
  });

  it('has lists that are the same before and after their things are read', async () => {
    old.beforeAnswer = ({ path: asked }) => {
      if (!asked.startsWith('/v2/roles/')) return;
      old.account.roles = [{ id: 'new', name: 'New' }];
      old.beforeAnswer = () => undefined;
    };
    await fetchTo();
    expect(thingsOf('roles')).toMatchObject([{ value: { id: 'new', name: 'New' } }]);
  });

  it('is not made of a list that changes all the time', async () => {
    let number = 0;
    old.beforeAnswer = ({ path: asked }) => {
      if (asked === '/v2/escalations') old.account.escalations = [{ id: `id-${(number += 1)}` }];
    };
    expect(await errorOf(fetchTo())).toMatchObject({
      exitCode: 2,
      message: 'The list of escalations changed while it was read, in each of 5 readings.',
    });
    old.beforeAnswer = () => undefined;
    expect((await fetchTo()).find(({ kind }) => kind === 'escalations')).toMatchObject({ count: 1, state: 'read' });
  });

  it('names things that are listed and cannot be read, and has them as their list shows them', async () => {
    old.account.deprecatedPolicies.push({ id: 'a/b', name: 'Broken', type: 'auto-close' });
    const found = old.account.deprecatedPolicies;
    old.beforeAnswer = ({ path: asked }) => {
      old.account.deprecatedPolicies = asked === '/v1/policies/a%2Fb' ? [] : found;
    };
    const fetched = await fetchTo();
    expect(fetched.find(({ kind }) => kind === 'policies-v1')).toMatchObject({ count: 2, unreadable: ['a/b'] });
    expect(thingsOf('policies-v1')).toMatchObject([{}, { value: { name: 'Broken' } }]);
  });
});

describe('a later fetch', () => {
  it('reads again what could not be read, and names it again', async () => {
    old.account.roles.push({ id: 'broken', name: 'Broken' });
    const found = old.account.roles;
    old.beforeAnswer = ({ path: asked }) => {
      old.account.roles = asked === '/v2/roles/broken' ? [] : found;
    };
    expect((await fetchTo())[1]).toMatchObject({ count: 2, unreadable: ['broken'] });
    found.push({ id: 'new', name: 'New' });
    expect((await fetchTo())[1]).toMatchObject({ count: 3, unreadable: ['broken'] });
    old.beforeAnswer = () => undefined;
    found.push({ id: 'newer', name: 'Newer' });
    expect((await fetchTo())[1]).toMatchObject({ count: 4, unreadable: [] });
  });

  it.each([
    [
      'was deleted',
      (file: string) => {
        fs.rmSync(file);
      },
    ],
    [
      'was changed',
      (file: string) => {
        fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('ada@', 'eve@'));
      },
    ],
    [
      'is shorter',
      (file: string) => {
        fs.truncateSync(file, 40);
      },
    ],
  ])('reads a kind again whose file %s', async (_what, damage) => {
    await fetchTo();
    const before = filesIn();
    damage(path.join(folderOf(), 'users.jsonl'));
    const fetched = await fetchTo();
    expect(fetched.filter(({ state }) => state === 'read').map(({ kind }) => kind)).toEqual(['users']);
    expect(filesIn()).toEqual(before);
  });
});

describe('a fetch that was broken off', () => {
  it('reads no thing twice', async () => {
    old.account.roles = Array.from({ length: 30 }, (_, number) => ({ id: `role-${number}`, name: `Role ${number}` }));
    let answered = 0;
    old.beforeAnswer = ({ path: asked }) => {
      if (!asked.startsWith('/v2/roles/')) return;
      answered += 1;
      if (answered === 17) old.always({ refuse: 403, body: '{"message":"revoked"}' });
    };
    expect(await errorOf(fetchTo())).toBeInstanceOf(CliError);
    old.always(undefined);
    const before = fs.readFileSync(path.join(folderOf(), 'roles.jsonl.part'), 'utf8').split('\n').length - 1;
    expect(before).toBe(16);
    const asked = readsOf(/^\/v2\/roles\//);
    await fetchTo();
    expect(readsOf(/^\/v2\/roles\//) - asked).toBe(14);
  });

  it('goes on after a broken last line, as a process that is killed leaves it', async () => {
    await fetchTo('whole');
    await fetchTo();
    const [file, part] = ['users.jsonl', 'users.jsonl.part'].map((name) => path.join(folderOf(), name)) as [
      string,
      string,
    ];
    const text = fs.readFileSync(file, 'utf8');
    fs.rmSync(file);
    fs.writeFileSync(part, text.slice(0, -40), { mode: 0o600 });
    const manifest = path.join(folderOf(), 'manifest.json');
    const written = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { kinds: object };
    fs.writeFileSync(
      manifest,
      JSON.stringify({ ...written, finishedAt: undefined, kinds: { ...written.kinds, users: undefined } }),
    );
    const asked = readsOf(/^\/v2\/users\/[^/]+$/);
    await fetchTo();
    expect(readsOf(/^\/v2\/users\/[^/]+$/) - asked).toBe(1);
    expect(filesIn()).toEqual(filesIn('whole'));
  });

  it('reads nothing again where it died between the file of a kind and the manifest', async () => {
    fs.mkdirSync(folderOf(), { mode: 0o700 });
    // The manifest cannot be written, so the fetch ends right after the first file has its name.
    fs.mkdirSync(path.join(folderOf(), 'manifest.json.tmp'));
    expect(await errorOf(fetchTo())).toMatchObject({ exitCode: 2, message: expect.stringContaining('Cannot write') });
    expect(fs.readdirSync(folderOf()).sort()).toEqual(['account.jsonl', 'account.jsonl.part', 'manifest.json.tmp']);
    fs.rmdirSync(path.join(folderOf(), 'manifest.json.tmp'));
    await fetchTo();
    await fetchTo('whole');
    expect(filesIn()).toEqual(filesIn('whole'));
  });

  it('reads a kind that is whole again only where its list changed, and then only what changed', async () => {
    await fetchTo();
    old.account.roles.push({ id: 'new', name: 'New' });
    Object.assign(old.account.heartbeats[0] ?? {}, { lastPingTime: '2026-03-02T09:00:00Z' });
    const asked = readsOf(/^\/v2\/(?:roles|users)\/./);
    const fetched = await fetchTo();
    expect(fetched.filter(({ state }) => state === 'read').map(({ kind }) => kind)).toEqual(['roles']);
    expect(readsOf(/^\/v2\/(?:roles|users)\/./) - asked).toBe(1);
    expect(thingsOf('roles')).toHaveLength(2);
  });
});

describe('a folder that cannot take the snapshot', () => {
  it('is said to be full, and the next fetch goes on', async () => {
    fs.mkdirSync(folderOf(), { mode: 0o700 });
    // Writes to this device fail as those to a full disk.
    fs.symlinkSync('/dev/full', path.join(folderOf(), 'users.jsonl.tmp'));
    expect(await errorOf(fetchTo())).toMatchObject({
      exitCode: 2,
      message: `The disk of ${folderOf()} is full (ENOSPC).`,
      details: ['Whole are: account, roles.', expect.stringContaining('run the same command again')],
    });
    fs.rmSync(path.join(folderOf(), 'users.jsonl.tmp'));
    const asked = readsOf(/^\/v2\/users\/./);
    await fetchTo();
    expect(readsOf(/^\/v2\/users\/./) - asked).toBe(0);
  });

  it('is refused while another process writes it, and taken from one that died', async () => {
    const first = SnapshotFolder.open(folderOf(), begun(), NOW);
    expect(await errorOf(fetchTo())).toMatchObject({
      exitCode: 2,
      message: `Process ${process.pid} on ${os.hostname()} writes this folder now.`,
    });
    first.close();
    const dead = JSON.stringify({ pid: 2 ** 30, host: os.hostname(), token: 't' });
    fs.writeFileSync(path.join(folderOf(), 'fetch.lock'), dead);
    await fetchTo();
    expect(Object.keys(filesIn())).not.toContain('fetch.lock');
    // Another process has made the file, and has not written its name yet.
    const file = path.join(folderOf(), 'fetch.lock');
    fs.writeFileSync(file, '');
    expect(await errorOf(fetchTo())).toMatchObject({ message: 'Another process writes this folder now.' });
    fs.utimesSync(file, 0, 0);
    await fetchTo();
    expect(fs.existsSync(file)).toBe(false);
  });

  it.each([
    ['of another version', { version: 2 }, /has version 2, and this tocsin reads version 1/],
    ['that is damaged', { version: 1 }, /is damaged/],
    ['that is none', { format: 'another' }, /is not the manifest of a snapshot/],
  ])('is refused where it has a manifest %s', async (_case, over, message) => {
    fs.mkdirSync(folderOf());
    const manifest = { format: 'tocsin-opsgenie-snapshot', ...over };
    fs.writeFileSync(path.join(folderOf(), 'manifest.json'), JSON.stringify(manifest));
    const error = await errorOf(fetchTo());
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) });
    expect(fs.readdirSync(folderOf())).toEqual(['manifest.json']);
    expect(() => Snapshot.open(folderOf())).toThrow(message);
  });

  it('is refused where it is a file', async () => {
    fs.writeFileSync(folderOf(), '');
    expect(await errorOf(fetchTo())).toMatchObject({ exitCode: 2, message: `${folderOf()} is not a folder.` });
    expect(await errorOf(fetchTo('snapshot/deeper'))).toMatchObject({
      message: `${folderOf('snapshot/deeper')} is not a folder.`,
    });
  });

  it('is refused where it has files of another kind, secrets of another choice, or another account', async () => {
    fs.mkdirSync(folderOf('mine'));
    fs.writeFileSync(path.join(folderOf('mine'), 'thesis.txt'), '');
    expect(await errorOf(fetchTo('mine'))).toMatchObject({ message: expect.stringContaining('thesis.txt') });
    await fetchTo();
    expect(await errorOf(fetchTo('snapshot', 'included'))).toMatchObject({
      message: expect.stringContaining('masked'),
    });
    const other = { origin: { type: 'api', url: 'https://other.example' }, secrets: 'masked' } as const;
    expect(() => SnapshotFolder.open(folderOf(), other, NOW)).toThrow(`is a snapshot of ${old.url}`);
  });
});

describe('a reader of a snapshot', () => {
  it('reads texts with any line break in them, and ids that lead out of a folder', async () => {
    const names = ['a\u2028b\u2029c', 'd\re\r\nf', '../../etc', 'x'.repeat(5_000), '\ud800', '..'];
    old.account.heartbeats = names.map((name) => ({ name }));
    old.account.roles = names.map((name) => ({ id: name, name }));
    expect((await fetchTo())[1]).toMatchObject({ kind: 'roles', count: 6, unreadable: ['\ud800', '..'] });
    for (const kind of ['heartbeats', 'roles'] as const)
      expect(thingsOf(kind).map((thing) => (thing as { value: { name: string } }).value.name)).toEqual(names);
  });

  it('says which file it cannot read', async () => {
    await fetchTo();
    fs.rmSync(path.join(folderOf(), 'roles.jsonl'));
    fs.mkdirSync(path.join(folderOf(), 'roles.jsonl'));
    expect(() => thingsOf('roles')).toThrow(/^Cannot read .*roles\.jsonl \(EISDIR\)\.$/);
    fs.rmSync(path.join(folderOf(), 'manifest.json'));
    fs.mkdirSync(path.join(folderOf(), 'manifest.json'));
    expect(() => Snapshot.open(folderOf())).toThrow(/^Cannot read .*manifest\.json \(EISDIR\)\.$/);
  });

  it('refuses one that is not whole, and a file that is not what was fetched', async () => {
    old.beforeAnswer = ({ path: asked }) => {
      if (asked === '/v2/teams') old.always({ refuse: 403, body: '{"message":"revoked"}' });
    };
    expect(await errorOf(fetchTo())).toBeInstanceOf(CliError);
    expect(() => Snapshot.open(folderOf())).toThrow('is not whole');
    [old.beforeAnswer] = [() => undefined];
    old.always(undefined);
    await fetchTo();
    fs.appendFileSync(path.join(folderOf(), 'roles.jsonl'), fs.readFileSync(path.join(folderOf(), 'roles.jsonl')));
    expect(() => thingsOf('roles')).toThrow('is damaged');
  });
});

describe('the progress of a fetch', () => {
  it('says how many things are read, and how long the rest takes', async () => {
    growAccount(old.account, 120, 0);
    await fetchTo();
    expect(shown).toContain('Reading users: 124 of 124');
    expect(shown.find((text) => text.startsWith('Reading users: 60 of 124'))).toMatch(/, about \d+ s left$/);
  });
});
