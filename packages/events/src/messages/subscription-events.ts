import { z } from 'zod';
import { id } from '../primitives.ts';
import { defineTopic } from '../topics.ts';
import { at } from './shared.ts';

/**
 * A push service answered that a browser is no longer subscribed (404 or 410), by which directory stops using the contact and tells its
 * user (U22). `to` is the name of one subscription: a browser that subscribes again gets another, so a late event ends no newer one.
 */
export const SubscriptionEvent = z.object({
  userId: id,
  to: z.string(),
  /** When the push service answered. */
  at,
});
export type SubscriptionEvent = z.infer<typeof SubscriptionEvent>;

/** Keyed by user. */
export const SubscriptionEvents = defineTopic<SubscriptionEvent>({
  name: 'subscription-events.v1',
  kind: 'events',
  schema: SubscriptionEvent,
  key: (event) => event.userId,
});
