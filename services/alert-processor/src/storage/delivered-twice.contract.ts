import { describe, expect, it } from '@jest/globals';
import type { AlertCommand } from '@tocsin/contracts';
import { acknowledge, byAlias, order, pagingCreate } from '../testing/commands-samples.ts';
import { EVERY_KIND, type Target } from '../testing/every-kind.ts';
import { EVERYTHING, listing, openWith, type AlertStorage } from '../testing/open-storage.ts';

const DISK = byAlias('disk');
/** After everything that comes before the command. */
const LATER = '2026-01-05T10:00:00.000Z';

/** What makes a command of a kind have an effect, beside an alert that is open. */
const BEFORE: Partial<Record<AlertCommand['kind'], readonly AlertCommand[]>> = {
  unacknowledge: [acknowledge(DISK)],
  'reset-recipient-states': [acknowledge(DISK)],
  timer: [order(DISK, { kind: 'snooze', endTime: '2026-01-05T09:00:00.000Z' })],
};

/** What every storage promises of commands that are delivered more than once. Each adapter runs it. */
export function describeDeliveredTwice(name: string, make: () => Promise<AlertStorage>): void {
  async function open(kind: AlertCommand['kind']) {
    const storage = await openWith(make);
    const first = pagingCreate('disk', {
      note: 'n',
      alert: { tags: ['a'], details: { rack: 'b2' }, actions: ['Restart'] },
    });
    const subject: Target = { identifier: DISK, alias: 'disk', alertId: first.alert.alertId, at: LATER, fence: 2 };
    const command = EVERY_KIND[kind](subject);
    const before = [first, ...(BEFORE[kind] ?? [])];
    await storage.settle(...before);
    /** Everything that is kept and was published. */
    const everything = async () => {
      const history = { alertId: first.alert.alertId, order: 'asc', after: undefined, limit: 100 } as const;
      const statuses = await storage.statuses.find([...before, command].map(({ requestId }) => requestId));
      return {
        alerts: await storage.reader.list({ ...listing, ...EVERYTHING, limit: 100 }),
        logs: await storage.reader.logs(history),
        notes: await storage.reader.notes(history),
        statuses: statuses.toSorted((a, b) => a.requestId.localeCompare(b.requestId)),
        timers: await storage.timers(),
        events: [...(await storage.events())],
      };
    };
    return { ...storage, command, everything, offset: before.length };
  }

  describe(`${name} with a command that is delivered twice`, () => {
    it.each(Object.keys(EVERY_KIND) as AlertCommand['kind'][])('%s changes what is kept once', async (kind) => {
      const { settleAt, command, everything, offset } = await open(kind);
      const untouched = await everything();
      await settleAt(offset, [command]);
      const once = await everything();
      // Others are not told of a repeat, which a second create is.
      expect(once.events).toHaveLength(untouched.events.length + (kind === 'create' ? 0 : 1));
      expect(once.statuses).toMatchObject({ length: untouched.statuses.length + 1 });
      // The same record, as after a change of the partition's owner.
      expect(await settleAt(offset, [command])).toEqual({ outcome: 'done' });
      expect(await everything()).toEqual(once);
      // Another record of the same request, as after an answer that was lost: alone, and twice among others.
      await settleAt(offset + 1, [command]);
      await settleAt(offset + 2, [command, command]);
      expect(await everything()).toEqual(once);
    });
  });
}
