import { UnavailableError } from '@tocsin/core';
import type { InternalClient } from '@tocsin/http';
import { z } from 'zod';

/**
 * One sentence for each routing rule of a team that names a schedule or escalation (S12).
 *
 * @throws UnavailableError when directory gives no usable answer.
 */
export type RoutingUses = (type: 'schedule' | 'escalation', id: string) => Promise<readonly string[]>;

const Uses = z.object({ data: z.array(z.string()) });

/** Asks directory, which owns the routing rules. */
export const routingUses =
  (directory: Pick<InternalClient, 'get'>): RoutingUses =>
  async (type, id) => {
    const { status, body } = await directory.get(`/internal/uses?${new URLSearchParams({ type, id }).toString()}`);
    const uses = Uses.safeParse(body);
    if (status === 200 && uses.success) return uses.data.data;
    throw new UnavailableError('The directory gave no usable answer. Please try again.', {
      cause: uses.error ?? new Error(`The directory answered ${status}.`),
    });
  };
