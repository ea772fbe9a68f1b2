/** A message and the key under which it was published. */
export interface Sample {
  readonly key: string;
  readonly message: unknown;
  /** The fields that are read as something else today; undefined for those that are gone. */
  readonly readAs?: object;
}
