import type { AlertFact, Responder, WebhookAction, WebhookCommand } from '@tocsin/events';
import type { Alert } from '../alerts/alert.ts';
import type { Cause } from '../alerts/decided.ts';

/** The content of a webhook besides the actor and the alert. */
type More = Pick<WebhookCommand, 'note' | 'customAction' | 'tags' | 'snoozedUntil'> & {
  readonly responder?: Responder;
};

/** One thing that happened to an alert, under the name by which integrations subscribe to it (P12). */
export interface WebhookEvent extends More {
  readonly action: WebhookCommand['action'];
  readonly cause: Cause;
  /** The alert after it; a deleted alert as it was last. */
  readonly alert: Alert;
}

/** A change of an alert. */
export interface AppliedChange {
  readonly cause: Cause;
  readonly fact: AlertFact | undefined;
  /** Undefined if the alert is new. */
  readonly before: Alert | undefined;
  readonly after: Alert;
}

/** The actions that the kind of a fact alone decides. */
const BY_FACT: Partial<Record<AlertFact['kind'], WebhookAction>> = {
  created: 'Create',
  acknowledged: 'Acknowledge',
  snoozed: 'Snooze',
  escalated: 'EscalateToNext',
  noted: 'AddNote',
  'tags-added': 'AddTags',
  'tags-removed': 'RemoveTags',
  closed: 'Close',
  deleted: 'Delete',
  'action-executed': 'CustomAction',
};

/**
 * The events of a change, in the words of integrations (P12). There are several events if responders that could not be looked up at
 * first are found together. Repeats and restarts give none.
 *
 * `UnAcknowledge`: the alert is no longer acknowledged, whatever undid it, because a receiver that mirrors the alert has no other way
 * to know. `AddTeam`: a team joined; any other responder is `AddRecipient`. `TakeOwnership`: the actor is the new owner; otherwise
 * `AssignOwnership`. `Update`: a new priority, text or details, or the end of a snooze, for which integrations have no word.
 */
export function toWebhookEvents(processed: AppliedChange): readonly WebhookEvent[] {
  const { after: alert, before, cause, fact } = processed;
  const event = (action: WebhookCommand['action'], more: More): WebhookEvent => ({ action, cause, alert, ...more });
  const note = fact?.note === undefined ? {} : { note: fact.note };
  const action = fact && actionOf(fact, processed);
  if (action !== undefined) return [event(action, { ...note, ...moreOf(processed) })];
  if (isUndone(before, alert)) return [event('UnAcknowledge', note)];
  const joined = added(before, alert).map((responder) =>
    event(responder.type === 'team' ? 'AddTeam' : 'AddRecipient', { ...note, responder }),
  );
  return isUpdated(before, alert) ? [...joined, event('Update', {})] : joined;
}

/** The action that the kind of the fact decides; undefined if it decides none. */
function actionOf({ kind }: AlertFact, { after, cause }: AppliedChange): WebhookAction | undefined {
  if (kind !== 'assigned') return BY_FACT[kind];
  return isTaken(after, cause) ? 'TakeOwnership' : 'AssignOwnership';
}

const moreOf = ({ after, before, fact }: AppliedChange): More =>
  fact === undefined ? {} : (MORE[fact.kind]?.(fact, before, after) ?? {});

type MoreOf = (fact: AlertFact, before: Alert | undefined, alert: Alert) => More;

/** Further fields, by the kind of the fact. */
const MORE: Partial<Record<AlertFact['kind'], MoreOf>> = {
  'tags-added': (_, before, alert) => ({ tags: without(alert.tags, before?.tags) }),
  'tags-removed': (_, before, alert) => ({ tags: without(before?.tags ?? [], alert.tags) }),
  snoozed: (_, __, { snoozedUntil }) =>
    snoozedUntil === undefined ? {} : { snoozedUntil: snoozedUntil.toISOString() },
  'action-executed': ({ action }) => (action === undefined ? {} : { customAction: action }),
  escalated: (fact) => responderOf(fact),
  assigned: (fact) => responderOf(fact),
};

const responderOf = ({ responder }: AlertFact): More => (responder === undefined ? {} : { responder });

/** Whether the actor made themselves the owner. Both are names, and user names are kept in lower case. */
const isTaken = ({ owner }: Alert, { actor }: Cause): boolean => owner.toLowerCase() === actor.toLowerCase();

const UPDATED = ['priority', 'message', 'description', 'details', 'snoozedUntil'] as const satisfies (keyof Alert)[];

const isUpdated = (before: Alert | undefined, after: Alert): boolean =>
  before !== undefined && UPDATED.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));

const isUndone = (before: Alert | undefined, after: Alert): boolean =>
  before?.acknowledged === true && !after.acknowledged && after.status === 'open';

/** The responders that `before` did not have. */
function added(before: Alert | undefined, { responders }: Alert): readonly Responder[] {
  const known = new Set(before?.responders.map(nameOf));
  return before === undefined ? [] : responders.filter((one) => !known.has(nameOf(one)));
}

const nameOf = ({ type, id }: Responder): string => `${type}:${id}`;

const without = (items: readonly string[], others: readonly string[] = []): string[] =>
  items.filter((item) => !others.includes(item));
