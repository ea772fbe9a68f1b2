import type { ModificationOf, WrittenAlertEffectsOf } from '@tocsin/contracts';
import type { Modification } from './policy.ts';

/**
 * The modification that a replacement of `present` asks for. A body may give one field under two names. The one that
 * differs from `present` counts: a caller who writes back what it read, changed under one name, means that one (E10).
 */
export function replacedModification<R>(
  present: Modification,
  { modify, again = {} }: WrittenAlertEffectsOf<R>,
): ModificationOf<R> {
  const { description, actions } = again;
  return {
    ...modify,
    ...(description !== undefined && modify.description === present.description && { description }),
    ...(actions !== undefined && isSame(modify.actions, present.actions) && { actions }),
  };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word, index) => word === other[index]);
