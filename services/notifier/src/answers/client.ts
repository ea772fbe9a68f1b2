import { z } from 'zod';
import type { InternalClient } from '@tocsin/http';

const Answer = z.object({
  data: z.object({
    message: z.string(),
    status: z.enum(['open', 'closed']),
    acknowledged: z.boolean(),
    snoozed: z.boolean(),
    teamIds: z.array(z.string()),
  }),
});

/** Asks alert-processor. */
export class HttpAlerts implements Alerts {
  readonly #client: Pick<InternalClient, 'get'>;

  constructor(client: Pick<InternalClient, 'get'>) {
    this.#client = client;
  }

  async find(alertId: string): Promise<KnownAlert | 'gone' | undefined> {
    try {
      const { body, status } = await this.#client.get(`/internal/alerts/${encodeURIComponent(alertId)}`);
      return status === 404 ? 'gone' : Answer.safeParse(body).data?.data;
    } catch {
      return undefined;
    }
  }
}

/** The state of an alert, by alert-processor. */
export interface KnownAlert {
  readonly message: string;
  readonly status: 'open' | 'closed';
  readonly acknowledged: boolean;
  readonly snoozed: boolean;
  /** The teams whose keys may see it (K4). */
  readonly teamIds: readonly string[];
}

/** Reads alerts from their owner, because notifier stores none (A6). */
export interface Alerts {
  /** `gone`: it was deleted. Undefined where alert-processor does not answer. Never rejects. */
  find(alertId: string): Promise<KnownAlert | 'gone' | undefined>;
}
