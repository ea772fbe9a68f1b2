import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Connection } from '@tocsin/mongo';
import { applyDisable, dueAtOf, applyEnable, applyExpiry, isExpired, applyPing, type Heartbeat } from './heartbeat.ts';
import type { Outage } from './outage.ts';
import type { HeartbeatStore, SlowWrites } from './store.ts';
import { at, heartbeatOf, outage } from '../testing/heartbeat-samples.ts';
import { openMonitor } from '../testing/killed-monitor.ts';
import { useDatabase, waitingCommands } from '../testing/mongo-fixture.ts';

const NEVER: readonly Outage[] = [];
/** An outage of an hour, but for its first minute. */
const LONG = [outage(1, 60)];

const database = useDatabase();

describe('a store of heartbeats', () => {
  let store: HeartbeatStore;
  let connection: Connection;

  beforeEach(async () => {
    connection = await database();
    ({ store } = openMonitor(connection, at(0), { publish: () => Promise.resolve() }));
  });

  const commands = () => waitingCommands(connection);

  /** Resolves with the names of the heartbeats that expired. */
  async function expire(now: Date, outages: readonly Outage[], slowWrites?: SlowWrites): Promise<readonly string[]> {
    const names: string[] = [];
    const onExpired = (all: readonly Heartbeat[]): void => void names.push(...all.map(({ name }) => name));
    await store.expire({ dueBy: () => now, outages, slowWrites, onExpired }, new AbortController().signal);
    return names;
  }

  const kinds = async () => (await commands()).map(({ kind }) => kind);

  /** Stores a heartbeat that was pinged at the start. */
  async function waitedFor(changes: Partial<Heartbeat> = {}): Promise<Heartbeat> {
    const heartbeat = applyPing(heartbeatOf(changes), at(0));
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
      nextDueAt: at(4),
      step: 3,
      steppedAt: at(3),
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
    for (const minute of [5, 3]) expect(await store.pingInTime('backup', at(minute), undefined)).toBe(true);
    expect(await store.find('backup')).toEqual(applyPing(heartbeat, at(5)));
    expect(await commands()).toEqual([]);
  });

  it('writes no ping in one step that would change more than times, that comes too late, or of one without an expiry', async () => {
    const waiting = applyPing(heartbeatOf(), at(0));
    const overdue = applyExpiry(waiting, at(10), NEVER);
    const others = [heartbeatOf(), applyDisable(overdue, at(11)), overdue, waiting].map((one, index) => ({
      ...one,
      id: String(index),
      name: String(index),
    }));
    for (const one of others) {
      await store.insert(one);
      expect(await store.pingInTime(one.name, at(20), undefined)).toBe(false);
      expect(await store.find(one.name)).toEqual(one);
    }
    expect(await store.pingInTime('unknown', at(20), undefined)).toBe(false);
  });

  it('writes a ping for a team only where the heartbeat is the team’s', async () => {
    await waitedFor();
    expect(await store.pingInTime('backup', at(1), 'others')).toBe(false);
    expect(await store.pingInTime('backup', at(1), 'ops')).toBe(true);
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
      racing ??= store.pingInTime('backup', at(7), undefined);
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

  it('opens the alert of one that expires and closes it by each change that pings, enables or disables it', async () => {
    const closes = [applyPing, applyEnable, applyDisable];
    for (const [index, close] of closes.entries()) {
      const name = `n${index}`;
      await waitedFor({ id: name, name });
      expect(await expire(at(10), NEVER)).toEqual([name]);
      await store.change(name, (present) => close(present, at(11)));
    }
    const all = await commands();
    expect(all.map(({ kind, requestId }) => [kind, requestId])).toEqual(
      closes.flatMap((_, index) => [
        ['create', `heartbeat:n${index}:1`],
        ['close', `heartbeat:n${index}:2`],
      ]),
    );
    expect(all.slice(0, 2).map(({ acceptedAt }) => acceptedAt)).toEqual([at(10).toISOString(), at(11).toISOString()]);
  });

  it('leaves nothing of one that is removed, frees its name, and closes its alert before the next one of the name opens one', async () => {
    await waitedFor();
    await expire(at(10), NEVER);
    expect(await store.remove('backup', (present) => applyDisable(present, at(11)))).toMatchObject({ step: 2 });
    expect([await store.find('backup'), await store.list()]).toEqual([undefined, []]);
    await waitedFor({ id: 'next' });
    await expire(at(12), NEVER);
    expect((await commands()).map(({ kind, requestId }) => [kind, requestId.split(':')[1]])).toEqual([
      ['create', heartbeatOf().id],
      ['close', heartbeatOf().id],
      ['create', 'next'],
    ]);
  });

  it('publishes nothing of one that is removed while its alert is not open', async () => {
    await waitedFor();
    await store.remove('backup', (present) => applyDisable(present, at(1)));
    expect([await store.find('backup'), await store.nextDueAt(), await commands()]).toEqual([undefined, undefined, []]);
    expect(await store.remove('backup', (present) => applyDisable(present, at(1)))).toBeUndefined();
  });

  it('expires as the domain does, each once, also where other monitors do so at the same time', async () => {
    const heartbeat = await waitedFor();
    await waitedFor({ id: 'longer', name: 'longer', interval: 11 });
    await store.insert(heartbeatOf({ id: 'never', name: 'never' }));
    expect(await expire(new Date(at(10).getTime() - 1), NEVER)).toEqual([]);
    const names = await Promise.all([1, 2, 3].map(() => expire(at(10), NEVER)));
    expect(names.flat()).toEqual(['backup']);
    expect(await store.find('backup')).toEqual(applyExpiry(heartbeat, at(10), NEVER));
    expect(await kinds()).toEqual(['create']);
  });

  it('expires many at once', async () => {
    const names = Array.from({ length: 410 }, (_, index) => `n${index}`);
    await Promise.all(names.map((name) => waitedFor({ id: name, name })));
    expect((await expire(at(10), NEVER)).toSorted()).toEqual(names.toSorted());
    expect(new Set((await commands()).map(({ identifier }) => identifier.value)).size).toBe(410);
  });

  it('expires no more of many once the instant by which they are due is taken back', async () => {
    const names = Array.from({ length: 410 }, (_, index) => `n${index}`);
    await Promise.all(names.map((name) => waitedFor({ id: name, name })));
    let dueBy = at(10);
    let count = 0;
    const onExpired = (all: readonly Heartbeat[]): void => {
      count += all.length;
      dueBy = at(0);
    };
    await store.expire({ dueBy: () => dueBy, outages: NEVER, onExpired }, new AbortController().signal);
    expect(count).toBeGreaterThan(0);
    expect(await store.pending(at(10))).toBe(410 - count);
  });

  it('expires a heartbeat that is being changed only if it was due by then, and the others by now', async () => {
    await waitedFor();
    await waitedFor({ id: 'other', name: 'other' });
    for (const outages of [NEVER, [outage(-2, -1)]]) {
      const before = { names: ['backup', 'unknown'], by: new Date(at(10).getTime() - 1) };
      const names = [];
      for (const writes of [before, before, { ...before, by: at(10) }])
        names.push(await expire(at(11), outages, writes));
      expect(names).toEqual([['other'], [], ['backup']]);
      for (const name of ['backup', 'other']) await store.change(name, (present) => applyEnable(present, at(0)));
    }
    expect(await kinds()).toEqual(['create', 'create', 'close', 'close', 'create', 'create', 'close', 'close']);
  });

  it('expires nothing within one interval of an outage of Tocsin, of each its own (H2)', async () => {
    await waitedFor();
    await waitedFor({ id: 'shorter', name: 'shorter', interval: 2 });
    expect(await expire(at(61), LONG)).toEqual([]);
    expect([await store.nextDueAt(), await store.pending(at(61))]).toEqual([at(62), 0]);
    expect([await store.pending(at(62)), await expire(at(62), LONG)]).toEqual([1, ['shorter']]);
    expect(await store.find('shorter')).toMatchObject({ step: 1, steppedAt: at(62) });
    expect(await store.nextDueAt()).toEqual(at(70));
  });

  it('takes a ping in one step of a heartbeat that an outage put off', async () => {
    const heartbeat = await waitedFor();
    await expire(at(61), LONG);
    expect(await store.pingInTime('backup', at(65), undefined)).toBe(true);
    expect(await store.find('backup')).toEqual(applyPing(heartbeat, at(65)));
  });

  it('reckons outages that come often as the domain does (H2)', async () => {
    const heartbeat = await waitedFor();
    const outages = [outage(8, 9), outage(12, 14), outage(18, 19), outage(21, 22)];
    expect(dueAtOf(heartbeat, outages)).toEqual(at(24));
    expect(await expire(at(23), outages)).toEqual([]);
    expect(await store.nextDueAt()).toEqual(at(24));
    expect(await expire(at(24), outages)).toEqual(['backup']);
    expect(await store.find('backup')).toEqual(applyExpiry(heartbeat, at(24), outages));
  });

  it('loses no ping that comes while a heartbeat expires: either the ping comes first, or it closes', async () => {
    for (let round = 0; round < 20; round += 1) {
      const name = `n${round}`;
      await waitedFor({ id: name, name });
      await Promise.all([
        expire(at(10), NEVER),
        store.pingInTime(name, at(11), undefined),
        store.change(name, (present) => applyPing(present, at(11))),
      ]);
      const after = await store.find(name);
      expect(after).toMatchObject({ lastPingAt: at(11), expiresAt: at(21) });
      expect(after && isExpired(after)).toBe(false);
      const own = (await commands()).filter(({ requestId }) => requestId.startsWith(`heartbeat:${name}:`));
      expect(own.map(({ kind }) => kind)).toEqual(after?.step === 0 ? [] : ['create', 'close']);
    }
  });
});
