import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OPSGENIE_KEYS, type OpsgenieDouble, startOpsgenie } from '@tocsin/testkit';
import { MirrorFile } from '../moving/shadow/mirror-file.ts';
import { keyFileOf, useMove } from '../testing/account-fixture.ts';
import type { Outcome } from '../testing/command-fixture.ts';

const move = useMove();
/** Both sides answer alike, so a second double stands for Tocsin. */
let tocsin: OpsgenieDouble;
let place: string;

beforeEach(async () => {
  tocsin = await startOpsgenie();
  move.person.env = { TOCSIN_URL: tocsin.url, TOCSIN_KEY: OPSGENIE_KEYS.account };
  place = path.join(move.person.home, 'mirror');
  const sides = { from: move.opsgenie.url, to: tocsin.url };
  const file = MirrorFile.open(place, sides, new Date('2026-03-01T00:00:00Z'));
  file.save(0, []);
  file.close();
});
afterEach(() => tocsin.stop());

const reports = (...options: readonly string[]): Promise<Outcome> => {
  const from = ['--from', move.opsgenie.url, '--key-file', keyFileOf(move.person)];
  return move.person.types('shadow', 'report', ...from, '--place', place, ...options);
};

/** A closed alert of both sides that reached these users, `late` seconds later in Tocsin. */
function alert(id: string, users: readonly string[], late = 0): void {
  const createdAt = '2026-03-01T08:00:00Z';
  for (const [side, seconds] of [
    [move.opsgenie, 0],
    [tocsin, late],
  ] as const) {
    side.account.alerts.push({ id, message: `Disk ${id}`, createdAt, updatedAt: createdAt, status: 'closed' });
    const reachedAt = new Date(Date.parse(createdAt) + seconds * 1_000).toISOString();
    const recipients = users.map((username) => ({ user: { username }, createdAt: reachedAt }));
    side.account.alertRecipients.set(id, recipients);
  }
}

describe('tocsin shadow report', () => {
  it('counts an alert that reached no user by itself, and cannot say where all are such', async () => {
    alert('a', []);
    const none = await reports();
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('No alert reached a user on both sides')]);
    expect(none.stdout).toContain('Alerts that reached no user on either side:\n  Disk a (a), created 2026-03-01');

    alert('b', ['ada']);
    const { code, stderr, stdout } = await reports();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^DAY +ALERTS +NO USER +SAME .*\n2026-03-01 +2 +1 +1 /m);
  });

  it('compares an alert again with another tolerance', async () => {
    alert('a', ['ada'], 600);
    expect(await reports('--tolerance', '900')).toMatchObject({ code: 0 });
    expect(await reports('--tolerance', '60')).toMatchObject({ code: 1, stdout: expect.stringContaining('ada: late') });
    expect(await reports('--tolerance', '900')).toMatchObject({ code: 0 });
  });

  it('lists 20 alerts that could not be compared, without anything that a terminal would obey', async () => {
    for (let number = 0; number < 25; number += 1) alert(`a\u001b[2J${number}`, ['ada']);
    tocsin.account.alerts = [];
    const { stdout } = await reports();
    expect(stdout.match(/^Disk a.*: Tocsin has no such alert\.$/gm)).toHaveLength(20);
    expect(stdout).toContain('\n5 more: --json has all.');
    expect(stdout).not.toContain('\u001b');
  });
});
