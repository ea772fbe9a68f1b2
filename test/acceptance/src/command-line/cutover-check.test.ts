import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MoveBody } from '@tocsin/api';
import {
  OPSGENIE_KEYS,
  opsgenieAccount,
  type OpsgenieAccount,
  type OpsgenieDouble,
  type OpsgenieObject,
  startOpsgenie,
} from '@tocsin/testkit';
import { CommandLine, type Ran } from '../system/command-line.ts';
import { useSystem } from '../system/system.ts';

const system = useSystem();
let cli: CommandLine;
let old: OpsgenieDouble;

beforeEach(async () => {
  cli = new CommandLine(system.api.url);
  old = await startOpsgenie(smallAccount());
  writeFileSync(inFolder('key.txt'), OPSGENIE_KEYS.account, { mode: 0o600 });
  writeFileSync(inFolder('other-key.txt'), '00000000-0000-4000-8000-000000000000', { mode: 0o600 });
  await cli.json('import', 'fetch', ...from(), '--to', inFolder('snapshot'));
  await cli.json('import', 'apply', ...DECIDED, '--from-snapshot', inFolder('snapshot'));
  await system.settle();
});
afterEach(async () => {
  cli.remove();
  await old.stop();
});

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';
const DECIDED = ['--zone', 'Europe/Berlin', '--locale', 'en_GB'];

const inFolder = (name: string): string => path.join(cli.folder, name);
const from = (keyFile = 'key.txt'): readonly string[] => ['--from', old.url, '--key-file', inFolder(keyFile)];
const place = (): readonly string[] => ['--place', inFolder('mirror')];

const check = (keyFile?: string, ...options: readonly string[]): Promise<Ran> =>
  cli.run(
    ...['cutover', 'check', ...from(keyFile), ...place(), '--from-snapshot', inFolder('snapshot'), ...DECIDED],
    ...['--json', ...options],
  );

async function mirror(): Promise<void> {
  const snapshot = ['--from-snapshot', inFolder('snapshot')];
  expect(await cli.run('shadow', 'mirror', ...from(), ...place(), ...snapshot, '--once')).toMatchObject({ code: 0 });
  await system.settle();
}

/** A team whose alerts reach one user, by a schedule in which no other is on call. */
function smallAccount(): OpsgenieAccount {
  const {
    account,
    contacts,
    escalations,
    notificationRules,
    onCall,
    rateLimits,
    routingRules,
    schedules,
    teams,
    users,
  } = opsgenieAccount();
  const [ada, team, schedule] = [users[0] ?? {}, teams[0] ?? {}, schedules[0] ?? {}];
  const [adaId, teamId, scheduleId] = [ada, team, schedule].map(({ id }) => String(id)) as [string, string, string];
  const rotation = ((schedule['rotations'] ?? []) as readonly OpsgenieObject[])[0] ?? {};
  const rules = (routingRules.get(teamId) ?? []).filter((rule) => rule['isDefault'] === true);
  return {
    ...{ account, rateLimits, escalations, users: [{ ...ada, role: { id: 'User', name: 'User' } }] },
    contacts: new Map([[adaId, (contacts.get(adaId) ?? []).slice(0, 1)]]),
    notificationRules: new Map([[adaId, (notificationRules.get(adaId) ?? []).slice(0, 1)]]),
    teams: [{ ...team, members: [{ user: { id: adaId, username: ADA }, role: 'user' }] }],
    routingRules: new Map([[teamId, rules]]),
    schedules: [
      { ...schedule, rotations: [{ ...rotation, participants: [{ type: 'user', id: adaId, username: ADA }] }] },
    ],
    onCall: new Map([[scheduleId, onCall.get(scheduleId) ?? []]]),
    ...{
      roles: [],
      teamRoles: new Map(),
      overrides: new Map(),
      forwardingRules: [],
      integrations: [],
      actions: new Map(),
    },
    ...{ policies: [], deprecatedPolicies: [], maintenance: [], heartbeats: [], savedSearches: [], services: [] },
    ...{ alerts: [], alertRequests: new Map(), alertRecipients: new Map(), alertLogs: new Map() },
  };
}

const idOf = (number: number): string => `70000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Makes an alert of the team in Opsgenie, which reached these users there at that time. */
function theirs(number: number, at: Date, ...names: readonly string[]): void {
  const createdAt = new Date(Date.now() + number).toISOString();
  const [team] = old.account.teams;
  old.account.alerts.push({
    ...{ id: idOf(number), message: `Disk ${number} full`, createdAt, updatedAt: createdAt, status: 'open' },
    ...{ acknowledged: false, snoozed: false, priority: 'P2', tags: ['db'], source: 'nagios' },
    ...{ ownerTeamId: team?.['id'], responders: [{ type: 'team', id: team?.['id'] }] },
  });
  reached(number, at, ...names);
}

/** By the clock of Tocsin, in which alerts are created when they are mirrored. */
function reached(number: number, at: Date, ...names: readonly string[]): void {
  const recipients = names.map((username) => ({ user: { username }, createdAt: at.toISOString() }));
  old.account.alertRecipients.set(idOf(number), recipients);
}

interface Found {
  readonly from: string;
  readonly checkedAt: string;
  readonly conditions: readonly {
    readonly name: string;
    readonly state: string;
    readonly missing: readonly string[];
  }[];
}

/** The state of each condition of a check that Tocsin would take where it is published. */
function statesIn({ stdout }: Ran): Readonly<Record<string, string>> {
  const { checkedAt, conditions, from: url } = JSON.parse(stdout) as Found;
  expect(MoveBody.safeParse({ from: url, checkedAt, conditions }).error).toBeUndefined();
  return Object.fromEntries(conditions.map(({ name, state }) => [name, state]));
}
const MET = { imported: 'met', 'on-call': 'met', duration: 'met', alerts: 'met', differences: 'met' };

describe('tocsin cutover check', () => {
  it('says when Tocsin can take over, what is missing until then, and what could not be read', async () => {
    const before = await check();
    expect(before.code).toBe(1);
    expect(statesIn(before)).toEqual({ ...MET, duration: 'unmet', alerts: 'unknown', differences: 'unknown' });

    await system.api.expect(200, 'PUT', '/v2/account/shadow', { enabled: true });
    await mirror();
    theirs(1, system.clock.now(), ADA);
    await mirror();
    const met = await check();
    expect([met.stderr, statesIn(met), met.code]).toEqual(['', MET, 0]);

    theirs(2, system.clock.now(), ADA, GRACE);
    await mirror();
    const unexplained = await check();
    expect([statesIn(unexplained), unexplained.code]).toEqual([{ ...MET, differences: 'unmet' }, 1]);
    expect(unexplained.stdout).toContain(`Disk 2 full (${idOf(2)}): ${GRACE}: missing`);

    const accepted = await cli.run('shadow', 'accept', idOf(2), '--because', 'Grace was added by hand', ...place());
    expect([accepted.stdout, accepted.code]).toEqual(['1 alert accepted.\n', 0]);
    const explained = await check();
    expect([statesIn(explained), explained.code]).toEqual([MET, 0]);

    const unread = await check('other-key.txt');
    const unknown = { 'on-call': 'unknown', alerts: 'unknown', differences: 'unknown' };
    expect([statesIn(unread), unread.code]).toEqual([{ ...MET, ...unknown }, 2]);
  });
});

describe('tocsin shadow replay', () => {
  const replay = (...options: readonly string[]): Promise<Ran> =>
    cli.run('shadow', 'replay', ...from(), '--from-snapshot', inFolder('snapshot'), ...options);

  it('says which users Tocsin would have reached by the alerts of the last days, and changes nothing', async () => {
    const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
    theirs(11, minutesAgo(0), ADA);
    Object.assign(old.account.alerts[0] ?? {}, { createdAt: minutesAgo(600).toISOString() });
    reached(11, minutesAgo(600), ADA);
    const same = await replay();
    expect([same.stderr, same.code]).toEqual(['', 0]);
    expect(same.stdout).toMatch(/^1 alert since .*; users who were reached within 60 s are the same\.$/m);

    reached(11, minutesAgo(590), ADA, GRACE);
    old.account.alertLogs.set(idOf(11), [{ createdAt: minutesAgo(590).toISOString(), log: 'Sent [Email] to grace' }]);
    const different = await replay();
    expect(different.code).toBe(1);
    expect(different.stdout).toContain(`${ADA}: early; Opsgenie at`);
    expect(different.stdout).toContain(`${GRACE}: missing; Opsgenie at`);
    expect(different.stdout).toContain('Sent [Email] to grace');
    expect(different.stdout).toMatch(/The simulation of Tocsin:\n(.*\n)*? +\S+ Paged ada@example\.com: /);
    expect(await system.api.read(`/v2/alerts?query=${encodeURIComponent('message: "Disk 11 full"')}`)).toEqual([]);
  });
});
