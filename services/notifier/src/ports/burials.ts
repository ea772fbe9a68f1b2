import type { BuriedRecord, Decision, Settlement } from '@tocsin/contracts';

/** Where what fails for ever is left behind. */
export interface Burials {
  /** Moves the checkpoint past a record that fails for ever, in one transaction with what the log says of it. */
  bury(record: BuriedRecord, decision: Decision | undefined): Promise<Settlement>;
}
