import { ACTION_NAMES } from '../alerts/decided.ts';
import type { DecisionRecord, LogEntry } from './entry.ts';

/**
 * The state of a user towards an alert. `notactive`: was paged, but no message was handed over. `active`: was notified;
 * `method` is the last contact method (`email`). `action`: acted on the alert; `method` is the last action
 * (`Acknowledge`).
 */
type RecipientState = 'notactive' | 'active' | 'action';

/** A user whom the flow of an alert reached. */
export interface Recipient {
  readonly userId: string;
  /** The user name at that time. It may have changed since, and the user may be gone. */
  readonly username: string;
  readonly state: RecipientState;
  /** Empty while nothing was handed over. */
  readonly method: string;
  /** When they were first reached. */
  readonly createdAt: Date;
  /** When they were last paged or notified, or last acted. */
  readonly updatedAt: Date;
}

/** An event of a recipient in a log entry. Of events of one instant, the one with the highest `id` is the last. */
export interface RecipientEvent {
  readonly id: string;
  readonly at: Date;
  readonly kind: 'paged' | 'notified' | 'acted';
  /** Undefined for actions: callers are known by name alone. */
  readonly userId: string | undefined;
  readonly username: string;
  /** The contact method by which they were notified, or the action that they took. */
  readonly method: string;
}

/** This action undoes an action: the flow reaches the user again. */
const { unacknowledge: UNDOES } = ACTION_NAMES;

/** The event of a recipient in a log entry; undefined without one. */
export function recipientEvent({
  entryId: id,
  createdAt: at,
  ...entry
}: Pick<LogEntry, 'entryId' | 'createdAt' | 'owner' | 'action' | 'decision'>): RecipientEvent | undefined {
  const { owner: username, action: method, decision } = entry;
  if (method === undefined) return decision && decisionEvent({ id, at }, decision);
  if (method === UNDOES) return undefined;
  return { id, at, kind: 'acted', userId: undefined, username, method };
}

function decisionEvent(
  entry: Pick<RecipientEvent, 'id' | 'at'>,
  { facts = {}, ...finding }: DecisionRecord,
): RecipientEvent | undefined {
  const { userId, username, method = '' } = facts;
  const kind = kindOf(finding);
  if (typeof userId !== 'string' || typeof username !== 'string' || typeof method !== 'string') return undefined;
  return kind && { ...entry, kind, userId, username, method };
}

function kindOf({ stage, subject, outcome }: Omit<DecisionRecord, 'facts'>): 'paged' | 'notified' | undefined {
  if (subject === 'page' && outcome === 'paged') return 'paged';
  return stage === 'deliver' && (outcome === 'sent' || outcome === 'delivered') ? 'notified' : undefined;
}

/** The first and the last of the events of one user. */
interface Known {
  readonly first: RecipientEvent;
  readonly last: RecipientEvent;
  readonly paged: RecipientEvent | undefined;
  readonly notified: RecipientEvent | undefined;
}

/**
 * Folds events into the recipients of one alert. The rows do not depend on the order of the events, nor on duplicates.
 * It keeps only the last event of each kind for each user, and the first of all.
 */
export class Recipients {
  readonly #known = new Map<string, Known>();
  readonly #acted = new Map<string, RecipientEvent>();

  add(event: RecipientEvent): void {
    const { userId, kind } = event;
    if (userId === undefined) {
      const name = event.username.toLowerCase();
      this.#acted.set(name, later(this.#acted.get(name), event));
      return;
    }
    const known = this.#known.get(userId) ?? { first: event, last: event, paged: undefined, notified: undefined };
    this.#known.set(userId, {
      first: later(known.first, event) === event ? known.first : event,
      last: later(known.last, event),
      paged: kind === 'paged' ? later(known.paged, event) : known.paged,
      notified: kind === 'notified' ? later(known.notified, event) : known.notified,
    });
  }

  /** The recipients in the order in which they were first reached, at most `most`. */
  rows(most: number): readonly Recipient[] {
    return [...this.#known]
      .sort(([a, { first: one }], [b, { first: other }]) => one.at.getTime() - other.at.getTime() || (a < b ? -1 : 1))
      .slice(0, most)
      .map(([userId, known]) => this.#row(userId, known));
  }

  #row(userId: string, known: Known): Recipient {
    const { username } = known.last;
    const did = this.#acted.get(username.toLowerCase());
    const last = did === undefined ? known.last : later(did, known.last);
    return { userId, username, ...standing(known, did), createdAt: known.first.at, updatedAt: last.at };
  }
}

function standing({ paged, notified }: Known, did: RecipientEvent | undefined): Pick<Recipient, 'state' | 'method'> {
  // An action counts until the flow reaches the user again.
  const holds = did !== undefined && (paged === undefined || did.at >= paged.at);
  if (holds) return { state: 'action', method: did.method };
  return notified === undefined ? { state: 'notactive', method: '' } : { state: 'active', method: notified.method };
}

/** The later of the two; of one instant, the one with the higher id. */
function later(a: RecipientEvent | undefined, b: RecipientEvent): RecipientEvent {
  if (a === undefined) return b;
  return a.at.getTime() - b.at.getTime() > 0 || (a.at.getTime() === b.at.getTime() && a.id >= b.id) ? a : b;
}
