import { z } from 'zod';
import { given, ofType } from '../described.ts';
import { oneOf, optional, optionalReference, requiredText } from '../primitives.ts';
import { endsAfterItStarts, period } from './dates.ts';
import { byIdOrName, narrowingReferences, type KindReference } from './references.ts';
import { NO_USER, NOT_AN_OBJECT } from './refusals.ts';

/** Who is on call by an override, as a caller names them: a user by id or user name, or on purpose nobody. */
export type OverrideUserReference = KindReference<'user', 'none'>;

const OverrideUser: z.ZodType<OverrideUserReference> = z
  .object(
    { type: oneOf(['user', 'none']), id: optionalReference(100), username: optionalReference() },
    'should be an object with type and id or username',
  )
  .transform(({ type, id, username }, context): OverrideUserReference => {
    if (type === 'none') return { type };
    if (id === undefined && username === undefined) context.addIssue({ code: 'custom', message: NO_USER });
    return { type, id, name: username };
  })
  .meta({ anyOf: [given('id'), given('username'), ofType(['none'])] });

/** An empty list names no rotation, so it means all of them, as an absent one does. */
const rotations = optional(
  narrowingReferences(byIdOrName(), []).transform((named) => (named.length === 0 ? undefined : named)),
);

const fields = { user: OverrideUser, ...period, rotations };

/** Part 2, 4.5: the body that creates an override (S14). */
export const CreateOverrideBody = z
  .object({ alias: requiredText('Override alias'), ...fields }, NOT_AN_OBJECT)
  .superRefine(endsAfterItStarts);
export type CreateOverrideBody = z.infer<typeof CreateOverrideBody>;

/** Part 2, 4.5: the body that replaces an override; its alias is in the path and stays. */
export const UpdateOverrideBody = z.object(fields, NOT_AN_OBJECT).superRefine(endsAfterItStarts);
export type UpdateOverrideBody = z.infer<typeof UpdateOverrideBody>;
