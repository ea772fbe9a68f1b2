import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { modifying, notifying, policyOf } from '../testing/policy-samples.ts';
import { changed, EMPTY_CONFIGURATION, type Writes } from './configuration.ts';
import type { Policy } from './policy.ts';
import { importPlace, inOrder, move, placed, removal, sequenceOf } from './policy-order.ts';

const suppressing = notifying({ suppress: true });
const silent = notifying();

/** One policy per letter, in order; capital letters suppress. */
const listOf = (names: string): readonly Policy[] =>
  Array.from(names, (id, order) => policyOf(id, { order, effects: id < 'a' ? suppressing : silent }));
const suppresses = ({ effects: wanted }: Policy) => wanted.kind === 'notification' && wanted.suppress;

const written = (policies: readonly Policy[], write: Writes<Policy>): readonly Policy[] =>
  changed({ ...EMPTY_CONFIGURATION, policies }, { policies: write, answer: undefined }).policies;
const named = (policies: readonly Policy[], like: Policy) =>
  inOrder(policies, sequenceOf(like))
    .map(({ id }) => id)
    .join('');

function moved(names: string, id: string, index: number, isPeer?: (policy: Policy) => boolean): string {
  const policies = listOf(names);
  const mover = policies.find((each) => each.id === id);
  if (mover === undefined) throw new Error(`no ${id}`);
  return named(written(policies, move(policies, mover, index, isPeer)), mover);
}

describe('move', () => {
  it.each([
    ['1', 2, '2314'],
    ['4', 0, '4123'],
    ['2', 1, '1234'],
    ['1', 99, '2341'],
  ])('brings %s to place %i, or to the end if there are fewer', (id, index, expected) => {
    expect(moved('1234', id, index)).toBe(expected);
  });

  it.each([
    ['AbCdE', 'E', 0, 'EAbCd'],
    ['AbCdE', 'E', 1, 'AbECd'],
    ['AbCdE', 'A', 1, 'bCdAE'],
    ['AbCdE', 'A', 9, 'bCdEA'],
    ['bdA', 'A', 0, 'bdA'],
    ['Abd', 'A', 5, 'Abd'],
  ])('in %s brings %s to place %i among its peers', (names, id, index, expected) => {
    expect(moved(names, id, index, suppresses)).toBe(expected);
  });

  it('writes nothing if the policy is already at its place', () => {
    const policies = listOf('AbC');
    expect(policies.map((each, index) => move(policies, each, index))).toEqual([{ put: [] }, { put: [] }, { put: [] }]);
  });
});

const TEAMS = [undefined, 'ops'];
const EFFECTS = [suppressing, silent, modifying()];

interface Step {
  readonly what: 'add' | 'move' | 'move among peers' | 'remove';
  /** The index of the policy. */
  readonly which: number;
  readonly to: number;
}
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('add', 'move', 'move among peers', 'remove'),
  which: fc.nat(20),
  to: fc.nat(12),
});

function after(policies: readonly Policy[], { what, which, to }: Step, n: number): readonly Policy[] {
  const chosen = policies[which % Math.max(1, policies.length)];
  if (what === 'add' || chosen === undefined) {
    const scope = { teamId: TEAMS[which % 2], effects: EFFECTS[to % 3] ?? silent };
    const order = inOrder(policies, sequenceOf(scope)).length;
    return written(policies, { put: [policyOf(`${n}`, { order, ...scope })] });
  }
  if (what === 'remove') return written(policies, removal(policies, chosen));
  return written(policies, move(policies, chosen, to, what === 'move' ? undefined : suppresses));
}

const steps = fc.array(step, { maxLength: 30 });
const any = steps.map((all) => all.reduce<readonly Policy[]>(after, []));
const others = (policies: readonly Policy[], mover: Policy) =>
  inOrder(policies, sequenceOf(mover)).flatMap(({ id }) => (id === mover.id ? [] : [id]));

describe('the order of policies', () => {
  it('is dense in each scope after any creates, moves and deletes', () => {
    fc.assert(
      fc.property(any, (policies) => {
        for (const like of TEAMS.flatMap((teamId) => EFFECTS.map((effects) => ({ teamId, effects })))) {
          const orders = inOrder(policies, sequenceOf(like)).map(({ order }) => order);
          expect(orders).toEqual(orders.map((_, index) => index));
        }
      }),
    );
  });

  it('puts a policy at its place among its peers and keeps the relative order of all others, after any move', () => {
    fc.assert(
      fc.property(any, fc.nat(12), fc.constantFrom(undefined, suppresses), (policies, to, isPeer = () => true) => {
        for (const policy of policies.filter(isPeer)) {
          const moving = written(policies, move(policies, policy, to, isPeer));
          const peers = inOrder(moving, sequenceOf(policy)).filter(isPeer);
          expect(peers.findIndex(({ id }) => id === policy.id)).toBe(Math.min(to, peers.length - 1));
          expect(others(moving, policy)).toEqual(others(policies, policy));
        }
      }),
    );
  });
});

describe('the place of an imported policy', () => {
  const imported = (policies: readonly Policy[], id: string, importOrder: number) => {
    const policy = policyOf(id, { order: Infinity, importOrder });
    return written(policies, { put: placed(policies, policy, importPlace(policies, policy)) });
  };
  const places = fc.uniqueArray(fc.nat(20), { maxLength: 10 });

  it('is in the order of the other account, whichever comes first and whatever else there is, and leaves no gap', () => {
    fc.assert(
      fc.property(fc.nat(5), places, (own, wanted) => {
        const policies = wanted.reduce(
          (present, place, n) => imported(present, `imported-${n}`, place),
          listOf('12345'.slice(0, own)),
        );
        const list = inOrder(policies, sequenceOf(policyOf('any')));
        expect(list.map(({ order }) => order)).toEqual(list.map((_, index) => index));
        const orders = list.flatMap(({ importOrder }) => importOrder ?? []);
        expect(orders).toEqual(wanted.toSorted((a, b) => a - b));
        expect(list.flatMap(({ id, importOrder }) => (importOrder === undefined ? [id] : [])).join('')).toBe(
          '12345'.slice(0, own),
        );
      }),
    );
  });
});
