import { z } from 'zod';
import { ofType } from '../described.ts';
import { blankIsAbsent, listOf, oneOf, optional, requiredText, text } from '../primitives.ts';
import { byType } from './by-type.ts';
import { calendarDate, endsAfterItStarts, period } from './dates.ts';
import { NOT_AN_OBJECT } from './refusals.ts';

const LASTING = ['for-5-minutes', 'for-30-minutes', 'for-1-hour', 'indefinitely'] as const;

/** `type` of a window's time (part 1, 2.7). All but `schedule` begin when they are written (P9). */
export const MAINTENANCE_TYPES = [...LASTING, 'schedule'] as const;
export type MaintenanceType = (typeof MAINTENANCE_TYPES)[number];

/** When a window lasts, as a caller says it: from `startDate` (inclusive) to `endDate` (exclusive) where it is `schedule`. */
export type MaintenanceTime =
  | { readonly type: Exclude<MaintenanceType, 'schedule'> }
  | { readonly type: 'schedule'; readonly startDate: Date; readonly endDate: Date };

/** During the window the thing behaves as `state` says, whatever its own flag (P9). */
export type MaintenanceRule =
  | { readonly entity: { readonly type: 'integration'; readonly id: string }; readonly state: 'disabled' }
  | { readonly entity: { readonly type: 'policy'; readonly id: string }; readonly state: 'enabled' | 'disabled' };

/** Dates of the other types are not read at all: clients send them empty, or as they stand in their configuration. */
const Time: z.ZodType<MaintenanceTime> = byType(
  MAINTENANCE_TYPES,
  [
    z.object({ type: z.literal('schedule'), ...period }).superRefine(endsAfterItStarts),
    z.object({ type: z.enum(LASTING) }),
  ],
  'should be an object with type',
);

const Rule: z.ZodType<MaintenanceRule> = z
  .object(
    {
      entity: z.object(
        { type: oneOf(['integration', 'policy']), id: requiredText('Entity id') },
        'should be an object with type and id',
      ),
      state: blankIsAbsent(oneOf(['enabled', 'disabled'])),
    },
    'should be an object with entity and state',
  )
  .transform(({ entity: { type, id }, state }, context): MaintenanceRule => {
    if (type === 'integration') {
      if (state === 'enabled') refuseState(context, 'should be disabled for an integration');
      return { entity: { type, id }, state: 'disabled' };
    }
    if (state === undefined) refuseState(context, 'should be one of [ enabled, disabled ]');
    return { entity: { type, id }, state: state ?? 'disabled' };
  })
  .meta({
    anyOf: [
      { properties: { entity: ofType(['integration']), state: { enum: ['disabled', '', null] } } },
      { properties: { entity: ofType(['policy']), state: { enum: ['enabled', 'disabled'] } }, required: ['state'] },
    ],
  });

const refuseState = (context: z.core.$RefinementCtx, message: string): void => {
  context.addIssue({ code: 'custom', path: ['state'], message });
};

/** Part 1, 4.4: the body that creates a maintenance window, or replaces a planned one. */
export const MaintenanceBody = z
  .object(
    {
      description: optional(text()),
      time: Time,
      rules: listOf(Rule).min(1, 'Rules can not be empty.'),
    },
    NOT_AN_OBJECT,
  )
  .transform(({ description = '', ...rest }) => ({ description, ...rest }));
export type MaintenanceBody = z.infer<typeof MaintenanceBody>;

/** Wire facts 5: the body that moves the end of an active window. */
export const MaintenanceEndDateBody = z.object({ endDate: calendarDate }, NOT_AN_OBJECT);
export type MaintenanceEndDateBody = z.infer<typeof MaintenanceEndDateBody>;

/** Which windows a list shows: `non-expired` ones are planned or active, `past` ones include the cancelled (part 1, 4.4). */
export const MaintenanceListQuery = z.object({
  type: blankIsAbsent(oneOf(['all', 'non-expired', 'past'])),
});
export type MaintenanceListQuery = z.infer<typeof MaintenanceListQuery>;
