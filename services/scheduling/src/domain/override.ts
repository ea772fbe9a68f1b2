/** A replacement of whoever is on call, for a time (part 2, 2.6; S4). */
export interface Override {
  /** Unique in its schedule. */
  readonly alias: string;
  /** Who is on call instead; `none`: nobody. */
  readonly user: { readonly type: 'user'; readonly id: string } | { readonly type: 'none' };
  /** Inclusive. */
  readonly startAt: Date;
  /** Exclusive, after `startAt`. */
  readonly endAt: Date;
  /** The rotations that it replaces, at least one; undefined: all of them, also those that are added later. */
  readonly rotationIds: readonly string[] | undefined;
}
