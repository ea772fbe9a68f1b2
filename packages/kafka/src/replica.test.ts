import type { StateMessage, TopicDefinition } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { z } from 'zod';
import type { MissLookUp } from './ports.ts';
import { Replica } from './replica.ts';

interface Team {
  readonly name: string;
}
const Teams = { name: 'teams.v1', kind: 'state', schema: z.any(), key: () => '' } as unknown as TopicDefinition<
  StateMessage<Team>
>;
const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const state = (n: number, name: string): StateMessage<Team> => ({
  id: '1',
  version: { epoch: 1, n },
  deleted: false,
  state: { name },
});
const bytes = (message: unknown) => ({
  offset: 0,
  key: '1',
  timestampMs: 0,
  bytes: { key: null, value: Buffer.from(JSON.stringify(message ?? null)) },
});

let asked: string[];
let answer: () => Promise<StateMessage<Team> | undefined>;
let teams: Replica<Team>;

beforeEach(() => {
  asked = [];
  answer = () => Promise.resolve(undefined);
  const lookUp = (async (_: unknown, index: string, values: readonly string[]) => {
    asked.push(`${index}=${values.join()}`);
    const found = await answer();
    return found === undefined ? [] : [found];
  }) as unknown as MissLookUp;
  teams = new Replica({ topic: Teams, indexes: { name: (team: Team) => team.name }, lookUp, logger });
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a state of a schema that the replica does not know yet', () => {
  const newer = (n: number) => ({ ...bytes(state(n, 'half understood')), schemaVersion: 2 });

  it('keeps the older state, and the replica is not complete until a known schema version comes', () => {
    teams.apply(bytes(state(1, 'ops')));
    expect(teams.isComplete).toBe(true);
    teams.apply(newer(2));
    teams.apply({ ...newer(3), key: '2' });
    expect([...teams.all()]).toEqual([{ name: 'ops' }]);
    expect(teams.isComplete).toBe(false);
    teams.apply(bytes(state(4, 'back')));
    expect(teams.isComplete).toBe(false);
    teams.apply({ ...bytes(undefined), key: '2', bytes: { key: null, value: null } });
    expect(teams.isComplete).toBe(true);
    expect(teams.get('1')).toEqual({ name: 'back' });
  });
});

describe('a fetch of an entity that the replica lacks', () => {
  it('asks the owner once for concurrent calls', async () => {
    answer = () => Promise.resolve(state(1, 'ops'));
    const both = await Promise.all([teams.fetch('name', 'ops'), teams.fetch('name', 'ops')]);
    expect(both).toEqual([{ name: 'ops' }, { name: 'ops' }]);
    expect(await teams.fetch('name', 'ops')).toEqual({ name: 'ops' });
    expect(asked).toEqual(['name=ops']);
  });

  it('asks for all that concurrent calls lack in one request for each index, of 100 at most', async () => {
    answer = () => Promise.resolve(state(1, 'n7'));
    const names = Array.from({ length: 101 }, (_, n) => `n${n}`);
    const [byId, ...byName] = await Promise.all([
      teams.fetch('id', '2'),
      ...names.map((name) => teams.fetch('name', name)),
    ]);
    expect(asked).toEqual(['id=2', `name=${names.slice(0, 100).join()}`, 'name=n100']);
    expect(byId).toBeUndefined();
    expect(byName.map((found) => found?.name)).toEqual(names.map((name) => (name === 'n7' ? name : undefined)));
  });

  it('takes a tombstone as an answer, also while the owner does not answer', async () => {
    teams.apply(bytes(state(1, 'ops')));
    teams.apply(bytes({ id: '1', version: { epoch: 1, n: 2 }, deleted: true }));
    answer = () => Promise.reject(new UnavailableError('unavailable'));
    expect(await teams.fetch('id', '1')).toBeUndefined();
    expect(asked).toEqual([]);
    expect([teams.isDeleted('1'), teams.isDeleted('2')]).toEqual([true, false]);
  });

  it('is remembered as missing for 2 s, unless the state comes first', async () => {
    expect(await teams.fetch('name', 'ops')).toBeUndefined();
    jest.advanceTimersByTime(1_999);
    expect(await teams.fetch('name', 'ops')).toBeUndefined();
    expect(asked).toHaveLength(1);
    jest.advanceTimersByTime(1);
    await teams.fetch('name', 'ops');
    expect(asked).toHaveLength(2);
    teams.apply(bytes(state(1, 'ops')));
    expect(await teams.fetch('name', 'ops')).toEqual({ name: 'ops' });
  });

  it('fails where the owner cannot be asked, and is asked again the next time', async () => {
    answer = () => Promise.reject(new UnavailableError('The owner does not answer.'));
    await expect(teams.fetch('id', '1')).rejects.toThrow(UnavailableError);
    answer = () => Promise.resolve(state(1, 'ops'));
    expect(await teams.fetch('id', '1')).toEqual({ name: 'ops' });
  });

  it('never brings an older state than the one that came over Kafka meanwhile', async () => {
    answer = () => {
      teams.apply(bytes(state(5, 'newest')));
      return Promise.resolve(state(4, 'ops'));
    };
    expect(await teams.fetch('name', 'ops')).toBeUndefined();
    expect(teams.get('1')).toEqual({ name: 'newest' });
  });

  it('calls the listeners with what came from the owner', async () => {
    const changed: string[] = [];
    teams.whenChanged((id) => changed.push(id));
    answer = () => Promise.resolve(state(1, 'ops'));
    await teams.fetch('id', '1');
    expect(changed).toEqual(['1']);
  });
});
