/** An entity that was written under its id. */
export interface Put<T> {
  readonly entity: T;
  /** What it was before: undefined where it was created, the same object where nothing changed. */
  readonly present: T | undefined;
}
