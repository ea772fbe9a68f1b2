import type { IntegrationState } from '@tocsin/contracts';

/** Every integration in the last state that its owner published. */
export interface Integrations {
  all(): Iterable<IntegrationState>;
  /** Calls `listener` whenever one changed or was deleted. */
  whenChanged(listener: () => void): unknown;
}
