import { Priority } from '@tocsin/events';
import { z } from 'zod';
import { Id, Instant } from '../answers/shared.ts';

/** How long it took and who did it; present once the alert was acknowledged or closed (A4, A6). */
const Report = z.object({
  ackTime: z.int().min(0).optional().meta({ description: 'Milliseconds from the creation to the acknowledgement.' }),
  closeTime: z.int().min(0).optional().meta({ description: 'Milliseconds from the creation to the close.' }),
  acknowledgedBy: z.string().optional(),
  closedBy: z.string().optional(),
});

/** An alert as an item of a list (part 1, 2.2). */
export const AlertItem = z
  .object({
    id: Id,
    tinyId: z.string().regex(/^\d+$/).meta({ description: 'A short number, unique in the installation.' }),
    alias: z.string(),
    message: z.string(),
    status: z.enum(['open', 'closed']),
    acknowledged: z.boolean(),
    isSeen: z.boolean(),
    seen: z.boolean().meta({ description: 'The same as `isSeen`.' }),
    tags: z.array(z.string()),
    snoozed: z.boolean(),
    snoozedUntil: Instant.optional(),
    count: z.int().min(1).meta({ description: 'How often the alert was created while it was open.' }),
    lastOccurredAt: Instant,
    createdAt: Instant,
    updatedAt: Instant,
    source: z.string(),
    owner: z.string().meta({ description: 'Empty where the alert has no owner.' }),
    ownerTeamId: z.string().meta({ description: 'Empty where the alert belongs to no team.' }),
    priority: Priority,
    teams: z.array(z.object({ id: Id })),
    responders: z.array(z.object({ type: z.enum(['user', 'team', 'escalation', 'schedule']), id: Id })),
    integration: z.object({ id: Id, name: z.string(), type: z.string() }),
    report: Report.optional(),
  })
  .meta({ id: 'AlertItem' });

/** An alert and what lists leave out (part 1, 2.2). */
export const Alert = z
  .object({
    ...AlertItem.shape,
    actions: z.array(z.string()),
    entity: z.string(),
    description: z.string(),
    details: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Alert' });

/** The status of a request (part 1, 2.3; A7, A8). */
export const RequestStatus = z
  .object({
    success: z.boolean(),
    isSuccess: z.boolean().meta({ description: 'The same as `success`.' }),
    action: z.enum([
      'Create',
      'Acknowledge',
      'Close',
      'Add Note',
      'Reset Recipient States',
      'Unacknowledge',
      'Snooze',
      'Delete',
      'Assign',
      'Add Responder',
      'Add Team',
      'Escalate',
      'Add Tags',
      'Remove Tags',
      'Add Details',
      'Remove Details',
      'Custom Action',
      'Update Message',
      'Update Description',
      'Update Priority',
    ]),
    status: z.string().meta({ description: 'What happened, or why nothing did.' }),
    processedAt: Instant,
    integrationId: Id,
    alertId: z.string().meta({ description: 'Empty where the request failed or made no alert.' }),
    alias: z.string().meta({ description: 'Empty where `alertId` is.' }),
  })
  .meta({ id: 'RequestStatus' });

const history = { owner: z.string(), createdAt: Instant, offset: z.string().regex(/^\d+_\d+$/) };

/** A12. */
export const AlertNote = z.object({ note: z.string(), ...history }).meta({ id: 'AlertNote' });

/** A12. */
export const AlertLog = z
  .object({
    log: z.string(),
    type: z.enum(['alertAction', 'alertRecipient', 'system']).meta({
      description: 'An action of a caller, a step to reach a user, or an action of the system with its reason.',
    }),
    ...history,
  })
  .meta({ id: 'AlertLog' });

/** Wire facts 4. */
export const AlertRecipient = z
  .object({
    user: z.object({ id: Id, username: z.string() }),
    state: z.enum(['notactive', 'active', 'action']).meta({
      description: 'No message to them was handed over yet; they were notified; or they acted on the alert.',
    }),
    method: z.string().meta({ description: 'The contact method of their last message, or their last action.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'AlertRecipient' });

/** An operation of Tocsin: which users were notified of an alert, which were not, and why. */
export const AlertExplanation = z
  .object({
    alert: z.object({ id: Id, tinyId: z.string(), message: z.string() }),
    users: z
      .array(
        z.object({
          user: z.object({ id: Id, username: z.string() }),
          outcome: z.enum(['notified', 'pending', 'failed', 'not-sent', 'not-paged', 'incomplete']).meta({
            description:
              'A message was handed over; one waits; no provider took any; the flow reached them and nothing was to be sent; it did not reach them; or the part of the log that was read does not show whether it did.',
          }),
          reason: z.string(),
        }),
      )
      .meta({
        description: 'The users whom the flow reached, in the order in which it first did; or the user of the request.',
      }),
    steps: z
      .array(
        z.object({
          at: Instant,
          stage: z.enum(['ingest', 'process', 'route', 'page', 'deliver', 'action']).meta({
            description: 'Where it was decided; `action`: a user or caller acted on the alert.',
          }),
          subject: z
            .string()
            .meta({ description: 'The subject of the decision, such as `routing-rule`, `on-call` or `step`.' }),
          outcome: z.string().meta({ description: 'The result, such as `matched`, `skipped` or `sent`.' }),
          text: z.string(),
          actor: z.string().optional(),
          facts: z.record(z.string(), z.unknown()).meta({ description: 'Ids, names and layers behind it.' }),
        }),
      )
      .meta({ description: 'The decisions and actions, in their order.' }),
    truncated: z
      .boolean()
      .meta({ description: 'Whether the log has more than was read: 2 000 entries, or about 2 MB.' }),
  })
  .meta({ id: 'AlertExplanation' });

/** An operation of Tocsin: when an alert next pages users by itself, and whom. */
export const AlertNextPage = z
  .object({
    state: z.enum(['due', 'starts', 'none', 'unknown']).meta({
      description:
        'Whether it pages again. `starts`: the escalation starts then, and pages at once or after the delay of its first rule. ' +
        '`unknown`: a service that knows it does not answer, or responders are still looked up who may be paged before.',
    }),
    at: Instant.optional().meta({
      description: 'When a page is due, or the escalation starts. It may have passed: then the page is late.',
    }),
    users: z
      .array(z.object({ id: Id, username: z.string() }))
      .meta({ description: 'Whom it pages, at most 20. Empty where they are known only then.' }),
    text: z.string().meta({ description: 'By which rule or message, or why it pages no user.' }),
  })
  .meta({ id: 'AlertNextPage' });

/** An operation of Tocsin: who would be notified of an alert. */
export const AlertSimulation = z
  .object({
    at: Instant.meta({ description: 'When it would be accepted.' }),
    outcome: z.enum(['paged', 'no-recipient', 'dropped', 'repeated']),
    reason: z.string().optional().meta({ description: 'Why no user would be notified.' }),
    alert: z.object({ message: z.string(), alias: z.string(), priority: z.string() }),
    messages: z
      .array(
        z.object({
          at: Instant,
          user: z.object({ id: Id, username: z.string() }),
          method: z.enum(['email', 'sms', 'voice', 'mobile']),
          actionType: z.string(),
          why: z.string(),
        }),
      )
      .meta({ description: 'In the order in which they would be sent, if no user acted; at most 1 000.' }),
    steps: z
      .array(z.object({ at: Instant, subject: z.string(), outcome: z.string(), text: z.string() }))
      .meta({ description: 'The decisions on the way; at most 1 000.' }),
    truncated: z.boolean().meta({ description: 'Whether more would follow.' }),
  })
  .meta({ id: 'AlertSimulation' });

const page = z.url();

/** Absolute URLs of other pages; without `next` this is the last one (A12). */
export const ListPaging = z
  .object({ first: page, last: page, prev: page.optional(), next: page.optional() })
  .meta({ id: 'ListPaging' });

/** Absolute URLs of other pages of a history; without `next` this is the last one (A12). */
export const HistoryPaging = z.object({ first: page, next: page.optional() }).meta({ id: 'HistoryPaging' });
