import { describe, expect, it } from '@jest/globals';
import { TOPIC_DAYS } from '@tocsin/events';
import { accountKey, signedIn } from '@tocsin/testkit';
import { type Maintenance, maintenanceAt, MAX_WINDOWS } from './maintenance.ts';
import { isTooOld } from '../alerts/retention.ts';
import { setUp } from '../testing/component-fixture.ts';
import { aMaintenance } from '../testing/maintenance-samples.ts';

const NOW = new Date('2026-06-01T00:00:00.000Z');
const UNTIL = new Date(NOW.getTime() - TOPIC_DAYS * 86_400_000);
const after = (ms: number) => new Date(UNTIL.getTime() + ms);
const indefinitely = (id: string, ended: Partial<Maintenance>) =>
  aMaintenance({ id, type: 'indefinitely', startsAt: new Date(0), endsAt: undefined, ...ended });

async function holding(...put: readonly Maintenance[]) {
  const { configuration, maintenances } = await setUp();
  await configuration.change(() => ({ maintenances: { put }, answer: undefined }));
  const ids = async () => (await configuration.current()).maintenances.map(({ id }) => id);
  return { configuration, maintenances, ids };
}

const LONG_OVER: Partial<Maintenance> = { startsAt: new Date(0), endsAt: new Date(1) };
const NEXT = { description: '', time: { type: 'for-1-hour' as const }, rules: [] };

describe('the maximum number of windows', () => {
  it('refuses another one, and writes nothing', async () => {
    const { configuration, maintenances } = await holding(
      ...Array.from({ length: MAX_WINDOWS }, (_, n) => indefinitely(String(n), {})),
    );
    const before = await configuration.current();
    const refused = maintenances.create(NEXT, accountKey);
    await expect(refused).rejects.toThrow(
      'The account has at most 5000 maintenance windows with 50000 rules, and one key or user makes at most half of them.',
    );
    expect(await configuration.current()).toBe(before);
    await maintenances.create(NEXT, { ...accountKey, teamId: 'ops' });
    await maintenances.cancel('0', accountKey);
  });

  it('leaves one key, or one user, half of it', async () => {
    const mine = { madeBy: accountKey.integrationId };
    const { maintenances } = await holding(
      ...Array.from({ length: MAX_WINDOWS / 2 }, (_, n) => indefinitely(String(n), mine)),
    );
    await expect(maintenances.create(NEXT, accountKey)).rejects.toThrow('one key or user makes at most half of them');
    await maintenances.create(NEXT, signedIn({}, { role: 'admin' }));
    await maintenances.create(NEXT, { ...accountKey, integrationId: 'another' });
    await maintenances.cancel('0', accountKey);
  });

  it('makes room for another by removing the window that was over first', async () => {
    const { maintenances, ids } = await holding(
      ...Array.from({ length: MAX_WINDOWS }, (_, n) => aMaintenance({ id: String(n), ...(n === 3 && LONG_OVER) })),
    );
    const { id } = await maintenances.create(NEXT, accountKey);
    const kept = await ids();
    expect([kept.length, kept.includes('3'), kept.includes(id)]).toEqual([MAX_WINDOWS, false, true]);
  });
});

describe('windows that were cancelled or deleted', () => {
  it('are erased after 14 days and not a millisecond before; other windows stay', async () => {
    const { maintenances, ids } = await holding(
      indefinitely('cancelled', { cancelledAt: UNTIL }),
      indefinitely('deleted', { deletedAt: UNTIL }),
      indefinitely('cancelled, then deleted', { cancelledAt: UNTIL, deletedAt: NOW }),
      indefinitely('cancelled later', { cancelledAt: after(1) }),
      indefinitely('deleted later', { deletedAt: after(1) }),
      indefinitely('in force', {}),
      aMaintenance({ id: 'past', startsAt: new Date(0), endsAt: new Date(1) }),
    );
    expect(await maintenances.forget(UNTIL)).toBe(3);
    expect((await ids()).toSorted()).toEqual(['cancelled later', 'deleted later', 'in force', 'past']);
    expect(await maintenances.forget(UNTIL)).toBe(0);
  });

  it('are still there for every command that may still be processed', async () => {
    const { configuration, maintenances } = await holding(indefinitely('deleted', { deletedAt: after(1) }));
    await maintenances.forget(UNTIL);
    const silencing = async (at: Date) =>
      maintenanceAt((await configuration.current()).maintenances, at).silencing({ id: 'int-1' })?.id;
    expect([isTooOld(UNTIL, NOW), await silencing(UNTIL)]).toEqual([false, 'deleted']);
    expect(isTooOld(after(-1), NOW)).toBe(true);
  });

  it('are erased a hundred at a time, and each once if several replicas erase them', async () => {
    const ended = Array.from({ length: 250 }, (_, n) => indefinitely(String(n), { deletedAt: UNTIL }));
    const { maintenances, ids } = await holding(...ended, indefinitely('in force', {}));
    expect(await Promise.all([maintenances.forget(UNTIL), maintenances.forget(UNTIL)])).toEqual([100, 100]);
    expect([await maintenances.forget(UNTIL), await maintenances.forget(UNTIL)]).toEqual([50, 0]);
    expect(await ids()).toEqual(['in force']);
  });
});
