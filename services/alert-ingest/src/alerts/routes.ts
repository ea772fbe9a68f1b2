import { z } from 'zod';
import {
  addDetailsBody,
  AddNoteBody,
  AddResponderBody,
  addTagsBody,
  AddTeamBody,
  AlertActionBody,
  AlertIdentifierQuery,
  AlertRemovalBody,
  AlertRemovalQuery,
  type AlertWriteId,
  AssignBody,
  createAlertBody,
  type CreateAlertBody,
  EscalateBody,
  type OnExcess,
  readBy,
  SnoozeBody,
  UpdateDescriptionBody,
  UpdateMessageBody,
  UpdatePriorityBody,
} from '@tocsin/api';
import { ALERT_LIMITS, type AlertIdentifier } from '@tocsin/events';
import { InvalidError } from '@tocsin/core';
import { defineRoute, type Route } from '@tocsin/http';
import { type Fit, fittingText } from '@tocsin/rules';
import { actionName, alertIdentifier, type AlertOrder, endOfSnooze } from './alert-order.ts';
import type { AlertWrites, SentBody } from './operations.ts';

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
  operation: AlertWriteId,
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

/** The DELETEs on alerts: what the query lacks is read from the body (E5). */
function removalRoutes(writes: AlertWrites, onExcess: OnExcess): readonly Route[] {
  const removal = (operation: AlertWriteId, orderOf: OrderOf) => removalRoute({ writes, onExcess }, operation, orderOf);
  return [
    removal('delete-alert', () => ({ kind: 'delete' })),
    removal('remove-tags', ({ tags }) => ({ kind: 'remove-tags', tags: some('tags', tags) })),
    removal('remove-details', ({ keys }) => ({ kind: 'remove-details', keys: some('keys', keys) })),
  ];
}

type OrderOf = (asked: AlertRemovalBody) => AlertOrder;

function removalRoute(
  { writes, onExcess }: { readonly writes: AlertWrites; readonly onExcess: OnExcess },
  operation: AlertWriteId,
  orderOf: OrderOf,
): Route {
  return defineRoute({
    operation,
    query: fittingBody(AlertRemovalQuery, onExcess),
    body: fittingBody(AlertRemovalBody, onExcess),
    handle: async (input) => {
      const asked = joined(input.query, input.body);
      await writes.order(identifierOf(input), orderOf(asked), asked, input);
      return ACCEPTED;
    },
  });
}

function joined(query: AlertRemovalBody, body: AlertRemovalBody): AlertRemovalBody {
  return {
    tags: query.tags.length > 0 ? query.tags : body.tags,
    keys: query.keys.length > 0 ? query.keys : body.keys,
    user: query.user ?? body.user,
    source: query.source ?? body.source,
    note: query.note ?? body.note,
  };
}

function some(field: 'tags' | 'keys', values: readonly string[]): string[] {
  if (values.length === 0) throw InvalidError.ofFields({ [field]: 'should name at least one' });
  return [...values];
}

/** Every answer to an accepted write. Without `data`: clients would read that instead of the text (wire facts 1.1). */
const ACCEPTED = { status: 202, body: { result: 'Request will be processed' } } as const;

/** The alert that a path names. */
function identifierOf({
  params,
  query,
}: {
  readonly params: Readonly<Record<string, string>>;
  readonly query: AlertIdentifierQuery;
}): AlertIdentifier {
  return alertIdentifier(query.identifierType, params['identifier'] ?? '');
}

/** The result of `body`. Texts over their limit are cut first where excess is not refused (E8). */
const fittingBody = <T>(body: z.ZodType<T>, onExcess: OnExcess): z.ZodType<T> =>
  onExcess === 'reject' ? body : z.preprocess((value) => cutScalars(value).kept, body);

/** Not the alias: aliases with the same beginning would become one alert, which its senders would not find by their alias. */
const SCALARS = ['message', 'description', 'entity', 'source', 'user', 'note'] as const;

/**
 * Cuts the texts of a body to their limits, and returns one sentence for each cut (E8). It trims leading white space of a text
 * that is too long first. It keeps a body that is no object, and values that are no text.
 */
function cutScalars(body: unknown): Fit<unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { kept: body, cut: [] };
  const kept: Record<string, unknown> = { ...body };
  const cut: string[] = [];
  for (const field of SCALARS) {
    const text = kept[field];
    if (typeof text !== 'string' || text.length <= ALERT_LIMITS[field]) continue;
    const fit = fittingText(field, text.trimStart(), ALERT_LIMITS[field]);
    if (fit.cut.length === 0) continue;
    kept[field] = fit.kept;
    cut.push(...fit.cut);
  }
  return { kept, cut };
}
