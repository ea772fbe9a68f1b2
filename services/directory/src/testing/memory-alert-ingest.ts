import { UnavailableError } from '@tocsin/errors';
import type { AlertIngest } from '../ports/alert-ingest.ts';

/** Alert-ingest as a component test sees it. */
export class MemoryAlertIngest implements AlertIngest {
  readonly disabled = new Set<string>();
  away = false;

  async disableIntegrationsOf(teamId: string): Promise<void> {
    await Promise.resolve();
    if (this.away) throw new UnavailableError('A service that is needed does not answer. Please try again.');
    this.disabled.add(teamId);
  }
}
