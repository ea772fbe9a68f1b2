import type { AlertCommand, AlertFact, Responder, WebhookAction, WebhookCommand } from '@tocsin/contracts';
import type { Alert } from '../alert.ts';

/** What webhooks are told of it, beside who did it and what the alert is then. */
type More = Pick<WebhookCommand, 'note' | 'customAction' | 'tags' | 'snoozedUntil'> & {
  readonly responder?: Responder;
};

/** One thing that happened to an alert, under the name by which integrations ask for it (P12). */
export interface Happening extends More {
  readonly action: WebhookAction;
  readonly command: AlertCommand;
  /** As it is then; one that is deleted, as it was last. */
  readonly alert: Alert;
}

/** A settled command that changed an alert. */
export interface Settled {
  readonly command: AlertCommand;
  readonly fact: AlertFact | undefined;
  /** Undefined where the alert is new. */
  readonly before: Alert | undefined;
  readonly after: Alert;
}

/** What follows from the kind of a fact alone. */
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
 * What happened by a command, in the words of integrations (P12). Several things where responders that could not be looked up at
 * first are found together; nothing of what integrations have no word for: repeats, details, new words, restarts.
 *
 * An alert that is no longer acknowledged is `UnAcknowledge`, whoever or whatever undid it: a receiver that mirrors the alert
 * has no other way to know. A team that joins is `AddTeam`, everybody else `AddRecipient`. Who makes an alert their own takes it,
 * anybody else assigns it.
 */
export function happeningsOf(settled: Settled): readonly Happening[] {
  const { after: alert, before, command, fact } = settled;
  const of = (action: WebhookAction, more: More): Happening => ({ action, command, alert, ...more });
  const note = fact?.note === undefined ? {} : { note: fact.note };
  const action = fact && actionOf(fact, settled);
  if (action !== undefined) return [of(action, { ...note, ...moreOf(settled) })];
  if (isUndone(before, alert)) return [of('UnAcknowledge', note)];
  return added(before, alert).map((responder) =>
    of(responder.type === 'team' ? 'AddTeam' : 'AddRecipient', { ...note, responder }),
  );
}

/** Undefined where the kind of the fact does not say it. */
function actionOf({ kind }: AlertFact, { after, command }: Settled): WebhookAction | undefined {
  if (kind !== 'assigned') return BY_FACT[kind];
  return isTaken(after, command) ? 'TakeOwnership' : 'AssignOwnership';
}

const moreOf = ({ after, before, fact }: Settled): More =>
  fact === undefined ? {} : (MORE[fact.kind]?.(fact, before, after) ?? {});

type MoreOf = (fact: AlertFact, before: Alert | undefined, alert: Alert) => More;

/** What else is told, by the kind of the fact. */
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

/** Callers are texts: whoever did it is known by user name, which is kept in lower case. */
const isTaken = ({ owner }: Alert, { actor }: AlertCommand): boolean => owner.toLowerCase() === actor.toLowerCase();

const isUndone = (before: Alert | undefined, after: Alert): boolean =>
  before?.acknowledged === true && !after.acknowledged && after.status === 'open';

/** Whoever is a responder now and was none. */
function added(before: Alert | undefined, { responders }: Alert): readonly Responder[] {
  const known = new Set(before?.responders.map(nameOf));
  return before === undefined ? [] : responders.filter((one) => !known.has(nameOf(one)));
}

const nameOf = ({ type, id }: Responder): string => `${type}:${id}`;

const without = (items: readonly string[], others: readonly string[] = []): string[] =>
  items.filter((item) => !others.includes(item));
