/** A replacement of the participants on call, for a time (part 2, 2.6; S4). */
export interface Override {
  /** Unique in its schedule. */
  readonly alias: string;
  /** The user on call instead; `none`: no user. */
  readonly user: { readonly type: 'user'; readonly id: string } | { readonly type: 'none' };
  /** Inclusive. */
  readonly startAt: Date;
  /** Exclusive, after `startAt`. */
  readonly endAt: Date;
  /** The rotations that it replaces, at least one; undefined: all of them, also those that are added later. */
  readonly rotationIds: readonly string[] | undefined;
}

/** Overrides of one schedule at most (E14). */
const MAX_OVERRIDES = 1_000;
/** Rotations that the overrides of one schedule name together at most, so that it stays one document. */
const MAX_NAMED_ITEMS = 10_000;

/**
 * `overrides` with one more, or with one of the same alias replaced: that one keeps its place, so that the newest stays the
 * one created last (S4).
 */
export function withOverride(overrides: readonly Override[], override: Override): readonly Override[] {
  const place = overrides.findIndex(({ alias }) => alias === override.alias);
  return place < 0 ? [...overrides, override] : overrides.with(place, override);
}

/** Whether they are more than one schedule may have. */
export function hasTooManyOverrides(overrides: readonly Override[]): boolean {
  const named = overrides.reduce((sum, { rotationIds }) => sum + (rotationIds?.length ?? 0), 0);
  return overrides.length > MAX_OVERRIDES || named > MAX_NAMED_ITEMS;
}
