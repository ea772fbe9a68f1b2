import { absentWhenEmpty, alsoTaking, oneOf } from '@tocsin/events';
import { z } from 'zod';
import { AlertIdentifierQuery } from '../resources/alert-bodies.ts';
import { cursor, identifierType, limit, order, wholeNumber } from './query-values.ts';

/** How far a list of alerts can be paged: `offset + limit` stays below this (part 1, 4.1; A12). */
export const ALERT_LIST_DEPTH = 20_000;

/** The longest search, in characters (A11). */
const MAX_QUERY = 1_000;

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
const sort = z
  .preprocess((value) => {
    const given = absentWhenEmpty(value);
    return typeof given === 'string' && given.trim().toLowerCase() === 'lastoccuredat' ? 'lastOccurredAt' : given;
  }, oneOf(ALERT_SORT_FIELDS).default('createdAt'))
  .meta(alsoTaking({ const: '' }));

const given = z.preprocess(absentWhenEmpty, z.string('should be a string').optional());

/** Whether `query` is one is for its reader to say; a saved search counts only where there is no `query`. */
const search = {
  query: given.meta({ maxLength: MAX_QUERY, description: 'Such as `status:open AND priority:(P1 OR P2)`.' }),
  searchIdentifier: given.meta({ description: 'A saved search; counts where there is no `query`.' }),
  searchIdentifierType: identifierType.meta({ description: 'What `searchIdentifier` is; ignored without one.' }),
};

/** Reads a query as `schema` does. Without a saved search its type is ignored, whatever it says (part 1, 4.1). */
function searching<T>(schema: z.ZodType<T>): z.ZodType<T> {
  const named = z.object({ searchIdentifier: z.string().min(1) });
  return z.preprocess(
    (query: object) => (named.safeParse(query).success ? query : { ...query, searchIdentifierType: undefined }),
    schema,
  );
}

const offset = wholeNumber(0, Number.MAX_SAFE_INTEGER, 0).meta({
  maximum: ALERT_LIST_DEPTH - 2,
  description: `How many alerts come before the page; together with \`limit\` below ${ALERT_LIST_DEPTH}.`,
});

/** The query of a list of alerts (part 1, 4.1). */
export const ListAlertsQuery = searching(
  z.object({ ...search, offset, limit, sort, order }).refine((query) => query.offset + query.limit < ALERT_LIST_DEPTH, {
    path: ['offset'],
    message: `and limit together should be below ${ALERT_LIST_DEPTH}`,
  }),
);
export type ListAlertsQuery = z.infer<typeof ListAlertsQuery>;

/** The query of a count of alerts (part 1, 4.1). */
export const CountAlertsQuery = searching(z.object(search));
export type CountAlertsQuery = z.infer<typeof CountAlertsQuery>;

/** The query of the explanation of an alert, an operation of Tocsin: of every user whom it reached, or of one. */
export const ExplainAlertQuery = AlertIdentifierQuery.extend({
  user: z
    .preprocess(
      absentWhenEmpty,
      z.string('should be a string').max(100, 'should have at most 100 characters').optional(),
    )
    .meta({ maxLength: 100, description: 'A user, by id or user name: the answer is about them alone.' }),
});
export type ExplainAlertQuery = z.infer<typeof ExplainAlertQuery>;

/** The query of an alert's notes and logs: `offset` is an exclusive cursor (A12). */
export const AlertHistoryQuery = AlertIdentifierQuery.extend({
  offset: cursor.meta({
    pattern: '^([0-9]{1,13}_[0-9]{1,16})?$',
    description: 'The `offset` of an entry: the page begins after it.',
  }),
  direction: z.preprocess(absentWhenEmpty, oneOf(['next', 'prev']).default('next')).meta({
    description: 'Whether the page goes on in `order` from `offset`, or back.',
    ...alsoTaking({ const: '' }),
  }),
  limit,
  order,
});
export type AlertHistoryQuery = z.infer<typeof AlertHistoryQuery>;
