import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Api, API_KEY } from '../system/api.ts';
import { CommandLine } from '../system/command-line.ts';
import { fillAccount } from '../system/filled-account.ts';
import { mapConcurrent } from '../system/map-concurrent.ts';
import { useSystem } from '../system/system.ts';

/** A is the account that is moved, B the Tocsin into which it is moved. */
const a = useSystem();
const b = useSystem();
let cli: CommandLine;
let ofA: CommandLine;

beforeEach(() => {
  cli = new CommandLine(b.api.url);
  ofA = new CommandLine(a.api.url);
});
afterEach(() => {
  cli.remove();
  ofA.remove();
});

interface Thing {
  readonly id: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly parts: Readonly<Record<string, unknown>>;
}

/** Reads everything by the lists and reads of the API. */
async function fetched(url: string, name: string): Promise<string> {
  const [key, folder] = [path.join(cli.folder, 'key.txt'), path.join(cli.folder, name)];
  fs.writeFileSync(key, API_KEY, { mode: 0o600 });
  await cli.json('import', 'fetch', '--from', url, '--key-file', key, '--to', folder, '--with-secrets');
  return folder;
}

const VOLATILE: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'lastPingTime', 'links', 'took', 'requestId']);

/** The things of a kind by their ids, without times of creation. The integration of the start has an id of each installation. */
function thingsIn(folder: string, kind: string): Readonly<Record<string, unknown>> {
  const lines = fs
    .readFileSync(path.join(folder, `${kind}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const things = lines.map(
    (line) => JSON.parse(line, (name, value: unknown) => (VOLATILE.has(name) ? undefined : value)) as Thing,
  );
  return Object.fromEntries(
    things
      .filter(({ value }) => value['name'] !== 'Default API')
      .map(({ id, parts, value }) => [id, { value, parts: { ...parts, timeline: undefined } }]),
  );
}

interface Described {
  readonly value: { readonly id?: string; readonly rotations?: readonly Part[]; readonly teamId?: string };
  readonly parts: Readonly<Record<string, readonly Part[] | undefined>>;
}
type Part = Readonly<Record<'id', string>>;

/** The paths below one that has a list, one for each of its items. */
const below = (path: string, items: readonly Part[] = []): readonly string[] => items.map(({ id }) => `${path}/${id}`);

/** What the Terraform provider reads of a thing to plan: it takes a change for each field that is other than in its state. */
const PROVIDER_READS: Readonly<Record<string, (id: string, thing: Described) => readonly string[]>> = {
  roles: (id) => [`/v2/roles/${id}`],
  users: (id, { parts }) => [
    `/v2/users/${id}`,
    ...below(`/v2/users/${id}/contacts`, parts['contacts']),
    ...below(`/v2/users/${id}/notification-rules`, parts['notificationRules']),
  ],
  teams: (id, { parts }) => [`/v2/teams/${id}`, ...below(`/v2/teams/${id}/routing-rules`, parts['routingRules'])],
  schedules: (id, { value }) => [`/v2/schedules/${id}`, ...below(`/v2/schedules/${id}/rotations`, value.rotations)],
  escalations: (id) => [`/v2/escalations/${id}`],
  integrations: (id, { parts }) => [
    `/v2/integrations/${id}`,
    ...((parts['actions'] ?? []).length > 0 ? [`/v2/integrations/${id}/actions`] : []),
  ],
  policies: (id, { value: { teamId } }) => [`/v2/policies/${id}${teamId === undefined ? '' : `?teamId=${teamId}`}`],
  maintenance: (id) => [`/v1/maintenance/${id}`],
  heartbeats: (id) => [`/v2/heartbeats/${encodeURIComponent(id)}`],
};

const pathsIn = (folder: string): readonly string[] =>
  Object.entries(PROVIDER_READS).flatMap(([kind, paths]) =>
    Object.entries(thingsIn(folder, kind)).flatMap(([id, thing]) => paths(id, thing as Described)),
  );

/** What is read at each path, without times. Heartbeats are moved disabled, until the cut-over. */
async function readAt(api: Api, paths: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const read = await mapConcurrent(8, paths, async (path) => [path, withoutTimes(await api.read(path), path)] as const);
  return Object.fromEntries(read);
}

const withoutTimes = (data: unknown, path: string): unknown =>
  JSON.parse(JSON.stringify(data), (name, value: unknown) =>
    VOLATILE.has(name) || (name === 'enabled' && path.startsWith('/v2/heartbeats/')) ? undefined : value,
  );

const KINDS = [
  ...['roles', 'users', 'teams', 'schedules', 'escalations', 'forwarding-rules', 'integrations'],
  ...['policies', 'policies-v1', 'maintenance', 'saved-searches'],
];

describe('the import of an account that has everything', () => {
  it('makes B answer as A does, also to the reads of the Terraform provider, writes nothing when it is repeated, and is found whole', async () => {
    await fillAccount(a.api, 'a.example.com');
    await a.settle();
    const snapshot = await fetched(a.api.url, 'a');
    const from = ['--from-snapshot', snapshot];

    const applied = await cli.run('import', 'apply', ...from, '--adopt', '--json');
    expect([applied.stderr, applied.code]).toEqual(['', 0]);
    expect(JSON.parse(applied.stdout)).toMatchObject({ refused: [], changed: expect.any(Number) });
    await b.settle();

    const arrived = await fetched(b.api.url, 'b');
    for (const kind of KINDS)
      expect({ kind, things: thingsIn(arrived, kind) }).toEqual({ kind, things: thingsIn(snapshot, kind) });
    expect(Object.values(thingsIn(arrived, 'heartbeats'))).toMatchObject([
      { value: { enabled: false } },
      { value: { enabled: false } },
    ]);
    const paths = pathsIn(snapshot);
    expect(paths.length).toBeGreaterThan(40);
    expect(await readAt(b.api, paths)).toEqual(await readAt(a.api, paths));

    const planned = await cli.run('import', 'plan', ...from);
    expect([planned.stderr, planned.code]).toEqual(['', 0]);
    const before = await b.published().records();
    const again = await cli.run('import', 'apply', ...from, '--json');
    expect([again.stderr, again.code]).toEqual(['', 0]);
    expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, changed: 0, deleted: 0, unchanged: 0, refused: [] });
    expect(await b.published().records()).toBe(before);

    const verified = await cli.run('import', 'verify', ...from);
    expect([verified.stderr, verified.code]).toEqual(['', 0]);
  });
});
