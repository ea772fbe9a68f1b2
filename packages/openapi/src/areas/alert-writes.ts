import { z } from 'zod';
import {
  AddNoteBody,
  AddResponderBody,
  addDetailsBody,
  addTagsBody,
  AddTeamBody,
  ALERT_LIMITS,
  AlertActionBody,
  AlertIdentifierQuery,
  AlertRemovalBody,
  AlertRemovalQuery,
  AssignBody,
  createAlertBody,
  EscalateBody,
  SnoozeBody,
  UpdateDescriptionBody,
  UpdateMessageBody,
  UpdatePriorityBody,
} from '@tocsin/contracts';
import { resultOf } from '../answers/shared.ts';
import { area, type Description, type RequestBody } from '../description.ts';

const RESULT = 'Request will be processed';

/** What is guaranteed of every write to an alert (A7, A8). */
const ACCEPTED =
  'The request is kept, and settles a moment later: `/v2/alerts/requests/{requestId}` tells how, also that there is no such alert.';

const success = { status: 202, schema: resultOf(RESULT), example: { result: RESULT } } as const;

/** The path of a write: an alert that nobody knows is found out when the write settles. */
const path = z.object({
  identifier: z
    .string()
    .min(1)
    .max(ALERT_LIMITS.alias)
    .meta({ description: 'As `identifierType` says: the id by default.' }),
});

const order = (body: RequestBody, description?: string, parameters: z.ZodObject = path) =>
  ({
    description: description === undefined ? ACCEPTED : `${description} ${ACCEPTED}`,
    path: parameters,
    query: AlertIdentifierQuery,
    body,
    success,
  }) satisfies Description;

/** A write of which nothing but who asks for it can be said. */
const plain = (description: string, parameters: z.ZodObject = path) =>
  order(
    { schema: AlertActionBody, example: { user: 'ada@example.com', note: 'Looking at it.' } },
    description,
    parameters,
  );

const removal = (example: object, description: string) =>
  ({
    description: `${description} What the query leaves out is read from the body. ${ACCEPTED}`,
    path,
    query: AlertRemovalQuery,
    body: { schema: AlertRemovalBody, example },
    success,
  }) satisfies Description;

const create: Description = {
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
};

/** Writes of one alert that every status has (part 1, 4.1). */
export const ALERT_WRITES = area({
  'create-alert': create,
  'delete-alert': removal(
    { user: 'ada@example.com' },
    'Its notes, log and files are deleted with it and cannot be restored.',
  ),
  'acknowledge-alert': plain(
    'Rules and steps with the condition "not acknowledged" stop. The user becomes the owner where the alert has none.',
  ),
  'unacknowledge-alert': plain('Its flow starts again from the beginning.'),
  'close-alert': plain('Its flow ends; the next create with its alias makes a new alert.'),
  'snooze-alert': order(
    { schema: SnoozeBody, example: { endTime: '2026-01-31T08:00:00Z', note: 'After the batch.' } },
    'Its flow stops until `endTime`, in the future and at most 7 days ahead, and then starts again from the beginning.',
  ),
  'escalate-alert': order(
    { schema: EscalateBody, example: { escalation: { name: 'Database on call' } } },
    'The next rule of the escalation runs now, whatever its delay.',
  ),
  'assign-alert': order(
    { schema: AssignBody, example: { owner: { username: 'ada@example.com' } } },
    'The new owner is notified, unless they made the assignment.',
  ),
  'add-responder': order(
    { schema: AddResponderBody, example: { responder: { type: 'schedule', name: 'Database nights' } } },
    'The responder is paged, also when the alert is acknowledged.',
  ),
  'add-responder-team': order(
    { schema: AddTeamBody, example: { team: { name: 'Database' } } },
    'The older operation to add a team; the team is paged, also when the alert is acknowledged.',
  ),
  'add-tags': order({ schema: addTagsBody('reject'), example: { tags: ['disk', 'production'] } }),
  'remove-tags': removal({ tags: ['disk'] }, 'At least one tag is named.'),
  'add-details': order({ schema: addDetailsBody('reject'), example: { details: { host: 'db-1' } } }),
  'remove-details': removal({ keys: ['host'] }, 'At least one key is named.'),
  'execute-custom-action': plain(
    'The alert lists the action in `actions`; it is logged.',
    path.extend({ actionName: z.string().min(1).max(ALERT_LIMITS.actionLength) }),
  ),
  'add-note': order({ schema: AddNoteBody, example: { note: 'The old backups are gone now.' } }),
  'update-message': order({ schema: UpdateMessageBody, example: { message: 'Disk of db-1 is full' } }),
  'update-description': order(
    { schema: UpdateDescriptionBody, example: { description: '99 % of /var/lib are used.' } },
    'Without a `description` it becomes empty.',
  ),
  'update-priority': order({ schema: UpdatePriorityBody, example: { priority: 'P1' } }),
});
