import type { RecipientType } from '@tocsin/contracts';

/** A thing of another service: its id, and its name when it was last seen, for when it is gone. */
export interface NamedReference {
  readonly id: string;
  readonly name: string;
}

/** Whom an integration adds to its alerts; `all` and `none` name nobody in particular. */
export interface Recipient {
  readonly type: RecipientType;
  readonly target: NamedReference | undefined;
}
