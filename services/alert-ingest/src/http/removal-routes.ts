import { AlertRemovalBody, AlertRemovalQuery, type OnExcess, type OperationId } from '@tocsin/contracts';
import { InvalidError } from '@tocsin/errors';
import { defineRoute, type Route } from '@tocsin/http';
import type { AlertWrites } from '../application/alert-writes.ts';
import type { AlertOrder } from '../domain/alert-order.ts';
import { ACCEPTED, fittingBody, identifierOf } from './alert-write.ts';

/** The DELETEs on alerts: what the query lacks is read from the body (E5). */
export function removalRoutes(writes: AlertWrites, onExcess: OnExcess): readonly Route[] {
  const removal = (operation: OperationId, orderOf: OrderOf) => removalRoute({ writes, onExcess }, operation, orderOf);
  return [
    removal('delete-alert', () => ({ kind: 'delete' })),
    removal('remove-tags', ({ tags }) => ({ kind: 'remove-tags', tags: some('tags', tags) })),
    removal('remove-details', ({ keys }) => ({ kind: 'remove-details', keys: some('keys', keys) })),
  ];
}

type OrderOf = (asked: AlertRemovalBody) => AlertOrder;

function removalRoute(
  { writes, onExcess }: { readonly writes: AlertWrites; readonly onExcess: OnExcess },
  operation: OperationId,
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
