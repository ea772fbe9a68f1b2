import type { IntegrationState } from '@tocsin/contracts';

/** Every integration as its owner told of it last. */
export interface Integrations {
  all(): Iterable<IntegrationState>;
  /** Calls `listener` whenever one changed or went. */
  whenChanged(listener: () => void): unknown;
}
