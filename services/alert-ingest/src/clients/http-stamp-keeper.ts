import type { StampReport } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import type { InternalClient } from '@tocsin/http';
import type { StampKeeper } from '../application/report-stamps.ts';

/** Has what this process owes kept by alert-processor, which settles it. */
export class HttpStampKeeper implements StampKeeper {
  readonly #client: Pick<InternalClient, 'post'>;

  constructor(client: Pick<InternalClient, 'post'>) {
    this.#client = client;
  }

  async keep(report: StampReport): Promise<void> {
    const { status } = await this.#client.post('/internal/stamps', report);
    if (status !== 200) throw new UnavailableError(`A report of stamps was answered ${status}.`);
  }
}
