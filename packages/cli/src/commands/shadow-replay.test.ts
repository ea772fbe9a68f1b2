import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keyFileOf, useMove } from '../testing/account-fixture.ts';
import { type Outcome } from '../testing/command-fixture.ts';
import { TocsinDouble } from '../testing/tocsin-double.ts';

const move = useMove();
let tocsin: TocsinDouble;
/** When Tocsin would send the first of two messages to each user, in minutes after the alert. */
let pages: Readonly<Record<string, number>>;
let answer: object;

const ID = '70000000-0000-4000-8000-000000000001';
const CREATED = Date.parse('2026-03-01T09:00:00Z');
const after = (minutes: number): string => new Date(CREATED + minutes * 60_000).toISOString();

beforeEach(async () => {
  tocsin = new TocsinDouble();
  move.person.env = { TOCSIN_URL: await tocsin.start(), TOCSIN_KEY: 'a-key-of-tocsin' };
  [pages, answer] = [{}, {}];
  tocsin.answerTo = () => ({
    outcome: 'paged',
    truncated: false,
    steps: [{ at: after(0), subject: 'routing-rule', outcome: 'matched', text: 'The default routing rule matched.' }],
    messages: Object.entries(pages).flatMap(([name, minutes]) =>
      [minutes, minutes + 10].map((minute) => ({
        ...{ at: after(minute), method: 'email', user: { id: name, username: `${name}@example.com` } },
      })),
    ),
    ...answer,
  });
});
afterEach(() => {
  tocsin.stop();
});

/** An alert of Opsgenie, and when it reached which users, in minutes after it. */
function theirs(users: Readonly<Record<string, number>>, over: object = {}): void {
  const { account } = move.opsgenie;
  const team = account.teams[0]?.['id'];
  account.alerts = [
    {
      ...{ id: ID, message: 'Disk full', alias: 'disk', createdAt: after(0), updatedAt: after(1), status: 'open' },
      ...{ ownerTeamId: team, responders: [{ type: 'team', id: team }], ...over },
    },
  ];
  const reached = Object.entries(users).map(([name, minutes]) => ({
    ...{ user: { username: `${name}@example.com` }, createdAt: after(minutes) },
  }));
  account.alertRecipients.set(ID, reached);
  account.alertLogs.set(ID, [{ createdAt: after(0), log: 'Notified by escalation' }]);
}

const replay = (...options: readonly string[]): Promise<Outcome> =>
  move.person.types(
    ...['shadow', 'replay', '--from', move.opsgenie.url, '--key-file', keyFileOf(move.person)],
    ...['--json', ...options],
  );

interface Report {
  readonly different: readonly { readonly users: readonly { readonly user: string; readonly result: string }[] }[];
}

const resultsIn = ({ stdout }: Outcome): readonly string[] =>
  (JSON.parse(stdout) as Report).different.flatMap(({ users }) =>
    users.map(({ result, user }) => `${user.split('@')[0] ?? ''} ${result}`),
  );

describe('tocsin shadow replay', () => {
  it('asks for the simulation of each alert at its time, without an alias that an open alert may have', async () => {
    theirs({ ada: 0 });
    pages = { ada: 0.5 };
    expect(await replay()).toMatchObject({ code: 0, stderr: '' });
    const team = move.opsgenie.account.teams[0]?.['id'];
    expect(Object.fromEntries(tocsin.written)).toEqual({
      'POST /v2/alerts/simulate': {
        ...{ message: 'Disk full', description: 'a text', details: { key: 'value' }, at: after(0) },
        responders: [{ type: 'team', id: team }],
      },
    });
  });

  it('says which users would have been reached otherwise, with both explanations', async () => {
    theirs({ ada: 0, grace: 5 });
    pages = { ada: 3, linus: 5 };
    const different = await replay();
    expect([resultsIn(different), different.code]).toEqual([['ada late', 'grace missing', 'linus extra'], 1]);
    expect(different.stdout).toContain('Notified by escalation');
    expect(different.stdout).toContain('The default routing rule matched.');
  });

  it('leaves out users whom a side reached after the alert was acknowledged or closed in Opsgenie', async () => {
    theirs({ ada: 0, barbara: 30 }, { report: { ackTime: 600_000 } });
    pages = { ada: 0, grace: 20 };
    expect(await replay()).toMatchObject({ code: 0 });
    pages = { ada: 0, grace: 5 };
    expect(resultsIn(await replay())).toEqual(['ada same', 'grace extra']);
  });

  it('never counts an alert as the same that Tocsin does not simulate, or not to its end', async () => {
    theirs({});
    answer = { truncated: true };
    expect(await replay()).toMatchObject({ code: 2, stdout: expect.stringContaining('longer than its answer') });
    move.opsgenie.account.alerts = [];
    expect(await replay()).toMatchObject({ code: 2, stderr: 'tocsin: No alert was created in the last 30 days.\n' });
  });

  it('says what a simulation does not know', async () => {
    theirs({ ada: 0 });
    pages = { ada: 0 };
    const { stdout } = await move.person.types(
      ...['shadow', 'replay', '--from', move.opsgenie.url, '--key-file', keyFileOf(move.person)],
    );
    expect(stdout).toContain('overrides that have ended, and changes since an alert, are not known.');
  });
});
