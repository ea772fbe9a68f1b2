import type { InternalClient } from '@tocsin/http';
import type { Gateway } from '../ports/gateway.ts';

/** Asks the gateway over HTTP, as whoever pings does, whether it is ready. */
export class HttpGateway implements Gateway {
  readonly #client: Pick<InternalClient, 'get'>;

  constructor(client: Pick<InternalClient, 'get'>) {
    this.#client = client;
  }

  async takesPings(): Promise<boolean> {
    try {
      return (await this.#client.get('/healthz')).status === 200;
    } catch {
      return false;
    }
  }
}
