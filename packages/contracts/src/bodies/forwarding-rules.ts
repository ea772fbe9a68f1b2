import { z } from 'zod';
import { blankIsAbsent, oneOf, optionalReference } from '../primitives.ts';
import { endsAfterItStarts, period } from './dates.ts';
import { UserByReference } from './references.ts';
import { NOT_AN_OBJECT } from './refusals.ts';

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
