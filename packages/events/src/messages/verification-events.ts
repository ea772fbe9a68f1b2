import { z } from 'zod';
import { id } from '../primitives.ts';
import { defineTopic } from '../topics.ts';
import { at } from './shared.ts';
import { ContactMethod } from './states.ts';

/**
 * A server accepted a message for an address of a user, by which directory may verify the user (U11) or their device (U13). It is
 * published only where the user's state says that something is unverified, or where that state is not known yet. What it
 * verifies is decided by the address that the user has when the event is read.
 */
export const VerificationEvent = z.object({
  userId: id,
  /** `email`: `to` is a mail address. `mobile`: `to` is the topic of a device. */
  method: ContactMethod.extract(['email', 'mobile']),
  to: z.string(),
  /** When the message was accepted. */
  at,
});
export type VerificationEvent = z.infer<typeof VerificationEvent>;

/** Keyed by user. */
export const VerificationEvents = defineTopic<VerificationEvent>({
  name: 'verification-events.v1',
  kind: 'events',
  schema: VerificationEvent,
  key: (event) => event.userId,
});
