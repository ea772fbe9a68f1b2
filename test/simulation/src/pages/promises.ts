import type { Decision } from '@tocsin/events';
import { collectionOf, type Connection } from '@tocsin/mongo';
import { DELIVERIES, RECIPIENT_QUEUES } from '@tocsin/notifier/testing';
import type { HandOver } from './provider.ts';
import { type AlertStory, deliveriesOf, expectedDeliveries, pagesOf } from './workload.ts';

/** The row of a page or delivery. */
interface Row {
  readonly _id: string;
  readonly state?: string;
  readonly nextAt?: Date;
  readonly nextDueAt?: Date;
  readonly reason?: string | null;
}

interface Queue {
  readonly _id: string;
  readonly leaseUntil: Date | null;
  readonly nextAt?: Date | null;
}

/** What notifier has stored. */
export interface StoredPages {
  readonly rows: readonly Row[];
  readonly queues: readonly Queue[];
  /** How many messages are not published yet. */
  readonly inOutbox: number;
}

export const readPages = async (connection: Connection): Promise<StoredPages> => ({
  rows: await collectionOf<Row>(connection, DELIVERIES).find({}).toArray(),
  queues: await collectionOf<Queue>(connection, RECIPIENT_QUEUES).find({}).toArray(),
  inOutbox: await collectionOf(connection, 'outbox').countDocuments({}),
});

/** Work that was due at `nowMs` and is left. */
export function leftWork({ inOutbox, queues, rows }: StoredPages, nowMs: number): readonly string[] {
  const isDue = (at: Date | null | undefined): boolean => at instanceof Date && at.getTime() <= nowMs;
  const due = rows.filter(({ nextAt, nextDueAt }) => isDue(nextAt) || isDue(nextDueAt));
  const busy = queues.filter(({ leaseUntil, nextAt }) => leaseUntil !== null || isDue(nextAt));
  return [
    ...due.map(({ _id }) => `${_id}: it is still due.`),
    ...busy.map(({ _id }) => `${_id}: the queue is not free.`),
    ...(inOutbox > 0 ? [`The outbox still has ${inOutbox} rows.`] : []),
  ];
}

/**
 * Pages that are not known, and messages that were due at `nowMs` and that the provider lacks, or has although they are of no page. A
 * message may be given up where the next step takes over.
 */
export function messageFaults(
  stories: readonly AlertStory[],
  { rows }: StoredPages,
  { handOvers, nowMs }: { readonly handOvers: readonly HandOver[]; readonly nowMs: number },
): readonly string[] {
  const byId = new Map(rows.map((row) => [row._id, row]));
  const taken = new Set(handOvers.map(({ deliveryId }) => deliveryId));
  const pages = stories.flatMap(pagesOf);
  const known = new Set(pages.flatMap(deliveriesOf).map(({ deliveryId }) => deliveryId));
  const isGivenUp = (id: string): boolean => byId.get(id)?.reason?.includes('given up') === true;
  const missing = expectedDeliveries(stories, nowMs)
    .map(({ deliveryId }) => deliveryId)
    .filter((id) => !taken.has(id) && !isGivenUp(id));
  return [
    ...pages.filter(({ pageId }) => !byId.has(pageId)).map(({ pageId }) => `${pageId}: the page is not known.`),
    ...missing.map((id) => `${id}: the provider has not got it.`),
    ...[...taken].filter((id) => !known.has(id)).map((id) => `${id}: it is a message of no page.`),
  ];
}

const ENDS = ['sent', 'failed', 'dropped'];

/** Messages that have ended and whose end is in no decision. */
export function logFaults({ rows }: StoredPages, decisions: readonly Decision[]): readonly string[] {
  const findings = decisions.flatMap((decision) => decision.findings);
  const logged = new Set(findings.map(({ facts, outcome }) => `${String(facts?.['deliveryId'])} ${outcome}`));
  return rows
    .filter(({ _id, state = '' }) => ENDS.includes(state) && !logged.has(`${_id} ${state}`))
    .map(({ _id, state = '' }) => `${_id}: the log does not say that it was ${state}.`);
}
