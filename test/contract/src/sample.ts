/** A message and the key under which it was published. */
export interface Sample {
  readonly key: string;
  readonly message: unknown;
}
