import { z } from 'zod';
import { DELAY_OPTIONS } from '@tocsin/contracts';
import { WrittenConditions } from './conditions.ts';
import { Id, Priority } from './shared.ts';
import { TimeRestriction } from './time-restrictions.ts';

/** As it was written (E10). */
const PolicyDuration = z
  .object({
    timeAmount: z.int().min(1),
    timeUnit: z.enum(['days', 'hours', 'minutes', 'seconds', 'milliseconds']),
  })
  .meta({ id: 'Duration' });

/** Whom a modify policy adds; without a name where the thing is gone. */
const Recipient = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), id: Id, username: z.string().optional() }),
  z.object({ type: z.enum(['escalation', 'schedule', 'team']), id: Id, name: z.string().optional() }),
  z.object({ type: z.enum(['all', 'none']) }),
]);

/** Whom it adds, by version 2: by id alone. */
const Responder = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['user', 'escalation', 'schedule', 'team']), id: Id }),
  z.object({ type: z.enum(['all', 'none']) }),
]);

const common = {
  id: Id,
  name: z.string(),
  enabled: z.boolean(),
  policyDescription: z.string(),
  filter: WrittenConditions.optional().meta({ description: 'Absent where none was written.' }),
  timeRestrictions: TimeRestriction.optional(),
};

const template = z.string().meta({ description: 'A template of the alert before it.' });

/** What both versions call alike. */
const modify = {
  message: template,
  description: template,
  continue: z.boolean(),
  alias: template,
  entity: template,
  source: template,
  ignoreOriginalDetails: z.boolean(),
  ignoreOriginalTags: z.boolean(),
  details: z.record(z.string(), z.string()),
  tags: z.array(z.string()),
  priority: Priority.optional(),
  actions: z.array(z.string()),
};

const delay = {
  delayOption: z.enum(DELAY_OPTIONS),
  untilHour: z.int().min(0).max(23).optional(),
  untilMinute: z.int().min(0).max(59).optional(),
  duration: PolicyDuration.optional().meta({ description: 'Of `for-duration` alone, which has no time of day.' }),
};
const deduplication = {
  deduplicationActionType: z.enum(['value-based', 'frequency-based']),
  count: z.int().min(2),
  duration: PolicyDuration.optional().meta({ description: 'Of `frequency-based` alone.' }),
};
const autoClose = { duration: PolicyDuration };
const autoRestart = { duration: PolicyDuration, maxRepeatCount: z.int().min(0) };

/** A policy as version 1 shows it: its fields and those of its type (part 1, 2.8). */
export const PolicyV1 = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('modify'),
      ...common,
      ...modify,
      ignoreOriginalAlertActions: z.boolean(),
      ignoreOriginalRecipients: z.boolean(),
      ignoreOriginalTeams: z.boolean(),
      alertActions: z.array(z.string()),
      recipients: z.array(Recipient),
    }),
    z.object({ type: z.literal('notification-suppress'), ...common }),
    z.object({ type: z.literal('notification-delay'), ...common, ...delay }),
    z.object({ type: z.literal('notification-deduplication'), ...common, ...deduplication }),
    z.object({ type: z.literal('auto-close'), ...common, ...autoClose }),
    z.object({ type: z.literal('auto-restart-notifications'), ...common, ...autoRestart }),
  ])
  .meta({ id: 'PolicyV1' });

const ofTeam = { teamId: Id.optional().meta({ description: 'Absent for a policy of the account.' }) };

/** A policy as version 2 shows it (wire facts 5). */
export const PolicyV2 = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('alert'),
      ...common,
      ...ofTeam,
      ...modify,
      alertDescription: template,
      ignoreOriginalActions: z.boolean(),
      ignoreOriginalResponders: z.boolean(),
      responders: z.array(Responder),
    }),
    z.object({
      type: z.literal('notification'),
      ...common,
      ...ofTeam,
      suppress: z.boolean(),
      delayAction: z.object(delay).optional(),
      deduplicationAction: z.object(deduplication).optional(),
      autoCloseAction: z.object(autoClose).optional(),
      autoRestartAction: z.object(autoRestart).optional(),
    }),
  ])
  .meta({ id: 'PolicyV2' });
