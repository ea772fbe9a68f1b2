import { isCall, MAX_NEXT_USERS, type NextPage, type Page } from '@tocsin/events';
import type { Steps } from '@tocsin/core';
import type { Mention } from '../configuration/mentions.ts';
import type { EscalationState } from './escalation-state.ts';
import type { RoutingView } from './routing.ts';
import { Agenda, simulatedTransition } from './simulate.ts';

/** The next page of an escalation state, as far as it was found. */
interface FoundPage {
  readonly next: NextPage | undefined;
  /** The first look-up that may page a user before; undefined where there is none. */
  readonly lookUpAt: Date | undefined;
  /** The users and teams that were not found. */
  readonly unknown: readonly Mention[];
  /** Whether the transitions or the time were used up before a page was found. */
  readonly isCut: boolean;
}

/** The most transitions that are followed: an escalation with all its repeats has fewer. */
const MAX_TRANSITIONS = 1_000;

/**
 * When an escalation state next pages users by itself, and whom, if no user acts: each transition at its time, by the functions that decide about
 * real escalation states, in the configuration of `view`. Nothing is written. Look-ups find no new recipient here: it
 * only says when the first is due. `isOver` says whether the time for it is used up.
 */
export function* nextPage(state: EscalationState, view: RoutingView, isOver: () => boolean): Steps<FoundPage> {
  const agenda = new Agenda([]);
  const unknown: Mention[] = [];
  const random = { picks: 0 };
  const watched: RoutingView = {
    ...view,
    pick: (items) => {
      random.picks += 1;
      return view.pick(items);
    },
  };
  let after = state;
  for (let taken = 0; taken < MAX_TRANSITIONS && !isOver(); taken += 1) {
    yield;
    const item = agenda.next(after);
    if (item === undefined) return { next: undefined, lookUpAt: firstLookUp(state, after), unknown, isCut: false };
    random.picks = 0;
    const transition = yield* simulatedTransition(after, item, watched);
    if (transition === undefined) continue;
    unknown.push(...transition.effects.flatMap((effects) => effects.unknown));
    const [first, ...others] = transition.effects.flatMap(({ pages }) => pages).filter(isCall);
    if (first !== undefined) {
      const next = pageOf(item.at, [first, ...others], random.picks > 0 ? undefined : view);
      return { next, lookUpAt: firstLookUp(state, after), unknown, isCut: false };
    }
    after = transition.state;
    for (const effects of transition.effects) agenda.take(after, effects, item.at);
  }
  return { next: undefined, lookUpAt: undefined, unknown, isCut: true };
}

/**
 * When the first look-up is due of those that `state` has, and of those that its transitions added until `after`. That of a user pages none whose
 * page an acknowledgement has ended.
 */
function firstLookUp(state: EscalationState, after: EscalationState): Date | undefined {
  const before = new Set(state.lookUps);
  const added = after.lookUps.filter((lookUp) => !before.has(lookUp));
  const present = state.lookUps.filter(
    ({ route, target }) => !(state.alert.acknowledged && target.type === 'user' && route.origin.cancelOn === 'ack'),
  );
  return [...present, ...added].map(({ dueAt }) => dueAt).toSorted((a, b) => a.getTime() - b.getTime())[0];
}

/** Without `view` its users are not known before: they are chosen at random. */
function pageOf(at: Date, pages: readonly [Page, ...Page[]], view: RoutingView | undefined): NextPage {
  const ids = view === undefined ? [] : [...new Set(pages.map(({ userId }) => userId))].slice(0, MAX_NEXT_USERS);
  const users = ids.map((id) => ({ id, username: view?.user(id)?.username ?? id }));
  return { at: at.toISOString(), users, why: pages[0].why };
}
