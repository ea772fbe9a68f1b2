import type { InternalClient } from '@tocsin/http';
import type { TeamParts } from '../ports/team-parts.ts';
import { expectDone } from './expect-done.ts';

/** Asks alert-ingest for integrations, and alert-processor for policies, over their internal endpoints. */
export class HttpTeamParts implements TeamParts {
  readonly #client: InternalClient;
  readonly #service: 'alert-ingest' | 'alert-processor';

  constructor(client: InternalClient, service: 'alert-ingest' | 'alert-processor') {
    this.#client = client;
    this.#service = service;
  }

  async disableOf(teamId: string): Promise<void> {
    const parts = this.#service === 'alert-ingest' ? 'integrations' : 'policies';
    const path = `/internal/teams/${encodeURIComponent(teamId)}/${parts}`;
    expectDone(await this.#client.delete(path), this.#service);
  }
}
