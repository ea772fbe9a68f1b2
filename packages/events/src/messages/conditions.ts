import { z } from 'zod';

/** A condition set in canonical form (part 1, 2.9). */
export const ConditionSet = z.object({
  type: z.enum(['match-all', 'match-any-condition', 'match-all-conditions']),
  conditions: z.array(
    z.object({
      field: z.string(),
      key: z.string().optional(),
      not: z.boolean(),
      operation: z.enum([
        'matches',
        'contains',
        'starts-with',
        'ends-with',
        'equals',
        'contains-key',
        'contains-value',
        'greater-than',
        'less-than',
        'is-empty',
        'equals-ignore-whitespace',
      ]),
      expectedValue: z.string(),
      order: z.int().optional(),
    }),
  ),
});
export type ConditionSet = z.infer<typeof ConditionSet>;

/** Holds for every alert. */
export const MATCH_ALL: ConditionSet = { type: 'match-all', conditions: [] };

/** Days of the week in lower case, Monday first. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export const Weekday = z.enum(WEEKDAYS);
export type Weekday = z.infer<typeof Weekday>;

const timeOfDay = { startHour: z.int(), startMin: z.int(), endHour: z.int(), endMin: z.int() };

/** When something holds, on the wall clock of a zone (part 1, 2.9; S3). */
export const TimeRestriction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('time-of-day'), restriction: z.object(timeOfDay) }),
  z.object({
    type: z.literal('weekday-and-time-of-day'),
    restrictions: z.array(z.object({ startDay: Weekday, endDay: Weekday, ...timeOfDay })),
  }),
]);
export type TimeRestriction = z.infer<typeof TimeRestriction>;
