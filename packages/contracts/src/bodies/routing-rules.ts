import { z } from 'zod';
import { blankIsAbsent, oneOf, optional, optionalReference, text, timeZone } from '../primitives.ts';
import { CriteriaBody } from './conditions.ts';
import type { Reference } from './schedules.ts';
import { TimeRestrictionBody } from './time-restrictions.ts';

const NOT_AN_OBJECT = 'should be an object';

/** Where a routing rule sends alerts, as a caller names it; `none` by nothing. */
export type RoutingTargetReference = ({ readonly type: 'schedule' | 'escalation' } & Reference) | { type: 'none' };

const Notify: z.ZodType<RoutingTargetReference> = z
  .object(
    { type: oneOf(['schedule', 'escalation', 'none']), id: optionalReference(100), name: optionalReference() },
    'should be an object with type and id or name',
  )
  .transform(({ type, id, name }, context): RoutingTargetReference => {
    if (type === 'none') return { type };
    if (id === undefined && name === undefined)
      context.addIssue({ code: 'custom', message: 'id or name should be provided' });
    return { type, id, name };
  });

/** The kind of restriction decides what it means to say nothing; `null` and `{}` say nothing (E5, E12). */
const rest = {
  timezone: blankIsAbsent(timeZone),
  criteria: optional(CriteriaBody),
  timeRestriction: TimeRestrictionBody,
};

const place = (message: string) => z.int(message).min(0, message);
const PLACE = 'should be a whole number of at least 0';

/** Part 2, 4.2: the body that creates a routing rule. Its name may be empty; without an order it comes last (S15). */
export const CreateRoutingRuleBody = z.object(
  { name: optional(text()), order: optional(place(PLACE)), ...rest, notify: Notify },
  NOT_AN_OBJECT,
);
export type CreateRoutingRuleBody = z.infer<typeof CreateRoutingRuleBody>;

/** Part 2, 4.2: what a PATCH of a routing rule may change; an empty name changes nothing (E12). */
export const UpdateRoutingRuleBody = z.object(
  { name: optionalReference(), ...rest, notify: optional(Notify) },
  NOT_AN_OBJECT,
);
export type UpdateRoutingRuleBody = z.infer<typeof UpdateRoutingRuleBody>;

/** Part 2, 4.2: the place that a rule is moved to, counted from 0; clients leave a zero out (P8). */
export const ChangeRoutingRuleOrderBody = z
  .object({ order: optional(place(PLACE)) }, NOT_AN_OBJECT)
  .transform(({ order = 0 }) => ({ order }));
