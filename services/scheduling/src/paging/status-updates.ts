import type { ActionType, AlertEvent, AlertFact, Page, PageStatusUpdate } from '@tocsin/events';
import { firstTen, shortened } from '@tocsin/rules';
import type { Effects } from './effects.ts';
import { minuteOf, MAX_NOTES_PER_MINUTE, withNote } from './note-minutes.ts';
import type { RoutingView } from './routing.ts';
import type { EscalationState } from './escalation-state.ts';

/** A change of an alert of which users are notified besides their pages, and the event that has it. */
export interface StatusUpdate {
  readonly event: AlertEvent;
  readonly fact: AlertFact;
  readonly kind: PageStatusUpdate['kind'];
}

const ACTION_TYPES = {
  acknowledged: 'acknowledged-alert',
  closed: 'closed-alert',
  noted: 'add-note',
  assigned: 'assigned-alert',
} as const satisfies Record<StatusUpdate['kind'], ActionType>;

/** The status updates in an event. A note that comes with another action is one too, but for the first note of an alert. */
export const statusUpdatesOf = (event: AlertEvent): readonly StatusUpdate[] =>
  event.facts.flatMap((fact) => {
    const kind = kindOf(fact);
    return kind === undefined ? [] : [{ event, fact, kind }];
  });

const isKind = (kind: AlertFact['kind']): kind is StatusUpdate['kind'] => kind in ACTION_TYPES;

function kindOf({ kind, note }: AlertFact): StatusUpdate['kind'] | undefined {
  if (isKind(kind)) return kind;
  return note === undefined || kind === 'created' || kind === 'deleted' ? undefined : 'noted';
}

/** The status updates in an event of an alert without responders: no user was paged, so only a new owner is notified (A9). */
export const ownerUpdatesOf = (event: AlertEvent): readonly StatusUpdate[] =>
  event.state.responders.length > 0 ? [] : statusUpdatesOf(event).filter(({ kind }) => kind === 'assigned');

/**
 * Notifies the users who were paged of each update once, except its actor (U16); of an assignment the new owner, who may not
 * have been paged, and of its note the others (A9). No user is notified while the alert is suppressed, nor of more than
 * {@link MAX_NOTES_PER_MINUTE} notes that were accepted in one minute.
 */
export function notifyUpdates(
  {
    effects,
    state,
    view,
  }: { readonly effects: Effects; readonly state: EscalationState; readonly view: Pick<RoutingView, 'user'> },
  updates: readonly StatusUpdate[],
): void {
  let minutes = state.noteMinutes;
  for (const update of updates) {
    const { event, fact, kind } = update;
    if (event.state.notifications.kind === 'suppressed') continue;
    const isActor = (username: string | undefined) => username?.toLowerCase() === fact.actor.trim().toLowerCase();
    const owner = kind === 'assigned' ? ownerOf(update) : undefined;
    const others = state.reached.filter((userId) => userId !== owner && !isActor(view.user(userId)?.username));
    if (owner !== undefined && !isActor(event.state.owner)) notify([owner], update, 'assigned');
    if (kind === 'noted' || (kind === 'assigned' && fact.note !== undefined)) notifyOfNote(others, update);
    else if (kind !== 'assigned') notify(others, update, kind);
  }
  effects.noteMinutes = minutes;

  function notifyOfNote(userIds: readonly string[], update: StatusUpdate): void {
    if (userIds.length === 0) return;
    const { at, factId } = update.fact;
    const counted = withNote(minutes, at);
    minutes = counted.minutes;
    if (counted.outcome === 'may-notify') notify(userIds, update, 'noted');
    if (counted.outcome !== 'first-over') return;
    const text = `Users are notified of at most ${MAX_NOTES_PER_MINUTE} notes a minute: not of this note, nor of further ones in that minute.`;
    effects.logDecision('page', 'not-notified', text, { factId, actionType: ACTION_TYPES.noted, minute: minuteOf(at) });
  }

  function notify(userIds: readonly string[], update: StatusUpdate, kind: StatusUpdate['kind']): void {
    if (userIds.length === 0) return;
    const users = userIds.map((userId) => ({ userId, username: view.user(userId)?.username ?? `[${userId}]` }));
    for (const userId of userIds)
      if (effects.canPage())
        effects.pages.push(pageOf(update, { kind, userId, alert: effects.pagedAlert(update.event.state) }));
    const text = `${TEXTS[kind](update.fact.actor.trim())}: ${firstTen(users, ({ username }) => username).join(', ')}.`;
    effects.logDecision('page', 'notified', text, {
      factId: update.fact.factId,
      actionType: ACTION_TYPES[kind],
      users,
    });
  }
}

const ownerOf = ({ fact: { responder } }: StatusUpdate): string | undefined =>
  responder?.type === 'user' ? responder.id : undefined;

const TEXTS: Readonly<Record<StatusUpdate['kind'], (actor: string) => string>> = {
  acknowledged: (actor) => `Paged users are notified of the acknowledgement by ${actor}`,
  closed: (actor) => `Paged users are notified of the close by ${actor}`,
  noted: (actor) => `Paged users are notified of the note by ${actor}`,
  assigned: (actor) => `The new owner is notified of the assignment by ${actor}`,
};

const WHY: Readonly<Record<StatusUpdate['kind'], string>> = {
  acknowledged: 'you were paged about the alert, and it was acknowledged',
  closed: 'you were paged about the alert, and it was closed',
  noted: 'you were paged about the alert, and a note was added',
  assigned: 'you are its owner now',
};

interface UpdatePage {
  readonly kind: StatusUpdate['kind'];
  readonly userId: string;
  readonly alert: Page['alert'];
}

/** The most characters of a note in a page. Each user gets a page, and a note may have 25 000 characters. */
const MAX_NOTE_LENGTH = 2_000;

function shortenNote(note: string): string {
  const start = shortened(note, MAX_NOTE_LENGTH);
  return start === note ? note : `${start}…`;
}

/** Depends on the event alone, so a repeat of the update has the same page id. */
function pageOf({ event, fact }: StatusUpdate, { alert, kind, userId }: UpdatePage): Page {
  const { acceptedAt, alertId, state, trace, version } = event;
  const actionType = ACTION_TYPES[kind];
  return {
    kind: 'page',
    pageId: [alertId, state.cycle, '-', '-', 0, userId, actionType, fact.factId].join(':'),
    alertId,
    cycle: state.cycle,
    userId,
    actionType,
    pagedAt: fact.at,
    why: WHY[kind],
    alertVersion: version,
    statusUpdate: { kind, actor: fact.actor, ...(fact.note !== undefined && { note: shortenNote(fact.note) }) },
    alert,
    acceptedAt,
    ...(trace !== undefined && { trace }),
  };
}
