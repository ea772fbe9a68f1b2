import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  deleted,
  disabled,
  dueAtOf,
  enabled,
  expired,
  isExpired,
  pinged,
  type Heartbeat,
} from '../domain/heartbeat.ts';
import type { Outage } from '../domain/outage.ts';
import type { HeartbeatStore } from '../ports/heartbeat-store.ts';
import { at, heartbeatOf, outage } from '../testing/heartbeat-samples.ts';

/** A store, and a way to let time pass by its database's clock. */
export interface StoreUnderTest {
  readonly store: HeartbeatStore;
  readonly passMs: (milliseconds: number) => Promise<void> | void;
}

const NEVER: readonly Outage[] = [];
/** An outage of an hour, but for its first minute. */
const LONG = [outage(1, 60)];
const SILENCE_MS = 10_000;

/** What every store of heartbeats promises. */
export function describeHeartbeatStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store of heartbeats`, () => {
    let store: HeartbeatStore;
    let passMs: StoreUnderTest['passMs'];

    beforeEach(async () => {
      ({ store, passMs } = await open());
    });

    /** Stores a heartbeat that was pinged at the start. */
    async function waitedFor(changes: Partial<Heartbeat> = {}): Promise<Heartbeat> {
      const heartbeat = pinged(heartbeatOf(changes), at(0));
      expect(await store.insert(heartbeat)).toBe(true);
      return heartbeat;
    }

    it('gives back what was inserted, field by field', async () => {
      const filled = heartbeatOf({
        alertMessage: 'Gone',
        alertTags: ['$a.b'],
        alertPriority: 'P1',
        description: 'd',
        lastPingAt: at(1),
        expiresAt: at(2),
        step: 3,
        steppedAt: at(3),
        told: 2,
        untoldSince: at(3),
        createdBy: { id: 'i', name: 'n', type: 'API', ownerTeamId: 'ops' },
      });
      const bare = heartbeatOf({ id: 'bare', name: 'bare', ownerTeamId: undefined });
      for (const heartbeat of [filled, bare]) {
        await store.insert(heartbeat);
        expect(await store.find(heartbeat.name)).toEqual(heartbeat);
      }
    });

    it('refuses a name that is taken as it is written, and no other (H3)', async () => {
      await store.insert(heartbeatOf());
      expect(await store.insert(heartbeatOf({ id: 'other' }))).toBe(false);
      expect(await store.insert(heartbeatOf({ id: 'other', name: 'Backup' }))).toBe(true);
      expect((await store.find('backup'))?.id).toBe(heartbeatOf().id);
      expect(await store.find('BACKUP')).toBeUndefined();
    });

    it('lists by creation', async () => {
      for (const [id, minute] of [
        ['b', 2],
        ['a', 2],
        ['c', 1],
      ] as const)
        await store.insert(heartbeatOf({ id, name: id, createdAt: at(minute) }));
      expect((await store.list()).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    });

    it('lists and measures those of a team alone', async () => {
      expect(await store.bytesOfTeam('ops')).toBeLessThan(10);
      await store.insert(heartbeatOf({ id: 'a', name: 'a', ownerTeamId: 'ops', description: 'x'.repeat(5_000) }));
      await store.insert(heartbeatOf({ id: 'b', name: 'b', ownerTeamId: 'web' }));
      await store.insert(heartbeatOf({ id: 'c', name: 'c', ownerTeamId: undefined }));
      expect((await store.list('ops')).map(({ id }) => id)).toEqual(['a']);
      expect(await store.bytesOfTeam('ops')).toBeGreaterThan(5_000);
      expect(await store.bytesOfTeam('web')).toBeLessThan(5_000);
    });

    it('writes a ping as the domain does, and keeps the later of two', async () => {
      const heartbeat = await waitedFor();
      for (const minute of [5, 3]) expect(await store.pingWaitedFor('backup', at(minute), undefined)).toBe(true);
      expect(await store.find('backup')).toEqual(pinged(heartbeat, at(5)));
    });

    it('writes no ping that would change more than times, or that nobody waits for', async () => {
      const overdue = expired(pinged(heartbeatOf(), at(0)), at(10), NEVER);
      const others = [heartbeatOf(), disabled(overdue, at(11)), overdue].map((one, index) => ({
        ...one,
        id: String(index),
        name: String(index),
      }));
      for (const one of others) {
        await store.insert(one);
        expect(await store.pingWaitedFor(one.name, at(20), undefined)).toBe(false);
        expect(await store.find(one.name)).toEqual(one);
      }
      expect(await store.pingWaitedFor('unknown', at(20), undefined)).toBe(false);
    });

    it('writes a ping for a team only where the heartbeat is the team’s', async () => {
      await waitedFor();
      expect(await store.pingWaitedFor('backup', at(1), 'others')).toBe(false);
      expect(await store.pingWaitedFor('backup', at(1), 'ops')).toBe(true);
    });

    it('replaces by what a change makes of it, and by nothing else where many change it at once', async () => {
      await store.insert(heartbeatOf());
      const counted = (present: Heartbeat) => ({ ...present, interval: present.interval + 1 });
      await Promise.all(Array.from({ length: 8 }, () => store.change('backup', counted)));
      expect(await store.find('backup')).toEqual(heartbeatOf({ interval: 18 }));
      expect(await store.change('unknown', counted)).toBeUndefined();
    });

    it('loses no ping to a change that was decided before it', async () => {
      await waitedFor();
      let racing: Promise<boolean> | undefined;
      await store.change('backup', (present) => {
        racing ??= store.pingWaitedFor('backup', at(7), undefined);
        return { ...present, description: 'changed' };
      });
      expect(await racing).toBe(true);
      expect(await store.find('backup')).toMatchObject({ lastPingAt: at(7), description: 'changed' });
    });

    it('writes nothing where a change throws, and throws that', async () => {
      await store.insert(heartbeatOf());
      await expect(
        store.change('backup', () => {
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await store.find('backup')).toEqual(heartbeatOf());
    });

    it('finds a deleted one nowhere, frees its name, and keeps what is to be told of it until it is', async () => {
      const overdue = expired(await waitedFor(), at(10), NEVER);
      await store.change('backup', () => deleted(overdue, at(11)));
      expect([await store.find('backup'), await store.list()]).toEqual([undefined, []]);
      expect(await store.insert(heartbeatOf({ id: 'next' }))).toBe(true);
      expect(await store.untold(10)).toEqual([deleted(overdue, at(11))]);
      await store.markTold([{ id: overdue.id, steps: 1 }]);
      expect(await store.untold(10)).toHaveLength(1);
      await store.markTold([{ id: overdue.id, steps: 2 }]);
      expect([await store.untold(10), (await store.find('backup'))?.id]).toEqual([[], 'next']);
    });

    it('leaves nothing of a deleted one of which nothing is to be told', async () => {
      await waitedFor();
      await store.change('backup', (present) => deleted(present, at(1)));
      expect([await store.find('backup'), await store.untold(10)]).toEqual([undefined, []]);
      expect(await store.nextDueAt(NEVER)).toBeUndefined();
    });

    it('expires as the domain does, each once, whoever else looks at the same time', async () => {
      const heartbeat = await waitedFor();
      await waitedFor({ id: 'longer', name: 'longer', interval: 11 });
      await store.insert(heartbeatOf({ id: 'never', name: 'never' }));
      expect(await store.expire(new Date(at(10).getTime() - 1), NEVER)).toBe(0);
      const counts = await Promise.all([1, 2, 3].map(() => store.expire(at(10), NEVER)));
      expect(counts.toSorted()).toEqual([0, 0, 1]);
      expect(await store.find('backup')).toEqual(expired(heartbeat, at(10), NEVER));
      expect((await store.untold(10)).map(({ id }) => id)).toEqual([heartbeat.id]);
    });

    it('expires a heartbeat that is being changed only if it was due by then, and the others by now', async () => {
      await waitedFor();
      await waitedFor({ id: 'other', name: 'other' });
      for (const outages of [NEVER, [outage(-2, -1)]]) {
        const before = { names: ['backup', 'unknown'], by: new Date(at(10).getTime() - 1) };
        const counts = [];
        for (const writes of [before, before, { ...before, by: at(10) }])
          counts.push(await store.expire(at(11), outages, writes));
        expect(counts).toEqual([1, 0, 1]);
        for (const name of ['backup', 'other']) await store.change(name, (present) => enabled(present, at(0)));
      }
    });

    it('expires nothing within one interval of an outage of ours, of each its own (H2)', async () => {
      await waitedFor();
      await waitedFor({ id: 'shorter', name: 'shorter', interval: 2 });
      expect(await store.nextDueAt(LONG)).toEqual(at(62));
      expect([await store.pending(at(61), LONG), await store.expire(at(61), LONG)]).toEqual([0, 0]);
      expect([await store.pending(at(62), LONG), await store.expire(at(62), LONG)]).toEqual([1, 1]);
      expect(await store.find('shorter')).toMatchObject({ step: 1, steppedAt: at(62) });
      expect(await store.nextDueAt(LONG)).toEqual(at(70));
    });

    it('reckons outages that come often as the domain does (H2)', async () => {
      const heartbeat = await waitedFor();
      const outages = [outage(8, 9), outage(12, 14), outage(18, 19), outage(21, 22)];
      expect(dueAtOf(heartbeat, outages)).toEqual(at(24));
      expect(await store.nextDueAt(outages)).toEqual(at(24));
      expect([await store.pending(at(23), outages), await store.expire(at(23), outages)]).toEqual([0, 0]);
      expect([await store.pending(at(24), outages), await store.expire(at(24), outages)]).toEqual([1, 1]);
      expect(await store.find('backup')).toEqual(expired(heartbeat, at(24), outages));
    });

    it('does not expire what is pinged at the same time: either the ping comes first, or it closes', async () => {
      await waitedFor();
      const [, wasWaitedFor] = await Promise.all([
        store.expire(at(10), NEVER),
        store.pingWaitedFor('backup', at(9), undefined),
      ]);
      const after = await store.find('backup');
      expect(after && isExpired(after)).toBe(!wasWaitedFor);
    });

    it('tells of those first that wait for longest, and keeps a step that came while others were told', async () => {
      for (const minute of [3, 1, 2])
        await store.insert(heartbeatOf({ id: `${minute}`, name: `${minute}`, step: 1, untoldSince: at(minute) }));
      expect((await store.untold(2)).map(({ id }) => id)).toEqual(['1', '2']);
      await store.change('1', (present) => disabled(present, at(5)));
      await store.markTold([
        { id: '1', steps: 1 },
        { id: '2', steps: 1 },
      ]);
      expect((await store.untold(10)).map(({ id, step, told }) => [id, step, told])).toEqual([
        ['1', 2, 1],
        ['3', 1, 0],
      ]);
      expect(await store.pending(at(0), NEVER)).toBe(2);
    });

    it('notices a silence of all monitors, by its own clock, and a ping that was refused', async () => {
      const beat = (minute: number, refusedPings = false) =>
        store.beat({ now: at(minute), silenceMs: SILENCE_MS, refusedPings });
      expect(await beat(0)).toEqual([outage(0, 0)]);
      await passMs(SILENCE_MS - 2_000);
      expect(await beat(1)).toEqual([outage(0, 0)]);
      await passMs(SILENCE_MS + 2_000);
      expect(await beat(2)).toEqual([outage(0, 0), outage(1, 2)]);
      expect(await beat(3)).toEqual([outage(0, 0), outage(1, 2)]);
      expect(await beat(4, true)).toEqual([outage(0, 0), outage(1, 2), outage(3, 4)]);
    });

    it('takes back no outage that another of several monitors notes at the same time', async () => {
      const beat = (minute: number, refusedPings: boolean) =>
        store.beat({ now: at(minute), silenceMs: SILENCE_MS, refusedPings });
      await beat(0, false);
      for (let minute = 1; minute <= 20; minute += 1) {
        await Promise.all([1, 2, 3, 4].map((monitor) => beat(minute, monitor === 2)));
        expect((await beat(minute, false)).at(-1)?.to).toEqual(at(minute));
      }
    });

    it('remembers the latest outages, those that touch each other as one', async () => {
      const beat = (minute: number, refusedPings: boolean) =>
        store.beat({ now: at(minute), silenceMs: SILENCE_MS, refusedPings });
      for (let minute = 0; minute < 90; minute += 3) {
        await beat(minute, false);
        await beat(minute + 1, true);
        await beat(minute + 2, true);
      }
      const known = await beat(90, false);
      expect(known).toEqual(Array.from({ length: 20 }, (_, index) => outage(3 * index + 30, 3 * index + 32)));
    });

    it('takes no end of an outage that lies ahead: a clock was wrong, and nothing would expire until then', async () => {
      const beat = (minute: number) => store.beat({ now: at(minute), silenceMs: SILENCE_MS, refusedPings: false });
      expect(await beat(60_000)).toEqual([outage(60_000, 60_000)]);
      expect(await beat(1)).toEqual([outage(1, 1)]);
      expect(await beat(2)).toEqual([outage(1, 1)]);
    });
  });
}
