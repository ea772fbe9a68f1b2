import { z } from 'zod';
import { ContactMethod } from '@tocsin/contracts';
import { Id, Instant } from './shared.ts';

const disabledReason = z.string().optional().meta({ description: 'Why the contact is not used. Absent where it is.' });
const method = z.enum(ContactMethod.options);

/** Part 3, 2.1. */
export const User = z
  .object({
    id: Id,
    username: z.string().meta({ description: 'An e-mail address in lower case.' }),
    fullName: z.string(),
    role: z.object({ id: Id, name: z.string() }),
    skypeUsername: z.string().optional(),
    userAddress: z.object({
      country: z.string(),
      state: z.string(),
      city: z.string(),
      line: z.string(),
      zipCode: z.string(),
    }),
    tags: z.array(z.string()),
    details: z.record(z.string(), z.array(z.string())),
    timeZone: z.string(),
    locale: z.string(),
    blocked: z.boolean(),
    verified: z.boolean().meta({ description: 'Whether a mail has reached the user.' }),
    mutedUntil: Instant.optional().meta({ description: 'Until then the user is sent pages of P1 alerts alone.' }),
    createdAt: Instant,
    userContacts: z
      .array(z.object({ to: z.string(), id: Id, contactMethod: method, enabled: z.boolean(), disabledReason }))
      .optional()
      .meta({ description: 'Only where `expand` asks for them.' }),
  })
  .meta({ id: 'User' });

/** Part 3, 2.2. */
export const Contact = z
  .object({
    id: Id,
    method,
    to: z.string(),
    status: z.object({ enabled: z.boolean(), disabledReason }),
    device: z
      .object({
        name: z.string(),
        verified: z.boolean().meta({
          description: 'Whether the push server has taken a message for it; whether the device showed it is not known.',
        }),
      })
      .optional()
      .meta({ description: 'What the contact is of; of method `mobile` only.' }),
  })
  .meta({ id: 'Contact' });

/** A contact in a list, which tells its place. */
export const ListedContact = z.object({ ...Contact.shape, applyOrder: z.int().min(0) }).meta({ id: 'ListedContact' });
