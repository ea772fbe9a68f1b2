import type { Steps } from '@tocsin/core';
import type { Cancel, ContactMethod, DecisionFinding, Page, TimedCancel, UserState } from '@tocsin/events';
import { reasonNotToRepeat, reasonToDrop } from './cancels.ts';
import { isFinal, type PageDelivery } from '../messages/delivery.ts';
import { planPage } from './plan.ts';
import { checkBeforeSending } from '../messages/recheck.ts';
import { firstRepetition, repeatSteps, type Repetition } from './repetition.ts';

/** The known facts when pages are simulated. */
export interface SimulationContext {
  readonly user: (id: string) => UserState | undefined;
  readonly channels: ReadonlySet<ContactMethod>;
  /** The cancels, in their order. */
  readonly cancels: readonly TimedCancel[];
  /** How many messages and findings are returned at most. */
  readonly maxMessages: number;
  /** Whether the time of the simulation is over: the process sends pages as well. */
  readonly isOver: () => boolean;
}

/** The messages and decisions that pages would lead to. */
export interface SimulatedPlan {
  /** In the order in which they would be sent, each at the time at which it is due. */
  readonly deliveries: readonly PageDelivery[];
  readonly findings: readonly (DecisionFinding & { readonly at: Date })[];
  /** Whether more would follow. */
  readonly truncated: boolean;
}

/** The repetitions of one page that are looked at: a rule may repeat its steps for as long as the alert is open. */
const MAX_REPETITIONS = 50;

/** So many messages, each of which is compared with all cancels, take about a millisecond. */
const MESSAGES_OF_STEP = 20;

/**
 * Expands pages by the rules of their users as they would be, by the functions that do it; nothing is written. The work pauses between
 * the rules of a user, and after a few messages.
 */
export function* simulate(pages: readonly Page[], context: SimulationContext): Steps<SimulatedPlan> {
  const simulation = new Simulation(context);
  for (const page of pages) yield* simulation.add(page);
  const sent: PageDelivery[] = [];
  for (const [index, delivery] of simulation.deliveries.toSorted(byTime).entries()) {
    if (index % MESSAGES_OF_STEP === 0) yield;
    if (isSent(delivery, context)) sent.push(delivery);
  }
  return {
    deliveries: sent.slice(0, context.maxMessages),
    findings: simulation.findings,
    truncated: simulation.isTruncated || sent.length > context.maxMessages,
  };
}

/** The results of pages, up to the limits. */
class Simulation {
  readonly deliveries: PageDelivery[] = [];
  readonly findings: SimulatedPlan['findings'][number][] = [];
  isTruncated = false;
  readonly #context: SimulationContext;

  constructor(context: SimulationContext) {
    this.#context = context;
  }

  /** A page with its repetitions. */
  *add(page: Page): Steps<void> {
    if (this.#isEnough()) return;
    const { cancels, channels, user: userOf } = this.#context;
    const user = userOf(page.userId);
    const plan = yield* planPage(page, user, channels);
    this.#take(plan.deliveries, [...plan.choice, ...plan.steps], new Date(page.pagedAt));
    for (let next = firstRepetition(page, plan); next !== undefined && !this.#isLast(next);) {
      const now = next.dueAt;
      const reason = reasonNotToRepeat(page, cancelsUntil(now, cancels));
      const due = reason === undefined ? next : { ...next, cancelReason: reason };
      const again = yield* repeatSteps(due, { channels, now, user });
      this.#take(again.deliveries, again.findings, now);
      next = again.next;
    }
  }

  #take(deliveries: readonly PageDelivery[], findings: readonly DecisionFinding[], at: Date): void {
    this.deliveries.push(...deliveries);
    this.findings.push(...findings.map((finding) => ({ ...finding, at })));
  }

  #isLast({ number }: Repetition): boolean {
    if (number > MAX_REPETITIONS) this.isTruncated = true;
    return this.isTruncated || this.#isEnough();
  }

  #isEnough(): boolean {
    const { isOver, maxMessages } = this.#context;
    this.isTruncated ||= this.deliveries.length > maxMessages || this.findings.length > maxMessages || isOver();
    return this.isTruncated;
  }
}

const byTime = (a: PageDelivery, b: PageDelivery): number => a.dueAt.getTime() - b.dueAt.getTime();

function isSent(delivery: PageDelivery, { cancels, user }: SimulationContext): boolean {
  const now = delivery.dueAt;
  const isCancelled = reasonToDrop(delivery.page, cancelsUntil(now, cancels)) !== undefined;
  return !isCancelled && !isFinal(checkBeforeSending(delivery, { now, user: user(delivery.page.userId) }));
}

const cancelsUntil = (now: Date, cancels: readonly TimedCancel[]): readonly Cancel[] =>
  cancels.filter(({ at }) => at <= now).map(({ cancel }) => cancel);
