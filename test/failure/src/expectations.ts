/** What becomes of an alert of the load: how many users it pages, and what a user does about it. */
export const KINDS = ['two steps', 'acknowledged', 'one step', 'closed'] as const;
export type AlertKind = (typeof KINDS)[number];

/** When the second user is paged after the first, in milliseconds. */
export const SECOND_STEP_MS = 60_000;

/** An alert that callers sent until it was accepted. All instants are in milliseconds since 1970, by the clock of the load. */
export interface SentAlert {
  /** Stands in each page about the alert. */
  readonly alias: string;
  readonly kind: AlertKind;
  /** The address or number that is paged at once. */
  readonly first: string;
  /** The one that is paged {@link SECOND_STEP_MS} later, unless the alert has one step. */
  readonly second: string;
  readonly firstSentAt: number;
  /** When requests about the alert were refused, or were without an answer for too long: creates, acknowledgements and closes. */
  readonly refusedAt: number[];
  /** The instant and the request of the answer 202; undefined while there is none. */
  accepted?: AcceptedRequest;
  /** When the acknowledgement or the close was first sent, which is after the first page; undefined while it was not. */
  stopSentAt?: number;
  /** The answer 202 to it. */
  stopped?: AcceptedRequest;
}

interface AcceptedRequest {
  readonly at: number;
  readonly requestId: string;
}

/** A page that an alert does or does not bring about. */
export interface Expectation {
  readonly alias: string;
  readonly to: string;
  /** The instant at which it is due. */
  readonly dueAt: number;
  /** The alert may be older than its answer, where an answer was lost: a page before this instant is wrong. */
  readonly earliestAt: number;
  /** `either` where the alert was acknowledged or closed so late that both are right. */
  readonly wanted: 'yes' | 'no' | 'either';
}

/** A step may be due up to a second before its minute is over, because instants are taken at different places. */
const MARGIN_MS = 1_000;
/** An acknowledgement also cancels a page that is due and waits (U5). No page waits longer than this, unless it is missing. */
const MAX_WAIT_MS = 60_000;

/** The pages of an accepted alert; none of one that was not accepted. */
export function expectationsOf(alert: SentAlert): readonly Expectation[] {
  const { accepted, alias, first, firstSentAt, second } = alert;
  if (accepted === undefined) return [];
  const page = { alias, to: first, dueAt: accepted.at, earliestAt: firstSentAt, wanted: 'yes' } as const;
  if (alert.kind === 'one step') return [page];
  const earliestAt = firstSentAt + SECOND_STEP_MS - MARGIN_MS;
  const dueAt = accepted.at + SECOND_STEP_MS;
  return [page, { alias, to: second, dueAt, earliestAt, wanted: secondWanted(alert, { dueAt, earliestAt }) }];
}

/** A command that was accepted before a step was due stops it, however late the command is processed. */
function secondWanted(
  { kind, stopped, stopSentAt }: SentAlert,
  { dueAt, earliestAt }: Pick<Expectation, 'dueAt' | 'earliestAt'>,
): Expectation['wanted'] {
  if (kind === 'two steps') return 'yes';
  if (stopped !== undefined && stopped.at < earliestAt) return 'no';
  return stopSentAt === undefined || stopSentAt >= dueAt + MAX_WAIT_MS ? 'yes' : 'either';
}
