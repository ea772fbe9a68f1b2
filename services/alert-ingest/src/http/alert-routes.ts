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
import { cutScalars } from '../domain/cut-scalars.ts';
import { ACCEPTED, fittingBody, identifierOf } from './alert-write.ts';
import { removalRoutes } from './removal-routes.ts';

/** The writes to alerts (part 1, 4.1; wire facts 4). A 202 is given only when the command is on Kafka (promise 1). */
export function alertRoutes(writes: AlertWrites, onExcess: OnExcess): readonly Route[] {
  const create = defineRoute({
    operation: 'create-alert',
    body: sentBody(createAlertBody(onExcess), onExcess),
    writtenNumbers: 'details',
    handle: async (input) => {
      await writes.create(input.body, input);
      return ACCEPTED;
    },
  });
  const orders = { writes, onExcess };
  return [
    create,
    ...statusRoutes(orders),
    ...peopleRoutes(orders),
    ...contentRoutes(orders),
    ...removalRoutes(writes, onExcess),
  ];
}

/** Templates of actions read the body as it was sent too (P4). */
const sentBody = (read: z.ZodType<CreateAlertBody>, onExcess: OnExcess): z.ZodType<SentBody> =>
  z.unknown().transform((payload, context) => {
    const { kept, cut } = onExcess === 'truncate' ? cutScalars(payload) : { kept: payload, cut: [] };
    return { body: readBy(read, kept, context), payload, cut };
  });

function statusRoutes(orders: Orders): readonly Route[] {
  return [
    order(orders, 'acknowledge-alert', AlertActionBody, () => ({ kind: 'acknowledge' })),
    order(orders, 'unacknowledge-alert', AlertActionBody, () => ({ kind: 'unacknowledge' })),
    order(orders, 'close-alert', AlertActionBody, () => ({ kind: 'close' })),
    order(orders, 'snooze-alert', SnoozeBody, ({ endTime }) => ({
      kind: 'snooze',
      endTime: endOfSnooze(endTime, orders.writes.now()).toISOString(),
    })),
    order(orders, 'execute-custom-action', AlertActionBody, (_, params) => ({
      kind: 'execute-action',
      action: actionName(params['actionName'] ?? ''),
    })),
  ];
}

function peopleRoutes(orders: Orders): readonly Route[] {
  return [
    order(orders, 'escalate-alert', EscalateBody, ({ escalation }) => ({ kind: 'escalate', escalation })),
    order(orders, 'assign-alert', AssignBody, ({ owner }) => ({ kind: 'assign', owner })),
    order(orders, 'add-responder', AddResponderBody, ({ responder }) => ({ kind: 'add-responder', responder })),
    order(orders, 'add-responder-team', AddTeamBody, ({ responder }) => ({ kind: 'add-team', responder })),
  ];
}

function contentRoutes(orders: Orders): readonly Route[] {
  const { onExcess } = orders;
  const kept = onExcess === 'truncate' ? { keepWhatFits: true } : {};
  return [
    order(orders, 'add-note', AddNoteBody, () => ({ kind: 'add-note' })),
    order(orders, 'add-tags', addTagsBody(onExcess), ({ tags }) => ({ kind: 'add-tags', tags: [...tags], ...kept })),
    order(orders, 'add-details', addDetailsBody(onExcess), ({ details }) => ({
      kind: 'add-details',
      details,
      ...kept,
    })),
    order(orders, 'update-message', UpdateMessageBody, ({ message }) => ({ kind: 'update-message', message })),
    order(orders, 'update-description', UpdateDescriptionBody, ({ description }) => ({
      kind: 'update-description',
      description,
    })),
    order(orders, 'update-priority', UpdatePriorityBody, ({ priority }) => ({ kind: 'update-priority', priority })),
  ];
}

interface Orders {
  readonly writes: AlertWrites;
  readonly onExcess: OnExcess;
}

/** A route whose body is read by `body` and means the order that `meant` makes of it. */
function order<B extends AlertActionBody>(
  { writes, onExcess }: Orders,
  operation: OperationId,
  body: z.ZodType<B>,
  meant: (body: B, params: Readonly<Record<string, string>>) => AlertOrder,
): Route {
  return defineRoute({
    operation,
    query: AlertIdentifierQuery,
    body: fittingBody(body, onExcess),
    writtenNumbers: 'details',
    handle: async (input) => {
      await writes.order(identifierOf(input), meant(input.body, input.params), input.body, input);
      return ACCEPTED;
    },
  });
}
