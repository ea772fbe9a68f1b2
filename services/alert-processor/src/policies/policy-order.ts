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

/** The policies whose `order` is not their place in the list, with that order. */
function outOfPlace(list: readonly Policy[]): readonly Policy[] {
  return list.flatMap((policy, order) => (policy.order === order ? [] : [{ ...policy, order }]));
}
