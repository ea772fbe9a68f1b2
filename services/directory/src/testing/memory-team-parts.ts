import { UnavailableError } from '@tocsin/core';
import type { TeamIntegrations } from '../teams/client.ts';

/** A double of a service with things of teams. */
export class MemoryTeamParts implements TeamIntegrations {
  readonly disabled = new Set<string>();
  isUnavailable = false;

  async disableOf(teamId: string): Promise<void> {
    await Promise.resolve();
    if (this.isUnavailable) throw new UnavailableError('A service that is needed does not answer. Please try again.');
    this.disabled.add(teamId);
  }

  async forgetDeletion(teamId: string): Promise<void> {
    await Promise.resolve();
    if (this.isUnavailable) throw new UnavailableError('A service that is needed does not answer. Please try again.');
    this.disabled.delete(teamId);
  }
}
