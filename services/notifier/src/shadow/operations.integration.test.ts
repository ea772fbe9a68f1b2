import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { SHADOW_SWITCH, type ShadowSwitchState } from '@tocsin/events';
import { MemoryReplica } from '@tocsin/kafka';
import { collectionOf, type Connection } from '@tocsin/mongo';
import { SHADOW } from '../messages/delivery-document.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { ShadowGate } from './operations.ts';
import { ShadowStore } from './store.ts';

const open = useStores();

const state = (enabled: boolean, periodId?: string): ShadowSwitchState => ({
  enabled,
  changedAt: '2026-01-01T00:00:00Z',
  ...(periodId !== undefined && { periodId }),
});
const published = (n: number, enabled: boolean, periodId?: string) => ({
  version: { epoch: 0, n },
  state: state(enabled, periodId),
});

/** Processes over one database, each with a replica and a clock of its own. */
function processesOn(connection: Connection) {
  const store = new ShadowStore(connection);
  return () => {
    const clock = { ms: 0 };
    const switches = new MemoryReplica<ShadowSwitchState>();
    const gate = new ShadowGate({ store, switches, nowMs: () => clock.ms });
    return { gate, switches, clock };
  };
}

describe('a process that does not know the switch', () => {
  it('sends nothing until directory has published it, and asks for it where the topic is empty', async () => {
    const { connection } = await open();
    const { gate, switches } = processesOn(connection)();
    expect([gate.state, gate.maySend('page'), gate.maySend('sign-in')]).toEqual(['unknown', false, false]);
    switches.refuseWith(new UnavailableError('Directory is unavailable.'));
    await expect(gate.refresh()).rejects.toThrow('Directory is unavailable.');
    expect(gate.state).toBe('unknown');
    switches.refuseWith(undefined);
    switches.put(SHADOW_SWITCH, state(false));
    await gate.refresh();
    expect([gate.state, gate.maySend('page')]).toEqual(['off', true]);
  });

  it('sends nothing once it has read the switch for the last time 4 s ago', async () => {
    const { connection } = await open();
    const { clock, gate, switches } = processesOn(connection)();
    switches.put(SHADOW_SWITCH, state(false));
    await gate.refresh();
    clock.ms = 3_999;
    expect(gate.maySend('page')).toBe(true);
    clock.ms = 4_000;
    expect([gate.state, gate.maySend('page')]).toEqual(['unknown', false]);
    await gate.refresh();
    expect(gate.maySend('page')).toBe(true);
  });
});

describe('a switch that directory sets', () => {
  it('is known to each process before it is effective, also where its topic is late', async () => {
    const { connection } = await open();
    const start = processesOn(connection);
    const [one, other] = [start(), start()];
    for (const { gate, switches } of [one, other]) {
      switches.put(SHADOW_SWITCH, state(false));
      await gate.refresh();
    }
    expect(await one.gate.keep(published(5, true, 'first'))).toMatchObject({ enabled: true, isEffective: false });
    expect([one.gate.maySend('page'), one.gate.holdsBack('page'), one.gate.maySend('sign-in')]).toEqual([
      false,
      true,
      true,
    ]);
    // The other process is frozen: when it continues, what it knew is too old.
    expect(other.gate.maySend('page')).toBe(true);
    other.clock.ms = 4_000;
    expect(other.gate.maySend('page')).toBe(false);
    one.clock.ms = 4_999;
    expect(await one.gate.keep(published(5, true, 'first'))).toMatchObject({ isEffective: false });
    one.clock.ms = 5_000;
    expect(await one.gate.keep(published(5, true, 'first'))).toMatchObject({ isEffective: true });
    await other.gate.refresh();
    expect(other.gate.state).toBe('on');
    expect(await one.gate.keep(published(6, false, 'first'))).toMatchObject({ enabled: false, isEffective: false });
    await other.gate.refresh();
    expect(other.gate.state).toBe('off');
  });

  it('is as the newest state says, in whatever order many processes read them', async () => {
    const { connection } = await open();
    const start = processesOn(connection);
    const states = [
      published(2, true, 'a'),
      published(3, false, 'a'),
      published(4, true, 'b'),
      published(5, false, 'b'),
    ];
    const kept = await Promise.all([...states, ...states.toReversed()].map((each) => start().gate.keep(each)));
    expect(kept).toHaveLength(8);
    const last = start();
    last.switches.put(SHADOW_SWITCH, state(true, 'old'));
    await last.gate.refresh();
    const { enabled, version } = await last.gate.keep(published(5, false, 'b'));
    expect([enabled, version, last.gate.state]).toEqual([false, { epoch: 0, n: 5 }, 'off']);
  });
});

describe('a process that missed the end of one period and the whole of the next', () => {
  it('knows that shadow is off, where all processes missed them', async () => {
    const { connection } = await open();
    const start = processesOn(connection);
    await start().gate.keep(published(1, true, 'first'));
    const { gate, switches } = start();
    for (const enabled of [true, true, true, false]) switches.put(SHADOW_SWITCH, state(enabled, 'second'));
    await gate.refresh();
    expect([gate.state, gate.isEndMissing, gate.maySend('page')]).toEqual(['off', false, true]);
  });

  it('knows it where it was frozen meanwhile, and another process has kept them', async () => {
    const { connection } = await open();
    const start = processesOn(connection);
    const [frozen, other] = [start(), start()];
    await frozen.gate.keep(published(2, true, 'first'));
    for (const each of [published(3, false, 'first'), published(4, true, 'second'), published(5, false, 'second')])
      await other.gate.keep(each);
    frozen.clock.ms = 60_000;
    expect(frozen.gate.state).toBe('unknown');
    await frozen.gate.refresh();
    expect([frozen.gate.state, frozen.gate.maySend('page')]).toEqual(['off', true]);
  });
});

describe('a period of shadow whose source is lost', () => {
  // An older state, and one of a new history.
  it.each([1, -1])(
    'goes on where directory says off without having ended it, and is not ready: epoch %i',
    async (epoch) => {
      const { connection } = await open();
      const start = processesOn(connection);
      await start().gate.keep({ version: { epoch, n: 5 }, state: state(true, 'first') });
      const { gate, switches } = start();
      switches.put(SHADOW_SWITCH, state(false));
      switches.put(SHADOW_SWITCH, state(false, 'other'));
      await gate.refresh();
      expect([gate.state, gate.isEndMissing, gate.maySend('page')]).toEqual(['on', true, false]);
      // A new epoch, as after a restore.
      await gate.keep({ version: { epoch: 2, n: 1 }, state: state(false, 'first') });
      expect([gate.state, gate.isEndMissing]).toEqual(['off', false]);
    },
  );

  it('goes on after a restart without the topic, until directory answers', async () => {
    const { connection } = await open();
    const start = processesOn(connection);
    await start().gate.keep(published(5, true, 'first'));
    const { gate, switches } = start();
    switches.refuseWith(new UnavailableError('Directory is unavailable.'));
    await expect(gate.refresh()).rejects.toThrow(UnavailableError);
    expect([gate.state, gate.maySend('page')]).toEqual(['unknown', false]);
  });

  it('goes on where the database of notifier is restored while a process runs', async () => {
    const { connection } = await open();
    const { clock, gate } = processesOn(connection)();
    await gate.keep(published(5, true, 'first'));
    await collectionOf(connection, SHADOW).updateOne({}, { $set: { enabled: false, version: { epoch: 0, n: 1 } } });
    clock.ms = 3_000;
    await gate.refresh();
    expect(gate.state).toBe('on');
    await collectionOf(connection, SHADOW).deleteMany({});
    clock.ms = 9_000;
    await gate.refresh();
    expect(gate.state).toBe('on');
  });
});
