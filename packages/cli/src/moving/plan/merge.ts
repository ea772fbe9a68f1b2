import { canonical } from '../bodies/body.ts';
import type { Json } from '../json.ts';
import { MASK } from '../snapshot/mask.ts';

/** Which side decides a field that both sides changed. */
export type Take = 'old' | 'ours';

/** A field that differs between the snapshot and Tocsin. */
export interface FieldDifference {
  readonly field: string;
  readonly old: unknown;
  readonly ours: unknown;
  /** `change`: it becomes as in the snapshot. `keep`: it stays as in Tocsin. */
  readonly decision: 'change' | 'keep' | 'conflict';
}

/** The body to write, and where it comes from. */
export interface Merged {
  readonly body: Json;
  readonly differences: readonly FieldDifference[];
}

/** Whether a field has a secret that the snapshot does not have. */
export const isMasked = (value: unknown): boolean => JSON.stringify(value ?? null).includes(MASK);

/**
 * The body of a thing that both sides have. A field that only one side changed since `base` is as on that side; one that both changed,
 * or that differs without a base, is as `take` says, else a conflict. A masked field stays as it is in Tocsin.
 */
export function merge(old: Json, ours: Json, base: Json | undefined, take: Take | undefined): Merged {
  const differences: FieldDifference[] = [];
  const body: Record<string, unknown> = {};
  for (const field of new Set([...Object.keys(old), ...Object.keys(ours)])) {
    const decision = decide(old[field], ours[field], base, field, take);
    if (decision !== undefined) differences.push({ field, old: old[field], ours: ours[field], decision });
    const value = isMasked(old[field]) || decision === 'keep' || decision === 'conflict' ? ours[field] : old[field];
    if (value !== undefined) body[field] = value;
  }
  return { body, differences };
}

function decide(
  old: unknown,
  ours: unknown,
  base: Json | undefined,
  field: string,
  take: Take | undefined,
): FieldDifference['decision'] | undefined {
  if (isMasked(old)) return undefined;
  const [there, here] = [canonical(old, field), canonical(ours, field)];
  if (there === here) return undefined;
  const before = base === undefined ? undefined : canonical(base[field], field);
  if (before === there) return 'keep';
  if (before === here) return 'change';
  if (take === undefined) return 'conflict';
  return take === 'old' ? 'change' : 'keep';
}

/** The body without masked fields, for a thing that Tocsin does not have. */
export const withoutMasked = (body: Json): Json =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => !isMasked(value)));
