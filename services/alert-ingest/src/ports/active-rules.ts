import type { Rules } from '../domain/sent-alert.ts';

/** What integrations do with what comes in, known without asking a database as long as nothing is new. */
export interface ActiveRules {
  /** Those of the integration, undefined where it is not known: then what was sent is taken as it is. */
  of(integrationId: string): Promise<Rules | undefined>;
}
