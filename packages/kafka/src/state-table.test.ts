import type { StateMessage } from '@tocsin/events';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StateTable } from './state-table.ts';

interface Team {
  readonly name: string;
}

const table = (): StateTable<Team> => new StateTable<Team>({ name: (team) => team.name });
const state = (id: string, n: number, name: string): StateMessage<Team> => ({
  id,
  version: { epoch: 1, n },
  deleted: false,
  state: { name },
});
const gone = (id: string, n: number): StateMessage<Team> => ({ id, version: { epoch: 1, n }, deleted: true });

describe('StateTable', () => {
  it('finds an entity by its id and by each index, under its newest name only', () => {
    const teams = table();
    teams.apply(state('1', 1, 'ops'));
    teams.apply(state('1', 2, 'platform'));
    expect(teams.get('1')).toEqual({ name: 'platform' });
    expect(teams.find('id', '1')).toEqual({ name: 'platform' });
    expect(teams.find('name', 'platform')).toEqual({ name: 'platform' });
    expect(teams.find('name', 'ops')).toBeUndefined();
  });

  it('keeps a name with the entity that took it over', () => {
    const teams = table();
    teams.apply(state('1', 1, 'ops'));
    teams.apply(state('2', 1, 'ops'));
    teams.apply(gone('1', 2));
    expect(teams.find('name', 'ops')).toEqual({ name: 'ops' });
    expect([...teams.all()]).toEqual([{ name: 'ops' }]);
  });

  it('finds an entity by each of its keys in one index, and not by a key that it no longer has', () => {
    const teams = new StateTable<Team>({ word: ({ name }) => name.split(' ') });
    teams.apply(state('1', 1, 'night ops'));
    expect(teams.find('word', 'night')).toBe(teams.find('word', 'ops'));
    teams.apply(state('1', 2, 'day ops'));
    expect(teams.find('word', 'night')).toBeUndefined();
    expect(teams.find('word', 'day')).toEqual({ name: 'day ops' });
  });

  it('does not bring a deleted entity back with an older state', () => {
    const teams = table();
    teams.apply(gone('1', 5));
    expect(teams.apply(state('1', 4, 'ops'))).toBe(false);
    expect(teams.get('1')).toBeUndefined();
    expect(teams.apply({ ...state('1', 1, 'ops'), version: { epoch: 2, n: 1 } })).toBe(true);
  });

  it('forgets also the version of an erased entity', () => {
    const teams = table();
    teams.apply(state('1', 5, 'ops'));
    expect(teams.erase('1')).toBe(true);
    expect(teams.erase('1')).toBe(false);
    expect(teams.find('name', 'ops')).toBeUndefined();
    expect(teams.apply(state('1', 1, 'ops'))).toBe(true);
  });

  it('has no index that it was not given', () => {
    expect(() => table().find('owner', '1')).toThrow(RangeError);
  });

  it('ends with the newest state of each entity, in whatever order and however often the states come', () => {
    const message = fc.record({ id: fc.constantFrom('1', '2', '3'), n: fc.nat(20), deleted: fc.boolean() });
    fc.assert(
      fc.property(fc.array(message), fc.array(fc.nat()), (messages, order) => {
        const toState = (m: { id: string; n: number; deleted: boolean }): StateMessage<Team> =>
          m.deleted ? gone(m.id, 2 * m.n + 1) : state(m.id, 2 * m.n, `team-${m.id}-${m.n}`);
        const inOrder = table();
        messages.map(toState).forEach((m) => inOrder.apply(m));
        const shuffled = table();
        const mixed = [...messages, ...messages.filter((_, index) => order.includes(index))].reverse();
        mixed.map(toState).forEach((m) => shuffled.apply(m));
        for (const id of ['1', '2', '3']) expect(shuffled.get(id)).toEqual(inOrder.get(id));
      }),
    );
  });
});
