import { UnavailableError } from '@tocsin/errors';
import type { AlertProcessor } from '../ports/alert-processor.ts';

/** Alert-processor as a component test sees it. */
export class MemoryAlertProcessor implements AlertProcessor {
  readonly disabled = new Set<string>();
  away = false;

  async disablePoliciesOf(teamId: string): Promise<void> {
    await Promise.resolve();
    if (this.away) throw new UnavailableError('A service that is needed does not answer. Please try again.');
    this.disabled.add(teamId);
  }
}
