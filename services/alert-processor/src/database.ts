import { InvalidError } from '@tocsin/core';
import { asUnavailable, AUDIT_INDEXES, collectionOf, type Connection, dueIndex, type IndexPlan } from '@tocsin/mongo';

export const ALERTS = 'alerts';
export const LOGS = 'alert_logs';
export const NOTES = 'alert_notes';
export const STATUSES = 'request_statuses';
const COUNTERS = 'counters';
export const SAVED_SEARCHES = 'saved_searches';
export const POLICIES = 'policies';
export const MAINTENANCES = 'maintenances';
/** The ids of deleted alerts. */
export const REMOVED_ALERTS = 'removed_alerts';
export const ATTACHMENTS = 'attachments';
/** The owed numbers of processes that accept commands (reports), the received numbers of partitions (accounts), and the lost ones. */
export const SEQUENCE_REPORTS = 'sequence_reports';
export const RECEIVED_NUMBERS = 'received_numbers';
export const LOST_NUMBERS = 'lost_numbers';
/** The GridFS bucket for the bytes of attachments. */
export const ATTACHMENT_BYTES = 'attachment_bytes';

/**
 * The collections of rows that belong to an alert. They name it as `alertId`, and are deleted in the transaction that
 * deletes it. Each has an index that begins with `alertId`.
 */
export const RELATED = [LOGS, NOTES] as const;

/** The unique index that allows one open alert per alias and scope (A16). */
export const OPEN_ALIAS = 'open_alias_of_scope';

/** The index of search terms, in order of creation. */
export const BY_TERMS = { 'search.terms': 1, createdAt: 1, tinyId: 1 } as const;

/** The index of the files of mails. */
export const MAIL_FILES = { integrationId: 1, length: 1 } as const;

/** The sort fields with an index, besides `createdAt` and `tinyId`. A list by any other field is sorted in memory. */
export const SORTED = ['status', 'updatedAt'] as const;

/** The indexes of all collections of this service, each with the query that needs it. */
export const indexPlans: readonly IndexPlan[] = [
  {
    collection: ALERTS,
    keys: { alias: 1, ownerTeamId: 1 },
    options: { name: OPEN_ALIAS, unique: true, partialFilterExpression: { status: 'open' } },
    serves: 'one open alert per scope and alias; the look-up by alias',
  },
  {
    collection: ALERTS,
    keys: { tinyId: 1 },
    options: { unique: true },
    serves: 'the look-up by tiny id; lists by tinyId',
  },
  {
    collection: ALERTS,
    keys: { status: 1, createdAt: 1, tinyId: 1 },
    serves: 'lists by createdAt, the default, of one status or both; lists by status; counts of a status',
  },
  { collection: ALERTS, keys: { updatedAt: 1, createdAt: 1, tinyId: 1 }, serves: 'lists by updatedAt' },
  {
    collection: ALERTS,
    keys: BY_TERMS,
    serves: 'searches for words and values, and the lists of team keys, by createdAt',
  },
  { collection: LOGS, keys: { alertId: 1, position: 1 }, serves: 'the pages of the log of one alert' },
  { collection: NOTES, keys: { alertId: 1, position: 1 }, serves: 'the pages of the notes of one alert' },
  {
    collection: STATUSES,
    keys: { processedAt: 1 },
    serves: 'the sweep of statuses that are old enough (A8)',
  },
  {
    collection: STATUSES,
    keys: { 'mail.key': 1, 'mail.acceptedAt': 1 },
    options: { sparse: true },
    serves: 'the requests that processed a mail before (P10)',
  },
  {
    collection: ALERTS,
    keys: { closedAt: 1 },
    options: { partialFilterExpression: { status: 'closed' } },
    serves: 'the sweep of closed alerts that are old enough',
  },
  { collection: REMOVED_ALERTS, keys: { removedAt: 1 }, serves: 'the sweep of ids that are old enough' },
  {
    collection: SAVED_SEARCHES,
    keys: { name: 1 },
    options: { name: 'name', unique: true },
    serves: 'names that are unique; the look-up by name',
  },
  { collection: SAVED_SEARCHES, keys: { createdAt: 1, _id: 1 }, serves: 'the list of saved searches' },
  { collection: SAVED_SEARCHES, keys: { teamIds: 1, createdAt: 1, _id: 1 }, serves: 'those that name a team' },
  ...[POLICIES, MAINTENANCES].map((collection) => ({
    collection,
    keys: { createdAt: 1, _id: 1 } as const,
    serves: 'all of them in the order of their creation, without a sort in memory',
  })),
  { collection: COUNTERS, keys: { _id: 1 }, serves: 'the next tiny id, the next id of a file' },
  { collection: ATTACHMENTS, keys: { alertId: 1, _id: 1 }, serves: 'the files of one alert' },
  {
    collection: ATTACHMENTS,
    keys: MAIL_FILES,
    options: { partialFilterExpression: { integrationId: { $gt: '' } } },
    serves: 'how many bytes the files of mails to each integration take (P13)',
  },
  { collection: ATTACHMENTS, keys: { goesAt: 1 }, serves: 'the sweep of files that belong to no alert' },
  {
    collection: `${ATTACHMENT_BYTES}.chunks`,
    keys: { files_id: 1, n: 1 },
    options: { unique: true },
    serves: 'the bytes of one file in their order; the driver asks for it',
  },
  {
    collection: `${ATTACHMENT_BYTES}.files`,
    keys: { filename: 1, uploadDate: 1 },
    serves: 'the driver, which makes it where it is missing',
  },
  {
    collection: SEQUENCE_REPORTS,
    keys: { reportedAt: 1 },
    serves: 'who owes, the last to speak first; the sweep of old ones',
  },
  {
    collection: RECEIVED_NUMBERS,
    keys: { instance: 1 },
    serves: 'the removal of accounts with the report of their process',
  },
  { collection: LOST_NUMBERS, keys: { foundAt: 1 }, serves: 'what was found to be lost since an instant' },
  { collection: LOST_NUMBERS, keys: { instance: 1 }, serves: 'the removal of losses with the report of their process' },
  dueIndex(ALERTS),
  ...AUDIT_INDEXES,
];

interface CounterDocument {
  readonly _id: string;
  readonly last: number;
}

/** Takes `size` consecutive unused numbers, and returns the last. Numbers that are not used later become gaps. */
export async function takeNumbers(
  connection: Connection,
  counter: 'tinyId' | 'attachmentId',
  size: number,
): Promise<number> {
  const taken = await collectionOf<CounterDocument>(connection, COUNTERS).findOneAndUpdate(
    { _id: counter },
    { $inc: { last: size } },
    { upsert: true, returnDocument: 'after' },
  );
  return taken?.last ?? size;
}

/** How long one query may take, in milliseconds. */
export const QUERY_TIMEOUT_MS = 2_000;
/** How long a search may take (A11): less than the next one waits. */
export const SEARCH_TIMEOUT_MS = 1_400;

const MAX_TIME_EXPIRED = 50;
const TOO_LONG = 'The query takes too long. Narrow it down, or sort by another field.';

/**
 * Awaits a query and translates its errors.
 *
 * @throws UnavailableError when the database is unavailable; InvalidError when the query took too long and was stopped.
 */
export async function reading<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === MAX_TIME_EXPIRED)
      throw new InvalidError(TOO_LONG, { query: TOO_LONG }, { cause: error });
    throw asUnavailable(error);
  }
}
