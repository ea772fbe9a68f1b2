import { isCall, MAX_NEXT_USERS, type NextPage, type Page } from '@tocsin/events';
import type { Steps } from '@tocsin/core';
import type { Mention } from '../configuration/mentions.ts';
import type { EscalationState } from './escalation-state.ts';
import type { RoutingView } from './routing.ts';
import { Agenda, simulateNext } from './simulate.ts';

/** The next page of an escalation state, as far as it was found. */
interface FoundPage {
  readonly next: NextPage | undefined;
  /** The first look-up that may page a user before; undefined where there is none. */
  readonly lookUpAt: Date | undefined;
  /** The users and teams that were not found. */
  readonly unknown: readonly Mention[];
  /** Whether a limit of transitions or time ended the search before a page was found. */
  readonly truncated: boolean;
}

/** The most transitions that are followed: an escalation with all its repeats has fewer. */
const MAX_TRANSITIONS = 1_000;

/**
 * When an escalation state next pages users by itself, and whom, if no user acts: each transition at its time, by the functions that
 * decide about real escalation states, in the configuration of `view`. Nothing is written. Look-ups find no new recipient here: the
 * result only says when the first is due. `isTimeUp`: whether the time to compute it is used up.
 */
export function* nextPage(state: EscalationState, view: RoutingView, isTimeUp: () => boolean): Steps<FoundPage> {
  const agenda = new Agenda([]);
  const unknown: Mention[] = [];
  let randomChoices = 0;
  const watched: RoutingView = {
    ...view,
    pick: (items) => {
      randomChoices += 1;
      return view.pick(items);
    },
  };
  let after = state;
  for (let transitions = 0; transitions < MAX_TRANSITIONS && !isTimeUp(); transitions += 1) {
    yield;
    const next = agenda.next(after);
    if (next === undefined) return { next: undefined, lookUpAt: firstLookUp(state, after), unknown, truncated: false };
    randomChoices = 0;
    const transition = yield* simulateNext(after, next, watched);
    if (transition === undefined) continue;
    unknown.push(...transition.effects.flatMap((effects) => effects.unknown));
    const [first, ...others] = transition.effects.flatMap(({ pages }) => pages).filter(isCall);
    if (first !== undefined) {
      const page = pageOf(next.at, [first, ...others], randomChoices > 0 ? undefined : view);
      return { next: page, lookUpAt: firstLookUp(state, after), unknown, truncated: false };
    }
    after = transition.state;
    for (const effects of transition.effects) agenda.addEventsOf(effects.orders, after, next.at);
  }
  return { next: undefined, lookUpAt: undefined, unknown, truncated: true };
}

/**
 * When the first look-up that may page a user is due: of those that `state` has, and of those that its transitions added until `after`.
 * After an acknowledgement a look-up of a user pages no user, unless its page lasts until the close.
 */
function firstLookUp(state: EscalationState, after: EscalationState): Date | undefined {
  const before = new Set(state.lookUps);
  const added = after.lookUps.filter((lookUp) => !before.has(lookUp));
  const present = state.lookUps.filter(
    ({ route, target }) => !(state.alert.acknowledged && target.type === 'user' && route.origin.cancelOn === 'ack'),
  );
  return [...present, ...added].map(({ dueAt }) => dueAt).toSorted((a, b) => a.getTime() - b.getTime())[0];
}

/** `view` is undefined where the users are chosen at random, so that they are not known before. */
function pageOf(at: Date, pages: readonly [Page, ...Page[]], view: RoutingView | undefined): NextPage {
  const ids = view === undefined ? [] : [...new Set(pages.map(({ userId }) => userId))].slice(0, MAX_NEXT_USERS);
  const users = ids.map((id) => ({ id, username: view?.user(id)?.username ?? id }));
  return { at: at.toISOString(), users, why: pages[0].why };
}
