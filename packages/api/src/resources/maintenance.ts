import { blankIsAbsent, listOf, ofType, oneOf, optional, requiredText, text } from '@tocsin/events';
import { z } from 'zod';
import { Id, Instant } from '../answers/shared.ts';
import { byType } from '../bodies/by-type.ts';
import { calendarDate, endsAfterItStarts, period } from '../bodies/dates.ts';
import { NOT_AN_OBJECT } from '../bodies/refusals.ts';
import { MEDIUM_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';

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
const timeOf = (lasting: readonly (typeof LASTING)[number][]): z.ZodType<MaintenanceTime> =>
  byType(
    [...lasting, 'schedule'],
    [
      z.object({ type: z.literal('schedule'), ...period }).superRefine(endsAfterItStarts),
      z.object({ type: z.enum(lasting) }),
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

const bodyWith = (time: z.ZodType<MaintenanceTime>) =>
  z
    .object(
      { description: optional(text()), time, rules: listOf(Rule).min(1, 'Rules can not be empty.') },
      NOT_AN_OBJECT,
    )
    .transform(({ description = '', ...rest }) => ({ description, ...rest }));

/** Part 1, 4.4: the body that creates a maintenance window, or replaces a planned one. */
export const MaintenanceBody = bodyWith(timeOf(LASTING));
export type MaintenanceBody = z.infer<typeof MaintenanceBody>;

/** The body of an import of a window. It means the same whenever it is sent: it has dates, or lasts until it is cancelled. */
export const ImportMaintenanceBody = bodyWith(timeOf(['indefinitely']));

/** Wire facts 5: the body that moves the end of an active window. */
export const MaintenanceEndDateBody = z.object({ endDate: calendarDate }, NOT_AN_OBJECT);
export type MaintenanceEndDateBody = z.infer<typeof MaintenanceEndDateBody>;

/** Which windows a list shows: `non-expired` ones are planned or active, `past` ones include the cancelled (part 1, 4.4). */
export const MaintenanceListQuery = z.object({
  type: blankIsAbsent(oneOf(['all', 'non-expired', 'past'])),
});
export type MaintenanceListQuery = z.infer<typeof MaintenanceListQuery>;

/** Part 1, 2.7: as lists and writes show it. */
const Maintenance = z
  .object({
    id: Id,
    status: z.enum(['planned', 'active', 'past', 'cancelled']),
    time: z.discriminatedUnion('type', [
      z.object({ type: z.literal('schedule'), startDate: Instant, endDate: Instant }),
      z.object({ type: z.enum(MAINTENANCE_TYPES).exclude(['schedule']) }),
    ]),
    description: z.string(),
  })
  .meta({ id: 'Maintenance' });

/** As it is read alone. */
const MaintenanceWithRules = Maintenance.extend({
  rules: z.array(
    z.object({
      entity: z.object({ type: z.enum(['integration', 'policy']), id: Id }),
      state: z.enum(['enabled', 'disabled']),
    }),
  ),
}).meta({ id: 'MaintenanceWithRules' });

const read = { right: 'read-configuration', domain: 'configuration', owner: 'alert-processor' } as const;
const write = {
  right: 'write-configuration',
  people: 'team-admin',
  domain: 'configuration',
  owner: 'alert-processor',
} as const;
const MAINTENANCE_PATH = '/v1/maintenance/{maintenanceId}';

const content = {
  description: 'Database upgrade',
  time: { type: 'schedule', startDate: '2026-01-31T20:00:00Z', endDate: '2026-01-31T22:00:00Z' },
};
const rules = [{ entity: { type: 'integration', id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e23' }, state: 'disabled' }];
const window = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e22', status: 'planned', ...content };

const RULES: Rules = {
  P9: [
    'A maintenance window is planned, active, past or cancelled, by its time and its cancellation alone. It applies to alerts that were accepted from its start to its end, to the millisecond.',
    'Dates in a request of another type than `schedule` are ignored; answers have dates with `schedule` only. A start may be years ago.',
    'New references of a window are looked up when it is written. An entity that is deleted later, or in a window of a team no longer belongs to that team, stays listed and has no effect.',
    'Creates through an integration that a window disables settle as ignored and name the window that was created first. Closes, acknowledgements and notes still apply, and so does the alert of an expired heartbeat (H5).',
    'A window sets the state of a policy whatever its own flag. Where windows, or rules of one window, differ, `disabled` wins.',
    'Cancelled and deleted windows end at that moment. They are kept for 14 days, as long as Kafka keeps commands, for alerts that were accepted during the window; then they are removed.',
    'For the account, and for each team whose keys created windows, 5000 windows with 50 000 rules are kept, at most half of both by one key or one user. A new window replaces those that ended first, at least 14 days ago; else 422.',
  ],
};

/** Part 1, 4.4 and wire facts 5. */
export const MAINTENANCE = resource('Maintenance', RULES, {
  'create-maintenance': {
    ...write,
    ...MEDIUM_BODY,
    method: 'POST',
    path: '/v1/maintenance',
    summary: 'Plans a maintenance window',
    description:
      'A window of another type than `schedule` begins now. While it lasts an integration that it disables makes no alerts, and a policy has the state that it says.',
    body: { schema: MaintenanceBody, example: { ...content, rules } },
    success: createdAnswer(Maintenance, window),
    refusals: [404],
  },
  'list-maintenances': {
    ...read,
    method: 'GET',
    path: '/v1/maintenance',
    summary: 'Lists maintenance windows',
    query: MaintenanceListQuery,
    success: dataAnswer(z.array(Maintenance), [window]),
  },
  'get-maintenance': {
    ...read,
    method: 'GET',
    path: MAINTENANCE_PATH,
    summary: 'Reads a maintenance window',
    success: dataAnswer(MaintenanceWithRules, { ...window, rules }),
    refusals: [404],
  },
  'update-maintenance': {
    ...write,
    ...MEDIUM_BODY,
    method: 'PUT',
    path: MAINTENANCE_PATH,
    summary: 'Replaces a planned window',
    description: 'Refused with 422 unless the window is planned.',
    body: { schema: MaintenanceBody, example: { ...content, rules } },
    success: changedAnswer('Updated', Maintenance, window),
    refusals: [404],
  },
  'change-maintenance-end-date': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${MAINTENANCE_PATH}/change-end-date`,
    summary: 'Moves the end of an active window',
    description:
      'Refused with 422 unless the window is active and the date to come. It becomes one of type `schedule`.',
    body: { schema: MaintenanceEndDateBody, example: { endDate: content.time.endDate } },
    success: changedAnswer('Updated', Maintenance, { ...window, status: 'active' }),
    refusals: [404],
  },
  'cancel-maintenance': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${MAINTENANCE_PATH}/cancel`,
    summary: 'Cancels a window',
    description: 'It ends for good. Refused with 422 unless the window is planned or active.',
    success: doneAnswer('Cancelled'),
    refusals: [404],
  },
  'delete-maintenance': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: MAINTENANCE_PATH,
    summary: 'Deletes a maintenance window',
    description: 'An active window ends with it.',
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
});
