import { UnavailableError } from '@tocsin/errors';
import type { InternalClient } from '@tocsin/http';
import { z } from 'zod';
import type { RoutingRules } from '../ports/routing-rules.ts';

const Uses = z.object({ data: z.array(z.string()) });

/** Asks the directory over its internal endpoint. */
export class HttpRoutingRules implements RoutingRules {
  readonly #client: Pick<InternalClient, 'get'>;

  constructor(client: Pick<InternalClient, 'get'>) {
    this.#client = client;
  }

  async usesOf(type: 'schedule' | 'escalation', id: string): Promise<readonly string[]> {
    const { status, body } = await this.#client.get(`/internal/uses?${new URLSearchParams({ type, id }).toString()}`);
    const uses = Uses.safeParse(body);
    if (status === 200 && uses.success) return uses.data.data;
    throw new UnavailableError('The directory gave no usable answer. Please try again.', {
      cause: uses.error ?? new Error(`The directory answered ${status}.`),
    });
  }
}
