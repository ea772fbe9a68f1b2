import type { InternalClient } from '@tocsin/http';
import type { AlertProcessor } from '../ports/alert-processor.ts';
import { expectDone } from './expect-done.ts';

/** Asks alert-processor over its internal endpoints. */
export class HttpAlertProcessorClient implements AlertProcessor {
  readonly #client: InternalClient;

  constructor(client: InternalClient) {
    this.#client = client;
  }

  async disablePoliciesOf(teamId: string): Promise<void> {
    expectDone(await this.#client.delete(`/internal/teams/${encodeURIComponent(teamId)}/policies`), 'alert-processor');
  }
}
