import type { InternalClient } from '@tocsin/http';
import { z } from 'zod';
import type { AlertMessages } from '../ports/alert-messages.ts';

const Answer = z.object({ data: z.object({ message: z.string() }) });

/** Asks alert-processor. */
export class HttpAlertMessages implements AlertMessages {
  readonly #client: Pick<InternalClient, 'get'>;

  constructor(client: Pick<InternalClient, 'get'>) {
    this.#client = client;
  }

  async messageOf(alertId: string): Promise<string | undefined> {
    try {
      const { body } = await this.#client.get(`/internal/alerts/${encodeURIComponent(alertId)}`);
      return Answer.safeParse(body).data?.data.message;
    } catch {
      return undefined;
    }
  }
}
