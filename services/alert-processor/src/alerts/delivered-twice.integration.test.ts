import { describe, expect, it } from '@jest/globals';
import type { AlertCommand } from '@tocsin/events';
import { acknowledge, byAlias, pagingCreate } from '../testing/commands-samples.ts';
import { EVERY_KIND, type Target } from '../testing/every-kind.ts';
import { EVERYTHING, listing } from '../testing/open-storage.ts';
import { useStorage } from '../testing/mongo-fixture.ts';

const DISK = byAlias('disk');
/** Later than all commands before the one under test. */
const LATER = '2026-01-05T10:00:00.000Z';

/** The commands after which a command of this kind has an effect on an open alert. */
const BEFORE: Partial<Record<AlertCommand['kind'], readonly AlertCommand[]>> = {
  unacknowledge: [acknowledge(DISK)],
  'reset-recipient-states': [acknowledge(DISK)],
};

const openStorage = useStorage();
async function open(kind: AlertCommand['kind']) {
  const storage = await openStorage();
  const first = pagingCreate('disk', {
    note: 'n',
    alert: { tags: ['a'], details: { rack: 'b2' }, actions: ['Restart'] },
  });
  const subject: Target = { identifier: DISK, alias: 'disk', alertId: first.alert.alertId, at: LATER };
  const command = EVERY_KIND[kind](subject);
  const before = [first, ...(BEFORE[kind] ?? [])];
  await storage.apply(...before);
  /** Everything that is stored or published. */
  const everything = async () => {
    const history = { alertId: first.alert.alertId, order: 'asc', after: undefined, limit: 100 } as const;
    const statuses = await storage.statuses.find([...before, command].map(({ requestId }) => requestId));
    return {
      alerts: await storage.reader.list({ ...listing, ...EVERYTHING, limit: 100 }),
      logs: await storage.reader.logs(history),
      notes: await storage.reader.notes(history),
      statuses: statuses.toSorted((a, b) => a.requestId.localeCompare(b.requestId)),
      events: [...(await storage.events())],
    };
  };
  return { ...storage, command, everything, offset: before.length };
}

describe('a command that is delivered twice', () => {
  it.each(Object.keys(EVERY_KIND) as AlertCommand['kind'][])('%s changes the storage once', async (kind) => {
    const { applyAt, command, everything, offset } = await open(kind);
    const untouched = await everything();
    await applyAt(offset, [command]);
    const once = await everything();
    // A second create is a repeat, which is not published.
    expect(once.events).toHaveLength(untouched.events.length + (kind === 'create' ? 0 : 1));
    expect(once.statuses).toMatchObject({ length: untouched.statuses.length + 1 });
    // The same record again, as after a rebalance.
    expect(await applyAt(offset, [command])).toEqual({ outcome: 'done' });
    expect(await everything()).toEqual(once);
    // Another record of the same request, as after a lost answer of the broker: alone, and twice in one batch.
    await applyAt(offset + 1, [command]);
    await applyAt(offset + 2, [command, command]);
    expect(await everything()).toEqual(once);
  });
});
