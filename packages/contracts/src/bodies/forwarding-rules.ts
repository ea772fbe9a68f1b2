import { z } from 'zod';
import { blankIsAbsent, oneOf, optionalReference } from '../primitives.ts';
import { endsAfterItStarts, period } from './dates.ts';
import type { Reference } from './schedules.ts';

const NOT_AN_OBJECT = 'should be an object';
const NO_USER = 'id or username should be provided';

/** A user by id or, where that is absent, by user name (part 1, 2.9). */
export const UserByReference: z.ZodType<Reference> = z
  .object({ id: optionalReference(100), username: optionalReference() }, NO_USER)
  .transform(({ id, username }) => ({ id, name: username }))
  .refine(({ id, name }) => id !== undefined || name !== undefined, NO_USER);

const fields = { fromUser: UserByReference, toUser: UserByReference, ...period };

/** Part 2, 4.7: the body that creates a forwarding rule; an empty alias is none (2.10). */
export const CreateForwardingRuleBody = z
  .object({ alias: optionalReference(512), ...fields }, NOT_AN_OBJECT)
  .superRefine(endsAfterItStarts);
export type CreateForwardingRuleBody = z.infer<typeof CreateForwardingRuleBody>;

/** Part 2, 4.7: the body that replaces a forwarding rule; its id and alias stay. */
export const UpdateForwardingRuleBody = z.object(fields, NOT_AN_OBJECT).superRefine(endsAfterItStarts);
export type UpdateForwardingRuleBody = z.infer<typeof UpdateForwardingRuleBody>;

/** How the path names a forwarding rule (part 2, 4.7). */
export const ForwardingRuleQuery = z
  .object({
    identifierType: blankIsAbsent(oneOf(['id', 'alias'])),
  })
  .transform((query) => query.identifierType ?? ('id' as const));
export type ForwardingRuleQuery = z.infer<typeof ForwardingRuleQuery>;
