import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Outcome } from '../testing/command-fixture.ts';
import { keyFileOf, secretsIn, useMove } from '../testing/account-fixture.ts';

const move = useMove();

const source = (): readonly string[] => ['--from', move.opsgenie.url, '--key-file', keyFileOf(move.person)];
const findings = (...args: readonly string[]): Promise<Outcome> => move.person.types('import', 'findings', ...args);

interface Report {
  readonly errorCount: number;
  readonly findings: readonly {
    readonly kind: string;
    readonly severity: string;
    readonly entity: { readonly name: string };
    readonly message: string;
    readonly periods?: readonly object[];
  }[];
  readonly notKnown: readonly { readonly what: string }[];
}

async function report(...args: readonly string[]): Promise<Report> {
  return JSON.parse((await findings(...(args.length === 0 ? source() : args), '--json')).stdout) as Report;
}

const ofKind = ({ findings: all }: Report, kind: string): readonly string[] =>
  all.filter((each) => each.kind === kind).map(({ entity, severity }) => `${severity}: ${entity.name}`);

describe('tocsin import findings', () => {
  it('names what reaches no recipient, users who cannot be paged, gaps, and what is off', async () => {
    const found = await report();
    expect(found.findings.map(({ entity, kind, severity }) => `${severity} ${kind} ${entity.name}`)).toEqual([
      'error user-without-contact grace@example.com',
      'error user-without-rule linus@example.com',
      'error schedule-gap Nights',
      'error policy-suppresses-all Quiet',
      'warning routing-without-recipient Data',
      'warning rule-never-matches Ops',
      'warning policy-disabled Off',
      'warning integration-disabled Old Nagios',
      'warning heartbeat-disabled never pinged',
    ]);
    expect(found.errorCount).toBe(4);
    expect(found.findings.find(({ kind }) => kind === 'schedule-gap')).toMatchObject({
      message:
        'No user is on call in schedule [Nights] for 8 h of the 14 days, first from 2026-03-04T12:00:00.000Z to 2026-03-04T20:00:00.000Z.',
      periods: [{ startDate: '2026-03-04T12:00:00.000Z', endDate: '2026-03-04T20:00:00.000Z' }],
    });
    expect(found.findings.find(({ kind }) => kind === 'rule-never-matches')?.message).toBe(
      'Routing rule [Critical] of team [Ops] matches no alert: routing rule [All] takes each of them before.',
    );
  });

  it('prints text with the remedies, and Markdown in which names mean nothing', async () => {
    Object.assign(move.opsgenie.account.teams[1] ?? {}, { name: '*Data* <b>' });
    const text = await findings(...source());
    expect([text.code, text.stderr]).toEqual([1, 'tocsin: 4 errors.\n']);
    expect(text.stdout).toContain('Account [Example], read 2026-03-02T08:00:00.000Z: 4 errors, 5 warnings');
    expect(text.stdout).toContain(
      'Times without a user on call (error):\n  - No user is on call in schedule [Nights] for 8 h',
    );
    expect(text.stdout).toContain('Add a rotation or an override for these times.');
    expect(text.stdout).toContain('  - users: 4');
    const markdown = await findings(...source(), '--markdown');
    expect(markdown.stdout).toContain('# Account \\[Example\\], read');
    expect(markdown.stdout).toContain(
      '## Routing rules that reach no recipient (warning)\n\n- The default routing rule',
    );
    expect(markdown.stdout).toContain('\\[\\*Data\\* \\<b\\>\\]');
    expect(secretsIn(text.stdout + markdown.stdout)).toEqual([]);
  });

  it('reads a snapshot without asking the account, and keeps no files where it reads the account', async () => {
    const folder = path.join(move.person.home, 'snapshot');
    await move.person.types('import', 'fetch', ...source(), '--to', folder);
    const asked = move.opsgenie.requests.length;
    const ofSnapshot = await report('--from-snapshot', folder);
    expect(move.opsgenie.requests.length).toBe(asked);
    expect(await report()).toEqual(ofSnapshot);
    const own = `tocsin-findings-${process.pid}-`;
    expect(fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith(own))).toEqual([]);
  });

  it('follows routing rules through escalations to schedules, teams and users', async () => {
    const [escalation = {}] = move.opsgenie.account.escalations;
    const [teams, users, schedules] = [
      move.opsgenie.account.teams,
      move.opsgenie.account.users,
      move.opsgenie.account.schedules,
    ];
    const [ops, data, left, retired] = [teams[0], teams[1], users[3], schedules[2]].map((each) => String(each?.['id']));
    const leadsTo = async (...recipients: readonly object[]): Promise<readonly string[]> => {
      escalation['rules'] = recipients;
      return ofKind(await report(), 'routing-without-recipient').filter((text) => text !== 'warning: Data');
    };
    const reached: readonly string[] = [];
    // The rule for all and the default rule, of which the latter is never asked.
    const unreached = ['error: Ops'];
    expect(await leadsTo({ recipient: { type: 'schedule', id: retired } })).toEqual(unreached);
    expect(await leadsTo({ recipient: { type: 'user', id: left } })).toEqual(unreached);
    expect(await leadsTo({ notifyType: 'all', recipient: { type: 'team', id: data } })).toEqual(unreached);
    expect(await leadsTo({ notifyType: 'default', recipient: { type: 'team', id: data } })).toEqual(reached);
    expect(await leadsTo({ notifyType: 'admins', recipient: { type: 'team', id: ops } })).toEqual(reached);
    expect(await leadsTo({ recipient: { type: 'user', id: 'deleted' } })).toEqual(unreached);
    expect(
      await leadsTo(
        { recipient: { type: 'user', id: left } },
        { recipient: { type: 'user', id: String(users[0]?.['id']) } },
      ),
    ).toEqual(reached);
    move.opsgenie.account.escalations = [];
    // A rule whose escalation does not exist takes no alert, so that later rules are asked.
    const found = await report();
    expect(ofKind(found, 'routing-without-recipient')).toEqual(['warning: Data', 'error: Ops', 'error: Ops'].sort());
    expect(ofKind(found, 'rule-never-matches')).toEqual([]);
  });

  it('says what it does not know: gaps without a timeline, and unused integrations', async () => {
    const folder = path.join(move.person.home, 'OpsGenieBackups', 'schedules');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(
      path.join(folder, 's.json'),
      JSON.stringify({ schedule: { id: 's', name: 'Nights', enabled: true } }),
    );
    const found = await report('--from-backup', move.person.home);
    expect([found.findings, found.notKnown.map(({ what }) => what)]).toEqual([
      [],
      ['Which integrations and keys are unused', 'Times without a user on call in schedule [Nights]'],
    ]);
    expect((await findings('--from-backup', move.person.home)).code).toBe(0);
  });

  it('takes no timeline that ends too early for one without a user on call', async () => {
    const folder = path.join(move.person.home, 'snapshot');
    await move.person.types('import', 'fetch', ...source(), '--to', folder);
    const file = path.join(folder, 'schedules.jsonl');
    const text = fs.readFileSync(file, 'utf8').replaceAll('2026-03-17T00:00:00.000Z', '2026-03-15T00:00:00.000Z');
    fs.writeFileSync(file, text);
    const manifest = path.join(folder, 'manifest.json');
    const written = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { kinds: { schedules: object } };
    Object.assign(written.kinds.schedules, { sha256: createHash('sha256').update(text).digest('hex') });
    fs.writeFileSync(manifest, JSON.stringify(written));
    const found = await report('--from-snapshot', folder);
    expect(ofKind(found, 'schedule-gap')).toEqual([]);
    expect(found.notKnown.map(({ what }) => what)).toContain('Times without a user on call in schedule [Nights]');
  });

  it('exits with 2 for two sources, none, and a folder without a snapshot', async () => {
    const two = await findings(...source(), '--from-snapshot', move.person.home);
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('Name one source')]);
    expect((await findings()).code).toBe(2);
    const none = await findings('--from-snapshot', move.person.home);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('has no snapshot')]);
    expect(move.opsgenie.requests).toEqual([]);
  });
});
