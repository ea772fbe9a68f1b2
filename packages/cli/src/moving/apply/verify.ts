import { canonical, keyOf, type Loss } from '../bodies/body.ts';
import type { Json } from '../json.ts';
import { withIds } from '../plan/adopt.ts';
import type { Applied } from '../plan/applied.ts';
import { isMasked } from '../plan/merge.ts';
import type { Present } from '../plan/present.ts';
import { type DanglingReference, danglingIn } from '../plan/references.ts';
import type { Wanted } from '../plan/wanted.ts';

/** A thing of which Tocsin has not what the snapshot says. */
export interface Deviation {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly state: 'missing' | 'different';
  readonly fields: readonly { readonly field: string; readonly old: unknown; readonly ours: unknown }[];
}

/** Whether all of a snapshot is in Tocsin. */
export interface Verification {
  readonly things: number;
  /** Things that are as in the snapshot, in every field. */
  readonly equal: number;
  readonly deviations: readonly Deviation[];
  readonly dangling: readonly DanglingReference[];
  /** Things that could not be read when the snapshot was fetched: nothing is known about them. */
  readonly unreadable: readonly Pick<Loss, 'id' | 'kind'>[];
  readonly losses: readonly Loss[];
}

/** Compares every field of every thing. Masked fields are not known, and whether a heartbeat is enabled is decided at the cut-over. */
export function verify(wanted: Wanted, present: Present, applied: Applied): Verification {
  const bodies = wanted.bodies.map((body) => withIds(body, applied.adopted));
  const deviations = bodies.flatMap((thing): readonly Deviation[] => {
    const { body, id, kind, name } = thing;
    const ours = present.bodies.get(keyOf(thing));
    if (ours === undefined) return [{ kind, id, name, state: 'missing', fields: [] }];
    const fields = differences(body, ours.body, kind === 'heartbeats' ? ['enabled'] : []);
    return fields.length === 0 ? [] : [{ kind, id, name, state: 'different', fields }];
  });
  return {
    things: bodies.length,
    equal: bodies.length - deviations.length,
    deviations,
    dangling: danglingIn(bodies, present),
    unreadable: wanted.unreadable,
    losses: wanted.losses,
  };
}

function differences(old: Json, ours: Json, left: readonly string[]): Deviation['fields'] {
  return [...new Set([...Object.keys(old), ...Object.keys(ours)])]
    .filter((field) => !left.includes(field) && !isMasked(old[field]))
    .filter((field) => canonical(old[field], field) !== canonical(ours[field], field))
    .map((field) => ({ field, old: old[field], ours: ours[field] }));
}
