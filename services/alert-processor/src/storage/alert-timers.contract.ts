import { describe, expect, it } from '@jest/globals';
import { byAlias, byId, close, create, order, pagingCreate, timer, timerOf } from '../testing/commands-samples.ts';
import { after, closedAfter, deduplicated, delayedBy, minutes, restartedEvery } from '../testing/flow-samples.ts';
import type { OpenStorage } from '../testing/open-storage.ts';

const DISK = byAlias('disk');

/** The contract of every ledger for the timers of alerts: there is one row per alarm of an alert, and no other. */
export function describeAlertTimers(name: string, open: () => Promise<OpenStorage>): void {
  describe(`${name} as a ledger of timers`, () => {
    const rows = async ({ timers }: OpenStorage) =>
      (await timers()).map(({ dueAt, fence, timerId }) => [timerId, fence, dueAt.toISOString()]).sort();

    it('keeps the timer of a snooze until it is replaced or cancelled', async () => {
      const storage = await open();
      const command = create('disk');
      const timerId = `snooze:${command.alert.alertId}`;
      await storage.settle(command, order(DISK, { kind: 'snooze', endTime: after(60) }));
      expect(await storage.reader.find(DISK)).toMatchObject({ snoozed: true, snoozedUntil: new Date(after(60)) });
      expect(await storage.timers()).toMatchObject([
        { timerId, fence: 2, dueAt: new Date(after(60)), alertId: command.alert.alertId },
      ]);
      await storage.settle(order(DISK, { kind: 'snooze', endTime: after(90) }), create('disk'));
      expect(await rows(storage)).toEqual([[timerId, 3, after(90)]]);
      await storage.settle(order(DISK, { kind: 'acknowledge' }));
      expect(await rows(storage)).toEqual([]);
    });

    it('keeps the responders that are to be looked up again, until they are found', async () => {
      const storage = await open();
      const command = create('disk', { alert: { responders: [{ type: 'team', id: 'away' }] } });
      const alertId = command.alert.alertId;
      const timerId = `resolve:${alertId}`;
      await storage.settle(command, create('other'));
      const dueAt = new Date('2026-01-05T08:00:02.000Z');
      const unresolved = { responders: [{ type: 'team', id: 'away' }], visibleTo: [], attempt: 1, dueAt };
      expect(await storage.reader.unresolved([alertId, 'unknown'])).toEqual([unresolved]);
      expect(await rows(storage)).toEqual([[timerId, 1, dueAt.toISOString()]]);
      await storage.settle(timer(alertId, 1));
      const later = new Date('2026-01-05T08:00:04.000Z');
      expect(await storage.reader.unresolved([alertId])).toEqual([{ ...unresolved, attempt: 2, dueAt: later }]);
      expect(await rows(storage)).toEqual([[timerId, 2, later.toISOString()]]);
    });

    it('keeps what policies plan for an alert, and reads it back unchanged', async () => {
      const storage = await open();
      const delayed = pagingCreate('disk');
      const counted = pagingCreate('fan');
      const plan = { ...closedAfter(60), ...restartedEvery(10, 3) };
      await storage.settlePlanned({ ...plan, hold: delayedBy(30) }, delayed);
      await storage.settlePlanned({ hold: deduplicated(3, minutes(5)) }, counted, create('fan', { at: after(1) }));
      expect(await storage.reader.find(DISK)).toMatchObject({
        verdict: { kind: 'held', until: after(30) },
        hold: { kind: 'delay', policy: '[Nights]', until: new Date(after(30)), isOver: false },
        autoClose: { policy: '[Tidy]', dueAt: new Date(after(60)) },
        autoRestart: { policy: '[Insist]', everyMs: minutes(10), times: 3, done: 0, since: new Date(after(0)) },
        alarms: {
          hold: { dueAt: new Date(after(30)), fence: 1 },
          'auto-close': { dueAt: new Date(after(60)), fence: 1 },
        },
      });
      expect(await storage.reader.find(byAlias('fan'))).toMatchObject({
        count: 2,
        verdict: { kind: 'held' },
        hold: { count: 3, withinMs: minutes(5), occurrences: [new Date(after(0)), new Date(after(1))], isOver: false },
        alarms: {},
      });
      await storage.settle(create('fan', { at: after(2) }));
      expect(await storage.reader.find(byAlias('fan'))).toMatchObject({
        count: 3,
        cycle: 2,
        verdict: { kind: 'go' },
        hold: undefined,
      });
    });

    it('sets the next timer when one comes due, and removes all when the alert is closed or deleted', async () => {
      const storage = await open();
      const [disk, fan] = [pagingCreate('disk'), pagingCreate('fan')];
      const [id, other] = [disk.alert.alertId, fan.alert.alertId];
      await storage.settlePlanned({ ...closedAfter(60), ...restartedEvery(10, 3), hold: delayedBy(30) }, disk, fan);
      await storage.settle(timerOf('hold', id, 1, after(30)));
      const alert = await storage.reader.find(DISK);
      expect(alert).toMatchObject({ verdict: { kind: 'go' }, cycle: 2 });
      // The publisher of the hold's command removes its row.
      expect((await rows(storage)).filter(([timerId]) => timerId !== `hold:${id}`)).toEqual(
        [
          [`auto-close:${other}`, 1, after(60)],
          [`auto-close:${id}`, 1, after(60)],
          [`hold:${other}`, 1, after(30)],
          [`restart:${id}`, 2, after(40)],
        ].sort(),
      );
      await storage.settle(close(DISK), order(byId(other), { kind: 'delete' }));
      expect((await rows(storage)).filter(([timerId]) => timerId !== `hold:${id}`)).toEqual([]);
    });

    it.each([
      ['hold', { hold: delayedBy(30) }],
      ['auto-close', closedAfter(60)],
      ['restart', restartedEvery(10, 3)],
    ] as const)('settles a timer once that is delivered twice: %s', async (kind, plan) => {
      const storage = await open();
      const command = pagingCreate('disk');
      await storage.settlePlanned(plan, command);
      const due = timerOf(kind, command.alert.alertId, 1, after(60));
      await storage.settleAt(1, [due]);
      const everything = async () => ({
        alert: await storage.reader.find(byId(command.alert.alertId)),
        logs: await storage.reader.logs({ alertId: command.alert.alertId, order: 'asc', after: undefined, limit: 100 }),
        events: await storage.events(),
        rows: await rows(storage),
      });
      const once = await everything();
      expect(once.alert).toMatchObject({ version: 2 });
      expect(once.events).toHaveLength(2);
      await storage.settleAt(1, [due]);
      await storage.settleAt(2, [due, due]);
      expect(await everything()).toEqual(once);
    });

    it('sets a timer again whose command only a newer release can settle, and settles what comes after it', async () => {
      const storage = await open();
      const command = pagingCreate('disk');
      await storage.settle(command);
      const { alertId } = command.alert;
      const unknown = { ...timer(alertId, 7), acceptedAt: after(3), timerId: `renotify:${alertId}` };
      expect(await storage.settleAt(1, [unknown, close(DISK)])).toEqual({ outcome: 'done' });
      expect(await storage.reader.find(byId(alertId))).toMatchObject({ status: 'closed', version: 2 });
      expect(await rows(storage)).toEqual([[`renotify:${alertId}`, 7, after(3)]]);
      expect(await storage.statuses.find([unknown.requestId])).toEqual([]);
    });

    it('never sets a timer that the same batch cancels', async () => {
      const storage = await open();
      await storage.settlePlanned({ ...closedAfter(60), hold: delayedBy(30) }, create('disk'), close(DISK));
      expect(await rows(storage)).toEqual([]);
    });
  });
}
