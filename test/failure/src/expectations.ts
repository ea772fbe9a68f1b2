/** What becomes of an alert of the load: how many users it pages, and what a user does about it. */
export const KINDS = ['two steps', 'acknowledged', 'one step', 'closed'] as const;
export type AlertKind = (typeof KINDS)[number];

/** When the second user is paged after the first, in milliseconds. */
export const SECOND_STEP_MS = 60_000;

/** An alert that callers sent until it was accepted. All instants are in milliseconds since 1970, by the clock of the load. */
export interface SentAlert {
  /** Stands in each message about the alert. */
  readonly alias: string;
  readonly kind: AlertKind;
  /** The address or number that is paged at once. */
  readonly first: string;
  /** The one that is paged {@link SECOND_STEP_MS} later, unless the alert has one step. */
  readonly second: string;
  readonly firstTriedAt: number;
  /** How many tries were refused, or had no answer. */
  refusals: number;
  /** The instant and the request of the answer 202; undefined while there is none. */
  accepted?: AcceptedRequest;
  /** The same of the acknowledgement or the close, which is sent after the first page. */
  stopped?: AcceptedRequest;
}

interface AcceptedRequest {
  readonly at: number;
  readonly requestId: string;
}

/** A message that an alert does or does not bring about. */
export interface Expectation {
  readonly alias: string;
  readonly to: string;
  /** The instant at which it is due. */
  readonly dueAt: number;
  /** The alert may be older than its answer, where an answer was lost: a message before this instant is wrong. */
  readonly earliestAt: number;
  /** `either` where the alert was acknowledged or closed so late that both are right. */
  readonly wanted: 'yes' | 'no' | 'either';
}

/** A step may be due up to a second before its minute is over, because instants are taken at different places. */
const MARGIN_MS = 1_000;

/** The messages of an accepted alert; none of one that was not accepted. */
export function expectationsOf(alert: SentAlert): readonly Expectation[] {
  const { accepted, alias, first, firstTriedAt, second } = alert;
  if (accepted === undefined) return [];
  const page = { alias, to: first, dueAt: accepted.at, earliestAt: firstTriedAt, wanted: 'yes' } as const;
  if (alert.kind === 'one step') return [page];
  const earliestAt = firstTriedAt + SECOND_STEP_MS - MARGIN_MS;
  const dueAt = accepted.at + SECOND_STEP_MS;
  return [page, { alias, to: second, dueAt, earliestAt, wanted: secondWanted(alert, earliestAt) }];
}

/** A command that was accepted before a step was due stops it, however late the command is processed. */
function secondWanted({ kind, stopped }: SentAlert, earliestAt: number): Expectation['wanted'] {
  if (kind === 'two steps') return 'yes';
  return stopped !== undefined && stopped.at < earliestAt ? 'no' : 'either';
}
