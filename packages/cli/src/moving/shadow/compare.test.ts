import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OPSGENIE_KEYS, type OpsgenieDouble, startOpsgenie } from '@tocsin/testkit';
import { impatient } from '../../testing/account-fixture.ts';
import { OpsgenieClient } from '../opsgenie-client.ts';
import { compareAlerts, reachedNone } from './compare.ts';
import type { ComparedAlert } from './compared-file.ts';

const START = Date.parse('2026-03-02T08:00:00Z');
const MINUTE = 60_000;

/** Both sides answer alike, so a second double stands for Tocsin. */
let [theirs, ours]: OpsgenieDouble[] = [];
let kept: Map<string, ComparedAlert>;
let nowMs: number;

beforeEach(async () => {
  [theirs, ours] = [await startOpsgenie(), await startOpsgenie()];
  kept = new Map();
  nowMs = START + 60 * MINUTE;
});
afterEach(async () => {
  await theirs?.stop();
  await ours?.stop();
});

const instant = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();
const idOf = (number: number): string => `70000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** An alert of a side, and when it reached which users, in minutes after the start. */
function reaches(
  side: OpsgenieDouble | undefined,
  number: number,
  users: Readonly<Record<string, number>>,
  over: object = {},
): void {
  const id = idOf(number);
  const alert = { id, message: `m${number}`, createdAt: instant(0), updatedAt: instant(1), status: 'closed', ...over };
  side?.account.alerts.push(alert);
  const recipients = Object.entries(users).map(([name, minutes]) => ({
    user: { id: name, username: `${name}@example.com` },
    createdAt: instant(minutes),
  }));
  side?.account.alertRecipients.set(id, recipients);
  side?.account.alertLogs.set(id, [{ createdAt: instant(0), log: `log of ${number}` }]);
}

async function compared(): Promise<readonly ComparedAlert[]> {
  const clientOf = (side: OpsgenieDouble | undefined) =>
    new OpsgenieClient({ url: side?.url ?? '', key: OPSGENIE_KEYS.account }, impatient());
  const changing = await compareAlerts(
    {
      ...{ opsgenie: clientOf(theirs), tocsin: clientOf(ours), now: () => new Date(nowMs), progress: () => undefined },
      kept: { has: (id) => kept.has(id), append: (alert) => void kept.set(alert.id, alert) },
    },
    { since: new Date(START), toleranceMs: MINUTE },
  );
  return [...kept.values(), ...changing];
}

describe('a comparison of alerts', () => {
  it('says of each user whether both sides reached them at the same time, with both logs where they did not', async () => {
    reaches(theirs, 1, { ada: 0 });
    reaches(ours, 1, { ada: 0.5 });
    reaches(theirs, 2, { ada: 0, grace: 5 });
    reaches(ours, 2, { ada: 0, linus: 5 });
    const [same, other] = await compared();
    expect(same).toMatchObject({ message: 'm1', users: [{ user: 'ada@example.com', result: 'same' }] });
    expect(same).not.toHaveProperty('logs');
    expect(other).toMatchObject({
      users: [
        { user: 'ada@example.com', result: 'same' },
        { user: 'grace@example.com', result: 'missing' },
        { user: 'linus@example.com', result: 'extra' },
      ],
      logs: { theirs: [`${instant(0)} log of 2`], ours: [`${instant(0)} log of 2`] },
    });
  });

  it('never counts an alert as the same that one side lacks', async () => {
    reaches(theirs, 1, {});
    expect(await compared()).toMatchObject([{ notComparable: 'Tocsin has no such alert.' }]);
    reaches(ours, 1, {});
    expect(await compared()).toMatchObject([{ users: [] }]);
  });

  it('never counts an alert as the same that reached no user, and says so', async () => {
    reaches(theirs, 1, {}, { responders: [{ type: 'user', id: 'ada' }] });
    reaches(ours, 1, {});
    reaches(theirs, 2, { ada: 0 });
    reaches(ours, 2, {});
    const [none, missing] = await compared();
    expect([none && reachedNone(none), missing && reachedNone(missing)]).toEqual([true, false]);
    expect(missing).toMatchObject({ users: [{ user: 'ada@example.com', result: 'missing' }] });
  });

  it('is not possible where a recipient cannot be read, or where Tocsin has two alerts', async () => {
    reaches(theirs, 1, {});
    reaches(ours, 1, {});
    theirs?.account.alertRecipients.set(idOf(1), [{ user: { id: 'ada' }, state: 'notactive' }]);
    reaches(theirs, 2, {});
    reaches(ours, 2, {});
    ours?.account.alerts.push({ id: 'another', alias: idOf(2), message: 'm2', createdAt: instant(0) });
    expect((await compared()).map(({ notComparable }) => notComparable)).toEqual([
      ...['A recipient of the alert has no user or no time.', 'Tocsin has more than one such alert.'],
    ]);
  });

  it.each([
    ['that is open in Tocsin', { status: 'open' }, { ada: 0 }],
    ['that reached a user lately', {}, { ada: 0, grace: 59.5 }],
  ])('keeps no alert %s, because it can reach further users', async (_which, over, users) => {
    reaches(theirs, 1, { ada: 0 });
    reaches(ours, 1, users, over);
    await compared();
    expect(kept.size).toBe(0);
    nowMs += 2 * MINUTE;
    ours?.account.alertRecipients.get(idOf(1))?.push({ user: { username: 'linus' }, createdAt: instant(60) });
    expect(await compared()).toMatchObject([
      { users: expect.arrayContaining([{ user: 'linus', result: 'extra', oursMs: START + 60 * MINUTE }]) },
    ]);
  });

  it('keeps what can change no more, and asks for the rest again', async () => {
    reaches(theirs, 1, { ada: 0 });
    reaches(ours, 1, { ada: 0 });
    reaches(theirs, 2, { ada: 0 }, { status: 'open' });
    reaches(ours, 2, { ada: 0 }, { status: 'open' });
    reaches(theirs, 3, { ada: 0 }, { updatedAt: instant(55) });
    reaches(ours, 3, {});
    expect(await compared()).toHaveLength(3);
    expect([...kept.keys()]).toEqual([idOf(1)]);
    const before = ours?.requests.length ?? 0;
    ours?.account.alertRecipients.set(idOf(3), theirs?.account.alertRecipients.get(idOf(3)) ?? []);
    expect((await compared()).flatMap(({ users }) => users.map(({ result }) => result))).toEqual(
      Array.from({ length: 3 }, () => 'same'),
    );
    const asked = ours?.requests.slice(before).map(({ path }) => path) ?? [];
    expect(asked.filter((path) => path.endsWith('/recipients'))).toHaveLength(2);
  });

  it('does not compare yet what was reached within the tolerance', async () => {
    nowMs = START + 2 * MINUTE;
    reaches(theirs, 1, { ada: 0, grace: 1.5 }, { status: 'open' });
    reaches(ours, 1, { ada: 0 }, { status: 'open' });
    expect(await compared()).toMatchObject([
      { users: [{ result: 'same' }, { user: 'grace@example.com', result: 'not yet' }] },
    ]);
  });
});
