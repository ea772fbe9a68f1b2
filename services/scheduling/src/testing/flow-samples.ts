import type { AlertEvent, Decision, Page, Responder } from '@tocsin/events';
import { decisionsOf, dueTransition } from '../paging/decisions.ts';
import { dueItems } from '../paging/due.ts';
import { applyEvent } from '../paging/apply-event.ts';
import type { RoutingView } from '../paging/routing.ts';
import type { EscalationState } from '../paging/escalation-state.ts';
import { fireDue, applyEffects, computeTransitions, type Transition } from '../paging/transitions.ts';
import { AlertOwner, T0, type Step } from './alert-owner-samples.ts';
import { view } from './transition-samples.ts';

/** The flow of an alert that begins at `T0`. At first directory does not answer for some users. */
export class Flow {
  readonly pages: Page[] = [];
  readonly decisions: Decision[] = [];
  readonly #view: RoutingView;
  readonly #owner: AlertOwner;
  #unanswered: ReadonlySet<string>;
  #state: EscalationState | undefined;
  #now = T0;

  constructor(
    responders: readonly Responder[],
    things: Parameters<typeof view>[0],
    unanswered: readonly string[] = [],
  ) {
    const known = view(things);
    this.#unanswered = new Set(unanswered);
    this.#view = {
      ...known,
      user: (id) => (this.#unanswered.has(id) ? undefined : known.user(id)),
      team: (id) => (this.#unanswered.has(id) ? undefined : known.team(id)),
      isUnanswered: ({ id }) => this.#unanswered.has(id),
    };
    this.#owner = new AlertOwner(responders, false);
    this.#apply(this.#owner.events[0]);
  }

  get state(): EscalationState {
    if (this.#state === undefined) throw new Error('the sample does not start a flow');
    return this.#state;
  }

  /** The ids of the users who were paged, in order. */
  get paged(): readonly string[] {
    return this.pages.map(({ userId }) => userId);
  }

  /** From now on directory answers for `ids`, or for all users. */
  answer(...ids: readonly string[]): void {
    this.#unanswered = new Set([...this.#unanswered].filter((id) => ids.length > 0 && !ids.includes(id)));
  }

  /** From now on directory does not answer for `ids`. */
  lose(...ids: readonly string[]): void {
    this.#unanswered = new Set([...this.#unanswered, ...ids]);
  }

  /** A user does a step now. It has no effect on an alert that has the state already. */
  take(step: Step): void {
    const before = this.#owner.events.length;
    this.#owner.take(step);
    const event = this.#owner.events[before];
    if (event !== undefined) this.#apply(event);
  }

  /** Fires everything that falls due until so many minutes after the beginning, in order. */
  until(minutes: number): void {
    const end = new Date(T0.getTime() + minutes * 60_000);
    for (this.#now = end; ;) {
      const [item] = dueItems(this.state);
      if (item === undefined || item.dueAt > end) return;
      const effects = fireDue(this.state, item, this.#view, item.dueAt);
      this.#take(dueTransition(this.state, item, effects));
      this.#state = applyEffects(this.state, effects);
    }
  }

  #apply(event: AlertEvent | undefined): void {
    const applied = event && applyEvent(this.#state, event);
    if (event === undefined || applied === undefined) throw new Error('nothing changes');
    const { state, transitions } = computeTransitions(applied, this.#view, this.#now);
    this.#state = state;
    for (const each of transitions) this.#take({ ...each, name: `${event.version}:${each.name}` });
  }

  #take(transition: Transition): void {
    this.pages.push(...transition.effects.pages);
    this.decisions.push(...decisionsOf(transition));
  }
}
