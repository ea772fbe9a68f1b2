import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MirrorFile } from '../moving/shadow/mirror-file.ts';
import { beginMirror, keyFileOf, secretsIn, useMove } from '../testing/account-fixture.ts';
import { type Outcome } from '../testing/command-fixture.ts';
import { TocsinDouble } from '../testing/tocsin-double.ts';

const move = useMove();
let tocsin: TocsinDouble;
let url: string;
/** Of the switch of shadow; the command runs at 2026-03-02T08:00:00Z. */
let shadow: object;
/** The users whom the alert reached in Tocsin; undefined where they are those of Opsgenie. */
let ourRecipients: readonly object[] | undefined;

const ALERT = '70000000-0000-4000-8000-000000000001';

beforeEach(async () => {
  tocsin = new TocsinDouble();
  url = await tocsin.start();
  move.person.env = { TOCSIN_URL: url, TOCSIN_KEY: 'a-key-of-tocsin' };
  shadow = { enabled: true, changedAt: '2026-02-01T08:00:00Z' };
  ourRecipients = undefined;
  tocsin.data = ({ pathname, searchParams }) => {
    if (pathname === '/v2/account/shadow') return shadow;
    if (pathname === '/v2/account/opsgenie-keys') return [LEARNED];
    if (pathname === '/v2/alerts' && searchParams.get('query') === `alias: "${ALERT}"`)
      return [{ id: 'ours', status: 'closed' }];
    if (pathname === '/v2/alerts/ours/recipients')
      return ourRecipients ?? move.opsgenie.account.alertRecipients.get(ALERT);
    return pathname === '/v2/alerts/ours/explanation' ? { steps: [] } : undefined;
  };
});
afterEach(() => {
  tocsin.stop();
});

/** A key with which a tool sends to Opsgenie through Tocsin. */
const LEARNED = { sha256: 'f'.repeat(64), lastAt: '2026-03-02T07:00:00Z', requests: 3, operation: 'create-alert' };

const REFUSED = { refuse: 401, body: '{"message":"Could not authenticate"}' } as const;

const folder = (name: string): string => path.join(move.person.home, name);
const from = (): readonly string[] => ['--from', move.opsgenie.url, '--key-file', keyFileOf(move.person)];

const check = (...options: readonly string[]): Promise<Outcome> =>
  move.person.types(
    ...['cutover', 'check', ...from(), '--from-snapshot', folder('snapshot'), '--place', folder('mirror')],
    ...['--zone', 'Europe/Berlin', '--locale', 'en_GB', ...options],
  );

interface Found {
  readonly conditions: readonly { readonly name: string; readonly state: string; readonly summary: string }[];
  readonly steps: readonly { readonly step: number; readonly missing: readonly string[] }[];
}

const statesIn = (outcome: Outcome) =>
  Object.fromEntries((JSON.parse(outcome.stdout) as Found).conditions.map(({ name, state }) => [name, state]));

/** A snapshot of the account, and a mirror that was begun. */
async function begin(): Promise<void> {
  await move.person.types('import', 'fetch', ...from(), '--to', folder('snapshot'));
  beginMirror(folder('mirror'), { from: move.opsgenie.url, to: url });
}

/** Makes an alert that reached one user on both sides, or none. */
function alert(createdAt: string, status: string, user?: string): void {
  move.opsgenie.account.alerts = [{ id: ALERT, message: 'Disk full', createdAt, status }];
  const recipients = user === undefined ? [] : [{ user: { username: user }, createdAt }];
  move.opsgenie.account.alertRecipients.set(ALERT, recipients);
}

describe('tocsin cutover check', () => {
  it('evaluates each condition, names what is missing for each step of the switch, and writes nothing to Tocsin', async () => {
    await begin();
    alert('2026-03-01T09:00:00Z', 'open', 'ada@example.com');
    const { code, stderr, stdout } = await check();
    expect([code, stderr]).toEqual([1, 'tocsin: Not yet: imported, on-call, alerts.\n']);
    expect(stdout).toMatch(/^imported +UNMET +0 of \d+ things are as in the snapshot of 2026-03-02T08:00:00\.000Z\.$/m);
    expect(stdout).toMatch(/^on-call +UNMET +Of 3 schedules 0 differ and 3 could not be compared/m);
    expect(stdout).toMatch(/^duration +met +Shadow has been on for 29 days/m);
    expect(stdout).toMatch(
      /^alerts +UNMET +1 of 200 alerts were compared, and no routing rule notifies a recipient\.$/m,
    );
    expect(stdout).toMatch(/^differences +met +Of 1 alert 0 differ/m);
    expect(stdout).toContain('  - Missing in Tocsin: users [ada@example.com]\n');
    expect(stdout).toContain(`
2. Have each tool send to Tocsin, and import its key
  - No integration sent 1 alert to Opsgenie in the last 24 hours, and none through Tocsin with an imported key.
  - The key ffffffffffff… sent 3 requests through Tocsin and is not imported: tocsin import keys
3. End \`tocsin shadow mirror\`
4. \`tocsin shadow stop\`: Tocsin pages users
  - alerts is unmet: 1 of 200 alerts were compared`);
    expect(stdout).toContain(`
5. Enable the heartbeats, and send a test alert by one tool of each team
  - The heartbeat [nightly backup] is not enabled in Tocsin.
`);
    expect(tocsin.written.size + tocsin.imported.size).toBe(0);
    expect(secretsIn(stdout)).toEqual([]);
  });

  it('says that a condition is unknown where a side cannot be read, and evaluates the others', async () => {
    await begin();
    move.opsgenie.always(REFUSED);
    const outcome = await check('--json');
    expect(outcome.code).toBe(1);
    expect(statesIn(outcome)).toEqual({
      ...{ imported: 'unmet', 'on-call': 'unknown', duration: 'met', alerts: 'unknown', differences: 'unknown' },
    });
  });

  it('exits with 2 where a condition is unknown and none is unmet', async () => {
    move.opsgenie.always(REFUSED);
    const outcome = await check('--json');
    expect(statesIn(outcome)).toMatchObject({ imported: 'unknown', duration: 'met', differences: 'unknown' });
    expect(outcome.stdout).toContain('has no mirror.');
    expect([outcome.code, outcome.stderr]).toEqual([2, 'tocsin: Not known: imported, on-call, alerts, differences.\n']);
  });

  it('does not take a snapshot of another account', async () => {
    await begin();
    const manifest = path.join(folder('snapshot'), 'manifest.json');
    const text = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, text.replaceAll(move.opsgenie.url, 'https://api.opsgenie.example'));
    const { conditions } = JSON.parse((await check('--json')).stdout) as Found;
    expect(conditions[0]).toMatchObject({
      ...{ name: 'imported', state: 'unknown' },
      summary: `${folder('snapshot')} is a snapshot of https://api.opsgenie.example.`,
    });
  });

  it('begins the 14 days anew after a stop and a start', async () => {
    await begin();
    shadow = { enabled: true, changedAt: '2026-03-01T08:00:00Z' };
    expect((await check()).stdout).toMatch(/^duration +UNMET +Shadow has been on for 1 of 14 days/m);
  });

  it('publishes the conditions where that is asked for, and nothing else', async () => {
    await begin();
    const { code, stderr, stdout } = await check('--publish', '--json');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Published: the console shows it.')]);
    const { conditions } = JSON.parse(stdout) as Found;
    expect(Object.fromEntries(tocsin.written)).toEqual({
      'PUT /v2/account/move': { from: move.opsgenie.url, checkedAt: '2026-03-02T08:00:00.000Z', conditions },
    });
  });

  it('asks which routing rules took an alert once, after it can change no more', async () => {
    await begin();
    alert('2026-02-20T09:00:00Z', 'closed', 'ada@example.com');
    await check();
    await check();
    expect(tocsin.requests.filter((each) => each.includes('/explanation'))).toHaveLength(1);
    expect(readdirSync(folder('mirror')).toSorted()).toEqual([
      'compared-60s.jsonl',
      'mirror.json',
      'reported.json',
      'routes.jsonl',
    ]);
  });

  it('names how many alerts of the mirror Tocsin has refused', async () => {
    await begin();
    const file = MirrorFile.open(folder('mirror'), { from: move.opsgenie.url, to: url }, new Date());
    file.save(1, ['a', 'b']);
    file.close();
    expect((await check()).stdout).toContain(
      '\n3. End `tocsin shadow mirror`\n  - Tocsin refused 2 alerts: `tocsin shadow mirror` names them.\n4.',
    );
  });

  it('counts no alert that reached no user', async () => {
    await begin();
    alert('2026-03-01T09:00:00Z', 'open');
    expect((await check()).stdout).toMatch(/^alerts +UNMET +0 of 200 alerts were compared/m);
  });

  it('counts no alert of which no user was compared', async () => {
    await begin();
    alert('2026-03-01T09:00:00Z', 'open');
    move.opsgenie.account.alerts[0] = { ...move.opsgenie.account.alerts[0], report: { ackTime: 60_000 } };
    ourRecipients = [{ user: { username: 'ada@example.com' }, createdAt: '2026-03-01T09:01:10Z' }];
    const { stdout } = await check();
    expect(stdout).toMatch(/^alerts +UNMET +0 of 200 alerts were compared/m);
    expect(stdout).toMatch(/^differences +met +Of 1 alert 0 differ/m);
  });

  it('prints Markdown', async () => {
    await begin();
    expect((await check('--markdown')).stdout).toMatch(/^# Where the move stands\n\n.*\n\n\| condition \| state \| \|/);
  });
});
