import type { InternalClient } from '@tocsin/http';
import type { AlertIngest } from '../ports/alert-ingest.ts';
import { expectDone } from './expect-done.ts';

/** Asks alert-ingest over its internal endpoints. */
export class HttpAlertIngestClient implements AlertIngest {
  readonly #client: InternalClient;

  constructor(client: InternalClient) {
    this.#client = client;
  }

  async disableIntegrationsOf(teamId: string): Promise<void> {
    expectDone(await this.#client.delete(`/internal/teams/${encodeURIComponent(teamId)}/integrations`), 'alert-ingest');
  }
}
