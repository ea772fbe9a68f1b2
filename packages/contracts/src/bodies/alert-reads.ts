import { z } from 'zod';
import { absentWhenEmpty, oneOf } from '../primitives.ts';
import { AlertIdentifierQuery } from './alerts.ts';
import { cursor, identifierType, limit, order, wholeNumber } from './query-values.ts';

/** How far a list of alerts can be paged: `offset + limit` stays below this (part 1, 4.1; A12). */
export const ALERT_LIST_DEPTH = 20_000;

/** The fields by which alerts can be sorted (part 1, 4.1). */
export const ALERT_SORT_FIELDS = [
  'createdAt',
  'updatedAt',
  'tinyId',
  'alias',
  'message',
  'status',
  'acknowledged',
  'isSeen',
  'snoozed',
  'snoozedUntil',
  'count',
  'lastOccurredAt',
  'source',
  'owner',
  'integration.name',
  'integration.type',
  'report.ackTime',
  'report.closeTime',
  'report.acknowledgedBy',
  'report.closedBy',
] as const;
/** The fields by which a list of alerts can be sorted (part 1, 4.1). */
export type AlertSortField = (typeof ALERT_SORT_FIELDS)[number];

/** One client spells it with one `r` (wire facts 4.1). */
const sort = z.preprocess((value) => {
  const given = absentWhenEmpty(value) ?? 'createdAt';
  return typeof given === 'string' && given.trim().toLowerCase() === 'lastoccuredat' ? 'lastOccurredAt' : given;
}, oneOf(ALERT_SORT_FIELDS));

const given = z.preprocess(absentWhenEmpty, z.string('should be a string').optional());

/** Whether `query` is one is for its reader to say; a saved search counts only where there is no `query`. */
const search = { query: given, searchIdentifier: given, searchIdentifierType: identifierType };

/** Reads a query as `schema` does. Without a saved search its type is ignored, whatever it says (part 1, 4.1). */
function searching<T>(schema: z.ZodType<T>): z.ZodType<T> {
  const named = z.object({ searchIdentifier: z.string().min(1) });
  return z.preprocess(
    (query: object) => (named.safeParse(query).success ? query : { ...query, searchIdentifierType: undefined }),
    schema,
  );
}

/** The query of a list of alerts (part 1, 4.1). */
export const ListAlertsQuery = searching(
  z
    .object({ ...search, offset: wholeNumber(0, Number.MAX_SAFE_INTEGER, 0), limit, sort, order })
    .refine((query) => query.offset + query.limit < ALERT_LIST_DEPTH, {
      path: ['offset'],
      message: `and limit together should be below ${ALERT_LIST_DEPTH}`,
    }),
);
export type ListAlertsQuery = z.infer<typeof ListAlertsQuery>;

/** The query of a count of alerts (part 1, 4.1). */
export const CountAlertsQuery = searching(z.object(search));
export type CountAlertsQuery = z.infer<typeof CountAlertsQuery>;

/** The query of an alert's notes and logs: `offset` is an exclusive cursor (A12). */
export const AlertHistoryQuery = AlertIdentifierQuery.extend({
  offset: cursor,
  direction: z.preprocess((value) => absentWhenEmpty(value) ?? 'next', oneOf(['next', 'prev'])),
  limit,
  order,
});
export type AlertHistoryQuery = z.infer<typeof AlertHistoryQuery>;
