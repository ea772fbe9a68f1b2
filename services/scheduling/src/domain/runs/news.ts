import type { ActionType, AlertEvent, AlertFact, Page, PageNews } from '@tocsin/contracts';
import { firstTen, shortened } from '@tocsin/rules';
import type { RunEffects } from './effects.ts';
import { minuteOf, MOST_NOTES_A_MINUTE, withNote } from './note-minutes.ts';
import type { RoutingView } from './routing.ts';
import type { Run } from './run.ts';

/** Whether a page asks its user to look after the alert. A page with news does not. */
export const isCall = ({ news }: Pick<Page, 'news'>): boolean => news === undefined;

/** Something that people are told besides being paged, and the event from which it is known. */
export interface News {
  readonly event: AlertEvent;
  readonly fact: AlertFact;
  readonly kind: PageNews['kind'];
}

const ACTION_TYPES = {
  acknowledged: 'acknowledged-alert',
  closed: 'closed-alert',
  noted: 'add-note',
  assigned: 'assigned-alert',
} as const satisfies Record<News['kind'], ActionType>;

/** The news in an event. A note that comes with another action is news too, but for the first note of an alert. */
export const newsOf = (event: AlertEvent): readonly News[] =>
  event.facts.flatMap((fact) => {
    const kind = kindOf(fact);
    return kind === undefined ? [] : [{ event, fact, kind }];
  });

const isKind = (kind: AlertFact['kind']): kind is News['kind'] => kind in ACTION_TYPES;

function kindOf({ kind, note }: AlertFact): News['kind'] | undefined {
  if (isKind(kind)) return kind;
  return note === undefined || kind === 'created' || kind === 'deleted' ? undefined : 'noted';
}

/** The news in an event of an alert without responders: nobody was paged, so that only a new owner is told (A9). */
export const newsWithoutRun = (event: AlertEvent): readonly News[] =>
  event.state.responders.length > 0 ? [] : newsOf(event).filter(({ kind }) => kind === 'assigned');

/**
 * Tells news once to whoever has been paged by now, but not to whoever did it (U5); an assignment to the new owner, who may not
 * have been paged, and its note to the others (A9). Nobody is told of an alert that pages nobody because it is suppressed,
 * nor of more than {@link MOST_NOTES_A_MINUTE} notes that were accepted in one minute.
 */
export function tell(
  { effects, run, view }: { readonly effects: RunEffects; readonly run: Run; readonly view: Pick<RoutingView, 'user'> },
  news: readonly News[],
): void {
  let minutes = run.noteMinutes;
  for (const one of news) {
    const { event, fact, kind } = one;
    if (event.state.verdict.kind === 'suppressed') continue;
    const isActor = (username: string | undefined) => username?.toLowerCase() === fact.actor.trim().toLowerCase();
    const owner = kind === 'assigned' ? ownerOf(one) : undefined;
    const others = run.reached.filter((userId) => userId !== owner && !isActor(view.user(userId)?.username));
    if (owner !== undefined && !isActor(event.state.owner)) told([owner], one, 'assigned');
    if (kind === 'noted' || (kind === 'assigned' && fact.note !== undefined)) noted(others, one);
    else if (kind !== 'assigned') told(others, one, kind);
  }
  effects.noteMinutes = minutes;

  function noted(userIds: readonly string[], one: News): void {
    if (userIds.length === 0) return;
    const { at, factId } = one.fact;
    const counted = withNote(minutes, at);
    minutes = counted.minutes;
    if (counted.outcome === 'may-tell') told(userIds, one, 'noted');
    if (counted.outcome !== 'first-over') return;
    const text = `Nobody is told of more than ${MOST_NOTES_A_MINUTE} notes a minute: not of this one, nor of others that came in that minute.`;
    effects.say('page', 'not-told', text, { factId, actionType: ACTION_TYPES.noted, minute: minuteOf(at) });
  }

  function told(userIds: readonly string[], one: News, kind: News['kind']): void {
    if (userIds.length === 0) return;
    const users = userIds.map((userId) => ({ userId, username: view.user(userId)?.username ?? `[${userId}]` }));
    for (const userId of userIds)
      if (effects.mayPage())
        effects.pages.push(pageOf(one, { kind, userId, alert: effects.pagedAlert(one.event.state) }));
    const text = `${SAYS[kind](one.fact.actor.trim())}: ${firstTen(users, ({ username }) => username).join(', ')}.`;
    effects.say('page', 'told', text, { factId: one.fact.factId, actionType: ACTION_TYPES[kind], users });
  }
}

const ownerOf = ({ fact: { responder } }: News): string | undefined =>
  responder?.type === 'user' ? responder.id : undefined;

const SAYS: Readonly<Record<News['kind'], (actor: string) => string>> = {
  acknowledged: (actor) => `Who was paged is told of the acknowledgement by ${actor}`,
  closed: (actor) => `Who was paged is told of the close by ${actor}`,
  noted: (actor) => `Who was paged is told of the note by ${actor}`,
  assigned: (actor) => `The new owner is told of the assignment by ${actor}`,
};

const WHY: Readonly<Record<News['kind'], string>> = {
  acknowledged: 'you were paged about the alert, and it was acknowledged',
  closed: 'you were paged about the alert, and it was closed',
  noted: 'you were paged about the alert, and a note was added',
  assigned: 'you are its owner now',
};

interface Telling {
  readonly kind: News['kind'];
  readonly userId: string;
  readonly alert: Page['alert'];
}

/** Most characters of a note in a page: each person gets a page, and a note may have 25 000 characters. */
const LONGEST_NOTE = 2_000;

function inShort(note: string): string {
  const short = shortened(note, LONGEST_NOTE);
  return short === note ? note : `${short}…`;
}

/** Depends on the event alone: the same news have the same page id, however often they come. */
function pageOf({ event, fact }: News, { alert, kind, userId }: Telling): Page {
  const { acceptedAt, alertId, state, trace, version } = event;
  const actionType = ACTION_TYPES[kind];
  return {
    pageId: [alertId, state.cycle, '-', '-', 0, userId, actionType, fact.factId].join(':'),
    alertId,
    cycle: state.cycle,
    userId,
    actionType,
    wantedWhile: 'open',
    pagedAt: fact.at,
    why: WHY[kind],
    alertVersion: version,
    news: { kind, actor: fact.actor, ...(fact.note !== undefined && { note: inShort(fact.note) }) },
    alert,
    acceptedAt,
    ...(trace !== undefined && { trace }),
  };
}
