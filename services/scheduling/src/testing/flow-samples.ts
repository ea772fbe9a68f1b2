import type { AlertEvent, Decision, Page, Responder } from '@tocsin/contracts';
import { decisionsOf, dueStep } from '../domain/runs/decisions.ts';
import { dueItems } from '../domain/runs/due.ts';
import { applyEvent } from '../domain/runs/apply-event.ts';
import type { RoutingView } from '../domain/runs/routing.ts';
import type { Run } from '../domain/runs/run.ts';
import { fireDue, applyEffects, transitions, type Transition } from '../domain/runs/settle-run.ts';
import { AlertOwner, T0, type Step } from './alert-owner-samples.ts';
import { view } from './settle-run-samples.ts';

/** The flow of an alert that begins at `T0`. Directory does not answer for some at first. */
export class Flow {
  readonly pages: Page[] = [];
  readonly decisions: Decision[] = [];
  readonly #view: RoutingView;
  readonly #owner: AlertOwner;
  #unanswered: ReadonlySet<string>;
  #run: Run | undefined;
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

  get run(): Run {
    if (this.#run === undefined) throw new Error('the sample does not start a flow');
    return this.#run;
  }

  /** The ids of whoever was paged, in order. */
  get paged(): readonly string[] {
    return this.pages.map(({ userId }) => userId);
  }

  /** From now on directory answers for `ids`, or for everybody. */
  answer(...ids: readonly string[]): void {
    this.#unanswered = new Set([...this.#unanswered].filter((id) => ids.length > 0 && !ids.includes(id)));
  }

  /** From now on directory does not answer for `ids`. */
  lose(...ids: readonly string[]): void {
    this.#unanswered = new Set([...this.#unanswered, ...ids]);
  }

  /** Somebody does something now; nothing happens where the alert is in that state already. */
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
      const [item] = dueItems(this.run);
      if (item === undefined || item.dueAt > end) return;
      const effects = fireDue(this.run, item, this.#view, item.dueAt);
      this.#take(dueStep(this.run, item, effects));
      this.#run = applyEffects(this.run, effects);
    }
  }

  #apply(event: AlertEvent | undefined): void {
    const applied = event && applyEvent(this.#run, event);
    if (event === undefined || applied === undefined) throw new Error('nothing changes');
    const { run, steps } = transitions(applied, this.#view, this.#now);
    this.#run = run;
    for (const each of steps) this.#take({ ...each, name: `${event.version}:${each.name}` });
  }

  #take(transition: Transition): void {
    this.pages.push(...transition.effects.pages);
    this.decisions.push(...decisionsOf(transition));
  }
}
