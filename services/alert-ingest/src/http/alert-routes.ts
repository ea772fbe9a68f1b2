import {
  AddNoteBody,
  AddResponderBody,
  addDetailsBody,
  addTagsBody,
  AddTeamBody,
  AlertActionBody,
  AlertIdentifierQuery,
  AssignBody,
  createAlertBody,
  EscalateBody,
  SnoozeBody,
  UpdateDescriptionBody,
  UpdateMessageBody,
  UpdatePriorityBody,
  readBy,
  type CreateAlertBody,
  type OnExcess,
  type OperationId,
} from '@tocsin/contracts';
import { defineRoute, type Route } from '@tocsin/http';
import { z } from 'zod';
import type { AlertWrites, SentBody } from '../application/alert-writes.ts';
import type { AlertOrder } from '../domain/alert-order.ts';
import { actionName } from '../domain/action-name.ts';
import { endOfSnooze } from '../domain/end-of-snooze.ts';
import { ACCEPTED, identifierOf } from './alert-write.ts';
import { removalRoutes } from './removal-routes.ts';

/** The writes to alerts (part 1, 4.1; wire facts 4). A 202 is given only when the command is on Kafka (promise 1). */
export function alertRoutes(writes: AlertWrites, onExcess: OnExcess): readonly Route[] {
  const create = defineRoute({
    operation: 'create-alert',
    body: sentBody(createAlertBody(onExcess)),
    writtenNumbers: 'details',
    handle: async (input) => {
      await writes.create(input.body, input);
      return ACCEPTED;
    },
  });
  return [
    create,
    ...statusRoutes(writes),
    ...peopleRoutes(writes),
    ...contentRoutes(writes, onExcess),
    ...removalRoutes(writes),
  ];
}

/** Templates of actions read the body as it was sent too (P4). */
const sentBody = (read: z.ZodType<CreateAlertBody>): z.ZodType<SentBody> =>
  z.unknown().transform((payload, context) => ({ body: readBy(read, payload, context), payload }));

function statusRoutes(writes: AlertWrites): readonly Route[] {
  return [
    order(writes, 'acknowledge-alert', AlertActionBody, () => ({ kind: 'acknowledge' })),
    order(writes, 'unacknowledge-alert', AlertActionBody, () => ({ kind: 'unacknowledge' })),
    order(writes, 'close-alert', AlertActionBody, () => ({ kind: 'close' })),
    order(writes, 'snooze-alert', SnoozeBody, ({ endTime }) => ({
      kind: 'snooze',
      endTime: endOfSnooze(endTime, writes.now()).toISOString(),
    })),
    order(writes, 'execute-custom-action', AlertActionBody, (_, params) => ({
      kind: 'execute-action',
      action: actionName(params['actionName'] ?? ''),
    })),
  ];
}

function peopleRoutes(writes: AlertWrites): readonly Route[] {
  return [
    order(writes, 'escalate-alert', EscalateBody, ({ escalation }) => ({ kind: 'escalate', escalation })),
    order(writes, 'assign-alert', AssignBody, ({ owner }) => ({ kind: 'assign', owner })),
    order(writes, 'add-responder', AddResponderBody, ({ responder }) => ({ kind: 'add-responder', responder })),
    order(writes, 'add-responder-team', AddTeamBody, ({ responder }) => ({ kind: 'add-team', responder })),
  ];
}

function contentRoutes(writes: AlertWrites, onExcess: OnExcess): readonly Route[] {
  const kept = onExcess === 'truncate' ? { keepWhatFits: true } : {};
  return [
    order(writes, 'add-note', AddNoteBody, () => ({ kind: 'add-note' })),
    order(writes, 'add-tags', addTagsBody(onExcess), ({ tags }) => ({ kind: 'add-tags', tags: [...tags], ...kept })),
    order(writes, 'add-details', addDetailsBody(onExcess), ({ details }) => ({
      kind: 'add-details',
      details,
      ...kept,
    })),
    order(writes, 'update-message', UpdateMessageBody, ({ message }) => ({ kind: 'update-message', message })),
    order(writes, 'update-description', UpdateDescriptionBody, ({ description }) => ({
      kind: 'update-description',
      description,
    })),
    order(writes, 'update-priority', UpdatePriorityBody, ({ priority }) => ({ kind: 'update-priority', priority })),
  ];
}

/** A route whose body is read by `body` and means the order that `meant` makes of it. */
function order<B extends AlertActionBody>(
  writes: AlertWrites,
  operation: OperationId,
  body: z.ZodType<B>,
  meant: (body: B, params: Readonly<Record<string, string>>) => AlertOrder,
): Route {
  return defineRoute({
    operation,
    query: AlertIdentifierQuery,
    body,
    writtenNumbers: 'details',
    handle: async (input) => {
      await writes.order(identifierOf(input), meant(input.body, input.params), input.body, input);
      return ACCEPTED;
    },
  });
}
