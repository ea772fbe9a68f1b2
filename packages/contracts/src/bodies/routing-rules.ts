import { z } from 'zod';
import { blankIsAbsent, optional, optionalReference, text, timeZone } from '../primitives.ts';
import { CriteriaBody } from './conditions.ts';
import { NewPlaceBody, place } from './places.ts';
import { byKind, type KindReference } from './references.ts';
import { NOT_AN_OBJECT } from './refusals.ts';
import { TimeRestrictionBody } from './time-restrictions.ts';

/** Where a routing rule sends alerts, as a caller names it; `none` by nothing. */
export type RoutingTargetReference = KindReference<'schedule' | 'escalation', 'none'>;

const Notify = byKind(['schedule', 'escalation'], ['none']);

/** The kind of restriction decides what it means to say nothing; `null` and `{}` say nothing (E5, E12). */
const rest = {
  timezone: blankIsAbsent(timeZone),
  criteria: optional(CriteriaBody),
  timeRestriction: TimeRestrictionBody,
};

/** Part 2, 4.2: the body that creates a routing rule. Its name may be empty; without an order it comes last (S15). */
export const CreateRoutingRuleBody = z.object(
  { name: optional(text()), order: optional(place), ...rest, notify: Notify },
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
export const ChangeRoutingRuleOrderBody = NewPlaceBody;
