import { isDeepStrictEqual } from 'node:util';
import type { Again, ModificationOf, WrittenAlertEffectsOf } from '@tocsin/contracts';
import type { Modification } from './policy.ts';

/**
 * The modification that a replacement of `present` means. Of a field that it names twice, what `present` does not say counts:
 * whoever writes what was read, but for one of the names, means that one (E10).
 */
export function meant<R>(present: Modification, { modify, again = {} }: WrittenAlertEffectsOf<R>): ModificationOf<R> {
  const keeps = (field: keyof Again) => isDeepStrictEqual(modify[field], present[field]);
  return {
    ...modify,
    ...(again.description !== undefined && keeps('description') && { description: again.description }),
    ...(again.actions !== undefined && keeps('actions') && { actions: again.actions }),
  };
}
