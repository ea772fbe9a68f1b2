import type { ContactMethod, DecisionVerdict, Page, TimedEvent, UserState } from '@tocsin/contracts';
import { isFinal, type PageDelivery } from './delivery.ts';
import { planPage } from './flow.ts';
import { rechecked } from './recheck.ts';
import { firstRepetition, repeated, type Repetition } from './repetition.ts';
import { standingAfter, type AlertStanding } from './wanted.ts';

/** What is known when pages are simulated. */
export interface SimulationContext {
  readonly user: (id: string) => UserState | undefined;
  readonly channels: ReadonlySet<ContactMethod>;
  /** What becomes of the alert, in its order. */
  readonly events: readonly TimedEvent[];
  /** The most messages that are told, and verdicts that are looked at. */
  readonly most: number;
  /** Whether it has taken long enough: whoever simulates tells people as well. */
  readonly isOver: () => boolean;
}

/** What the users of pages would be told. */
export interface Told {
  /** In the order in which they would be sent, each at the time at which it is due. */
  readonly deliveries: readonly PageDelivery[];
  readonly verdicts: readonly (DecisionVerdict & { readonly at: Date })[];
  /** Whether more would follow. */
  readonly truncated: boolean;
}

/** The repetitions of one page that are looked at: a rule may repeat its steps for as long as the alert is open. */
const MOST_REPETITIONS = 50;

/** Expands pages by the rules of their users as they would be, by the functions that do it; nothing is written. */
export function simulated(pages: readonly Page[], context: SimulationContext): Told {
  const told = new ToldSoFar(context);
  for (const page of pages) told.add(page);
  const sent = told.deliveries.filter((delivery) => isSent(delivery, context)).toSorted(byTime);
  return {
    deliveries: sent.slice(0, context.most),
    verdicts: told.verdicts,
    truncated: told.isCut || sent.length > context.most,
  };
}

/** What pages come to, until it is enough. */
class ToldSoFar {
  readonly deliveries: PageDelivery[] = [];
  readonly verdicts: Told['verdicts'][number][] = [];
  isCut = false;
  readonly #context: SimulationContext;

  constructor(context: SimulationContext) {
    this.#context = context;
  }

  /** A page with its repetitions. */
  add(page: Page): void {
    if (this.#isEnough()) return;
    const { channels, events, user: userOf } = this.#context;
    const user = userOf(page.userId);
    const plan = planPage(page, user, channels);
    this.#take(plan.deliveries, [...plan.choice, ...plan.steps], new Date(page.pagedAt));
    for (let next = firstRepetition(page, plan); next !== undefined && !this.#isLast(next);) {
      const now = next.dueAt;
      const again = repeated(next, { channels, now, user, standing: standingAt(now, events) });
      this.#take(again.deliveries, again.verdicts, now);
      next = again.next;
    }
  }

  #take(deliveries: readonly PageDelivery[], verdicts: readonly DecisionVerdict[], at: Date): void {
    this.deliveries.push(...deliveries);
    this.verdicts.push(...verdicts.map((verdict) => ({ ...verdict, at })));
  }

  #isLast({ number }: Repetition): boolean {
    if (number > MOST_REPETITIONS) this.isCut = true;
    return this.isCut || this.#isEnough();
  }

  #isEnough(): boolean {
    const { isOver, most } = this.#context;
    this.isCut ||= this.deliveries.length > most || this.verdicts.length > most || isOver();
    return this.isCut;
  }
}

const byTime = (a: PageDelivery, b: PageDelivery): number => a.dueAt.getTime() - b.dueAt.getTime();

function isSent(delivery: PageDelivery, { events, user }: SimulationContext): boolean {
  const now = delivery.dueAt;
  return !isFinal(rechecked(delivery, { now, user: user(delivery.page.userId), standing: standingAt(now, events) }));
}

const standingAt = (now: Date, events: readonly TimedEvent[]): AlertStanding | undefined =>
  events
    .filter(({ at }) => at <= now)
    .reduce<AlertStanding | undefined>((standing, { event }) => standingAfter(standing, event), undefined);
