import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { casesOf, OPSGENIE_KEYS, type OpsgenieDouble, startOpsgenie } from '@tocsin/testkit';
import { CommandLine } from '../system/command-line.ts';
import { type Fault, FAULTS, FaultyProxy, type PassedRequest } from '../system/faulty-proxy.ts';
import { accountNumber } from '../system/numbered-account.ts';
import { useSystem } from '../system/system.ts';

const system = useSystem();
let proxy: FaultyProxy;
let cli: CommandLine;
let old: OpsgenieDouble;
let accounts = 0;

beforeAll(async () => {
  proxy = await FaultyProxy.start(() => system.api.url);
});
afterAll(() => proxy.stop());
beforeEach(async () => {
  accounts += 1;
  old = await startOpsgenie(accountNumber(accounts));
  cli = new CommandLine(proxy.url);
});
afterEach(async () => {
  cli.remove();
  await old.stop();
});

/** A request that takes longer is sent again. */
const TIMEOUT = ['--timeout', '2'];

/** The options of an import of a new snapshot of the account, with keys. */
async function snapshotOptions(): Promise<readonly string[]> {
  const [key, keys, folder] = ['key.txt', 'keys.csv', 'snapshot'].map((name) => path.join(cli.folder, name)) as [
    string,
    string,
    string,
  ];
  fs.writeFileSync(key, OPSGENIE_KEYS.account, { mode: 0o600 });
  const integrations = old.account.integrations.filter(({ type }) => type !== 'Webhook');
  const lines = integrations.map(({ id }) => `${String(id)},${crypto.randomUUID()}`);
  fs.writeFileSync(keys, lines.join('\n'), { mode: 0o600 });
  await cli.json('import', 'fetch', '--from', old.url, '--key-file', key, '--to', folder, '--with-secrets');
  return ['--from-snapshot', folder, '--zone', 'Europe/Berlin', '--locale', 'en_GB', '--keys', keys];
}

const LISTS: Readonly<Record<string, string>> = {
  roles: '/v2/roles',
  users: '/v2/users?limit=1',
  teams: '/v2/teams',
  schedules: '/v2/schedules',
  escalations: '/v2/escalations',
  'forwarding rules': '/v2/forwarding-rules',
  integrations: '/v2/integrations',
  'alert policies': '/v2/policies/alert',
  'policies of version 1': '/v1/policies',
  maintenance: '/v1/maintenance?type=non-expired',
  heartbeats: '/v2/heartbeats',
  'saved searches': '/v2/alerts/saved-searches',
};

/** How many things of each kind Tocsin has. */
async function counts(): Promise<Readonly<Record<string, number>>> {
  const found = await Promise.all(
    Object.entries(LISTS).map(async ([kind, list]) => {
      const { data, totalCount } = (await system.api.expect(200, 'GET', list)).body;
      const items = Array.isArray(data) ? data : Object.values(data ?? {}).flat();
      return [kind, typeof totalCount === 'number' ? totalCount : items.length] as const;
    }),
  );
  return Object.fromEntries(found);
}

/** The first sending of each request meets the fault that `faultOf` names for it; those after it pass. */
function faultOnce(faultOf: (request: PassedRequest) => Fault | undefined): { readonly met: () => number } {
  const seen = new Set<string>();
  let met = 0;
  proxy.faultOf = (request) => {
    const name = `${request.method} ${request.path}`;
    if (seen.has(name)) return undefined;
    seen.add(name);
    const fault = faultOf(request);
    if (fault !== undefined) met += 1;
    return fault;
  };
  return { met: () => met };
}

/** What one account adds. Version 1 lists the alert policy of the account too. */
const ONE_ACCOUNT = {
  ...{ roles: 1, users: 4, teams: 2, schedules: 3, escalations: 1, 'forwarding rules': 1, integrations: 3 },
  ...{ 'alert policies': 1, 'policies of version 1': 2, maintenance: 1, heartbeats: 2, 'saved searches': 1 },
};
const SLOW = 'gets no answer until the client gives up';
const QUICK = FAULTS.filter((fault) => fault !== SLOW);

/** The first write of each kind gets no answer in time; each other request meets one of the other faults in turn. */
function eachInTurn(): (request: PassedRequest) => Fault | undefined {
  const kinds = new Set<string>();
  let turn = 0;
  return ({ path: asked }) => {
    const kind = /^\/v2\/imports\/([^/]+)/.exec(asked)?.[1];
    if (kind !== undefined && kinds.size < kinds.add(kind).size) return SLOW;
    turn += 1;
    return QUICK[turn % QUICK.length];
  };
}

/** What the requests of one apply meet: usually a mixture of all faults, in deep runs one fault for all of them. */
const RUNS = casesOf<readonly (readonly [string, () => (request: PassedRequest) => Fault | undefined])[]>({
  usual: [['meets one of the faults in turn', eachInTurn]],
  deep: FAULTS.map((fault) => [fault, () => () => fault]),
});

describe('an apply', () => {
  it.each(RUNS)('of which each request %s writes all things, and each once', async (_, faultsOfRun) => {
    const options = await snapshotOptions();
    const before = await counts();
    const faults = faultOnce(faultsOfRun());
    const applied = await cli.run('import', 'apply', ...options, ...TIMEOUT, '--json');
    expect(JSON.parse(applied.stdout)).toMatchObject({ refused: [] });
    expect([applied.code, applied.stderr]).toEqual([0, '']);
    expect(faults.met()).toBeGreaterThanOrEqual(15);
    proxy.faultOf = () => undefined;

    const verified = await cli.run('import', 'verify', ...options.slice(0, -2));
    expect([verified.code, verified.stderr]).toEqual([0, '']);
    const grown = Object.entries(await counts()).map(([kind, count]) => [kind, count - (before[kind] ?? 0)]);
    expect(Object.fromEntries(grown)).toEqual(ONE_ACCOUNT);

    await system.settle();
    const records = await system.published().records();
    const again = await cli.json<object>('import', 'apply', ...options);
    expect(again).toMatchObject({ created: 0, changed: 0, deleted: 0, keys: 0, refused: [] });
    await system.settle();
    expect(await system.published().records()).toBe(records);
  });
});
