import { ALERT_LIMITS } from '@tocsin/events';
import { z } from 'zod';
import { resultOf } from '../answers/shared.ts';
import {
  addDetailsBody,
  AddResponderBody,
  addTagsBody,
  AddTeamBody,
  AlertRemovalBody,
  AlertRemovalQuery,
  AssignBody,
  EscalateBody,
  SnoozeBody,
  UpdateDescriptionBody,
  UpdateMessageBody,
  UpdatePriorityBody,
} from '../bodies/alert-actions.ts';
import { type Description, MEDIUM_BODY, type RequestBody, resource, type Rules } from '../operation.ts';
import { AddNoteBody, AlertActionBody, AlertIdentifierQuery, createAlertBody } from './alert-bodies.ts';

const command = { right: 'write', domain: 'alert', owner: 'alert-ingest' } as const;
const ALERT = '/v2/alerts/{identifier}';

const RESULT = 'Request will be processed';

/** The guarantees of every write to an alert (A7, A8). */
const ACCEPTED =
  'The request is kept, and settles a moment later: `/v2/alerts/requests/{requestId}` says how, also that there is no such alert.';

const success = { status: 202, schema: resultOf(RESULT), example: { result: RESULT } } as const;

/** The path of a write: whether the alert exists is found when the write is processed. */
const params = z.object({
  identifier: z
    .string()
    .min(1)
    .max(ALERT_LIMITS.alias)
    .meta({ description: 'As `identifierType` says: the id by default.' }),
});

const order = (body: RequestBody, description?: string, parameters: z.ZodObject = params) =>
  ({
    description: description === undefined ? ACCEPTED : `${description} ${ACCEPTED}`,
    params: parameters,
    query: AlertIdentifierQuery,
    body,
    success,
  }) satisfies Description;

/** A write of which nothing but who asks for it can be said. */
const plain = (description: string, parameters: z.ZodObject = params) =>
  order(
    { schema: AlertActionBody, example: { user: 'ada@example.com', note: 'Looking at it.' } },
    description,
    parameters,
  );

const removal = (example: object, description: string) =>
  ({
    description: `${description} What the query leaves out is read from the body. ${ACCEPTED}`,
    params,
    query: AlertRemovalQuery,
    body: { schema: AlertRemovalBody, example },
    success,
  }) satisfies Description;

const create = {
  description: `While an alert of that alias is open, a create raises its count and changes nothing else of it. With the key of a team the alert goes only to that team, whatever responders the body names. ${ACCEPTED}`,
  body: {
    schema: createAlertBody('reject'),
    example: {
      message: 'Disk of db-1 is nearly full',
      alias: 'disk-db-1',
      description: '94 % of /var/lib are used.',
      responders: [{ type: 'team', name: 'Database' }],
      tags: ['disk', 'production'],
      details: { host: 'db-1', used: '94' },
      priority: 'P2',
    },
  },
  success,
} satisfies Description;

const RULES: Rules = {
  A1: [
    'Id: UUID. Default alias: the id. Tiny ids grow, with gaps. One open alert per scope (A16) and alias, by a unique index.',
  ],
  A2: [
    'A create for an alias that is open in its scope (A16) sets `lastOccurredAt` with the count, not `updatedAt`. The log keeps the first 100 repeats. Of a tool, a repeat with a higher priority raises the alert (Q9).',
  ],
  A3: [
    "Default priority P3, source the caller's address, actor `Alert API`. `note` of a create is the first note. A blank alias, user, source or note is absent. Each tag of a create is kept once; empty tags are dropped. A number in `details` becomes text as it is written, with every digit.",
  ],
  A4: [
    'A rule with the condition "not closed" still fires after an acknowledgement. A repeated acknowledgement is a success without a change. The note of a write that changes nothing is kept ([reasons](subjects/alerts.md#notes-of-writes-that-change-nothing)).',
  ],
  A5: [
    'The flow that an unacknowledgement starts is a new cycle; the owner stays. The unacknowledgement of a snoozed alert starts nothing: the end of the snooze starts the flow. Until then, an escalation that a caller asked for during the snooze goes on paging.',
    'At the end of a snooze the flow starts with the users on call then, acknowledged or not.',
    'Another snooze replaces the end. An acknowledgement or a close ends it.',
    'A snooze whose end is processed late starts the flow then, so that rules do not fire in a bunch.',
  ],
  A6: [
    'A close that is repeated by id is a success.',
    'Closed alerts take notes, tags, details, words and custom actions, but no acknowledgement, snooze, assignment, responder or escalate.',
    '`ALERT_RETENTION_DAYS` (a year) after the close, on the full hour, the alert is deleted as by a request. Open alerts are never deleted.',
    'A decision about a deleted alert that arrives later is dropped ([reasons](subjects/alerts.md#removed-alerts)).',
    "After the close, scheduling keeps the alert's content, as the last event had it, to recognise repeated events, until `RUN_RETENTION_DAYS` (30) after the last change since ([reasons](subjects/escalations.md#retention-of-escalation-states)).",
    'A delete removes that content there and from every other database, except its alias in the statuses of its requests (A8). A page that is on its way then loses its content when it is due.',
  ],
  A7: [
    'A write to an unknown alert is accepted and settles as `Alert does not exist`; only the close of a tool is a success (Q3).',
  ],
  A9: [
    'Requests that page users:',
    'An added responder is paged at once, for an acknowledged alert until the close, and for a snoozed one at the end of the snooze. To add a responder who is there already is a success that changes nothing. A responder whose owner cannot be asked is looked up again and joins the flow; for an acknowledged alert the request fails instead, because no flow would page the responder.',
    'An escalate fires the first rule that has not fired, whatever its condition, for an acknowledged alert until the close. A rule that was skipped because the alert was acknowledged counts as not fired. Where no rule is left, the log says so.',
    'An escalation that does not run for the alert, neither directly nor through a team, becomes a responder, and its first rule fires now. This holds for a snoozed alert too, whose snooze stays as it is.',
    'A new owner is notified also of an alert without responders, not of one that is suppressed. Users are compared by user name. Forwarding does not apply: the alert belongs to the new owner.',
  ],
  A10: [
    'The responders of a create are those of `teams` and of `responders`. Unknown responders are named in the log, the create settles.',
  ],
  A14: [
    'Writes that name an alert by the same identifier settle in the order in which they were sent, where each was sent after the 202 of the one before.',
  ],
  A15: ['An assignment, an escalate or an added responder with an unknown reference settles as failed and names it.'],
};

/** Writes of one alert that every status has (part 1, 4.1). */
export const ALERT_WRITES = resource('Writes to alerts', RULES, {
  'create-alert': {
    ...command,
    ...MEDIUM_BODY,
    method: 'POST',
    path: '/v2/alerts',
    summary: 'Creates an alert',
    ...create,
  },
  'delete-alert': {
    ...command,
    ...MEDIUM_BODY,
    method: 'DELETE',
    path: ALERT,
    summary: 'Deletes an alert',
    ...removal({ user: 'ada@example.com' }, 'Its notes, log and files are deleted with it and cannot be restored.'),
  },
  'acknowledge-alert': {
    ...command,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${ALERT}/acknowledge`,
    summary: 'Acknowledges an alert',
    ...plain(
      'Rules and steps with the condition "not acknowledged" stop. The user becomes the owner where the alert has none.',
    ),
  },
  'unacknowledge-alert': {
    ...command,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${ALERT}/unacknowledge`,
    summary: 'Takes an acknowledgement back',
    ...plain('Its flow starts again from the beginning.'),
  },
  'close-alert': {
    ...command,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${ALERT}/close`,
    summary: 'Closes an alert',
    ...plain('Its flow ends; the next create with its alias makes a new alert.'),
  },
  'snooze-alert': {
    ...command,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${ALERT}/snooze`,
    summary: 'Silences an alert for a while',
    ...order(
      { schema: SnoozeBody, example: { endTime: '2026-01-31T08:00:00Z', note: 'After the batch.' } },
      'Its flow stops until `endTime`, in the future and at most 7 days ahead, and then starts again from the beginning.',
    ),
  },
  'escalate-alert': {
    ...command,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${ALERT}/escalate`,
    summary: 'Runs the next escalation rule',
    ...order(
      { schema: EscalateBody, example: { escalation: { name: 'Database on call' } } },
      'The next rule of the escalation runs now, whatever its delay.',
    ),
  },
  'assign-alert': {
    ...command,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${ALERT}/assign`,
    summary: 'Sets the owner of an alert',
    ...order(
      { schema: AssignBody, example: { owner: { username: 'ada@example.com' } } },
      'The new owner is notified, unless they made the assignment.',
    ),
  },
  'add-responder': {
    ...command,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${ALERT}/responders`,
    summary: 'Adds a responder',
    ...order(
      { schema: AddResponderBody, example: { responder: { type: 'schedule', name: 'Database nights' } } },
      'The responder is paged, also when the alert is acknowledged.',
    ),
  },
  'add-responder-team': {
    ...command,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${ALERT}/teams`,
    summary: 'Adds a team as responder',
    ...order(
      { schema: AddTeamBody, example: { team: { name: 'Database' } } },
      'The older operation to add a team; the team is paged, also when the alert is acknowledged.',
    ),
  },
  'add-tags': {
    ...command,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${ALERT}/tags`,
    summary: 'Adds tags',
    ...order({ schema: addTagsBody('reject'), example: { tags: ['disk', 'production'] } }),
  },
  'remove-tags': {
    ...command,
    ...MEDIUM_BODY,
    method: 'DELETE',
    path: `${ALERT}/tags`,
    summary: 'Removes tags',
    ...removal({ tags: ['disk'] }, 'At least one tag is named.'),
  },
  'add-details': {
    ...command,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${ALERT}/details`,
    summary: 'Adds custom properties',
    ...order({ schema: addDetailsBody('reject'), example: { details: { host: 'db-1' } } }),
  },
  'remove-details': {
    ...command,
    ...MEDIUM_BODY,
    method: 'DELETE',
    path: `${ALERT}/details`,
    summary: 'Removes custom properties',
    ...removal({ keys: ['host'] }, 'At least one key is named.'),
  },
  'execute-custom-action': {
    ...command,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${ALERT}/actions/{actionName}`,
    summary: 'Executes a custom action that the alert lists',
    ...plain(
      'The alert lists the action in `actions`; it is logged.',
      params.extend({ actionName: z.string().min(1).max(ALERT_LIMITS.actionLength) }),
    ),
  },
  'add-note': {
    ...command,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${ALERT}/notes`,
    summary: 'Adds a note',
    ...order({ schema: AddNoteBody, example: { note: 'The old backups are gone now.' } }),
  },
  'update-message': {
    ...command,
    ...MEDIUM_BODY,
    method: 'PUT',
    path: `${ALERT}/message`,
    summary: 'Changes the message',
    ...order({ schema: UpdateMessageBody, example: { message: 'Disk of db-1 is full' } }),
  },
  'update-description': {
    ...command,
    ...MEDIUM_BODY,
    method: 'PUT',
    path: `${ALERT}/description`,
    summary: 'Changes the description',
    ...order(
      { schema: UpdateDescriptionBody, example: { description: '99 % of /var/lib are used.' } },
      'Without a `description` it becomes empty.',
    ),
  },
  'update-priority': {
    ...command,
    ...MEDIUM_BODY,
    method: 'PUT',
    path: `${ALERT}/priority`,
    summary: 'Changes the priority',
    ...order({ schema: UpdatePriorityBody, example: { priority: 'P1' } }),
  },
});
