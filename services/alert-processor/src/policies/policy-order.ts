import type { Writes } from './configuration.ts';
import type { Policy, PolicyKind } from './policy.ts';

/** Names the policies that share one order: those of one kind, of the account or of one team. */
export interface Sequence {
  readonly teamId: string | undefined;
  readonly kind: PolicyKind;
}

export const sequenceOf = ({ teamId, effects: { kind } }: Pick<Policy, 'teamId' | 'effects'>): Sequence => ({
  teamId,
  kind,
});

/** The policies of a sequence by their order. */
export function inOrder(policies: readonly Policy[], { teamId, kind }: Sequence): readonly Policy[] {
  return policies
    .filter((policy) => policy.teamId === teamId && policy.effects.kind === kind)
    .toSorted((a, b) => a.order - b.order);
}

/** The writes that remove `policy` and move those behind it up. */
export function removal(policies: readonly Policy[], policy: Policy): Writes<Policy> {
  const left = inOrder(policies, sequenceOf(policy)).filter(({ id }) => id !== policy.id);
  return { removed: [policy], put: outOfPlace(left) };
}

/**
 * The writes that move `policy` to place `index` among its peers in the sequence, or to the end if there are fewer
 * (P8). The others keep their relative order. Empty if it is at that place already.
 */
export function move(
  policies: readonly Policy[],
  policy: Policy,
  index: number,
  isPeer: (policy: Policy) => boolean = () => true,
): Writes<Policy> {
  const present = inOrder(policies, sequenceOf(policy));
  const others = present.filter(({ id }) => id !== policy.id);
  const peers = others.filter(isPeer);
  const place = Math.min(index, peers.length);
  const before = present.filter((other) => isPeer(other) && other.order < policy.order).length;
  if (place === before) return { put: [] };
  const next = peers[place];
  const at = next === undefined ? others.indexOf(peers.at(-1) ?? policy) + 1 : others.indexOf(next);
  return { put: outOfPlace(others.toSpliced(at, 0, policy)) };
}

/**
 * The place of an imported policy in its sequence: before the first peer that came after it in the other account, else at the place among
 * its peers that it had there, but behind those that came before it. So policies come in the order of the other account, whichever of
 * them is imported first.
 */
export function importPlace(
  policies: readonly Policy[],
  policy: Policy,
  isPeer: (policy: Policy) => boolean = () => true,
): number {
  const { importOrder: wanted = Infinity } = policy;
  const others = without(policies, policy);
  const peers = others.filter(isPeer);
  const later = peers.findIndex(({ importOrder }) => importOrder !== undefined && importOrder >= wanted);
  const earlier = peers.findLastIndex(({ importOrder = Infinity }) => importOrder < wanted);
  const next = peers[later === -1 ? Math.max(wanted, earlier + 1) : later];
  if (next !== undefined) return others.indexOf(next);
  const last = peers.at(-1);
  return last === undefined ? others.length : others.indexOf(last) + 1;
}

/** What is written to have `policy`, which is new or changed, at place `index` of its sequence. */
export function placed(policies: readonly Policy[], policy: Policy, index: number): readonly Policy[] {
  const list = without(policies, policy).toSpliced(index, 0, { ...policy, order: index });
  return list.flatMap((one, order) => (one.order === order && one.id !== policy.id ? [] : [{ ...one, order }]));
}

const without = (policies: readonly Policy[], policy: Policy): readonly Policy[] =>
  inOrder(policies, sequenceOf(policy)).filter(({ id }) => id !== policy.id);

/** The policies whose `order` is not their place in the list, with that order. */
function outOfPlace(list: readonly Policy[]): readonly Policy[] {
  return list.flatMap((policy, order) => (policy.order === order ? [] : [{ ...policy, order }]));
}
