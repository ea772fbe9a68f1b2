import type { ContactMethod, DecisionFinding, Page, UserState } from '@tocsin/events';
import type { Steps } from '@tocsin/core';
import type { PageDelivery } from '../messages/delivery.ts';
import { planPage, type Plan } from './plan.ts';

/**
 * The next repetition of a page's steps. A page has one at a time: the next one is made when it falls due.
 */
export interface Repetition {
  readonly page: Page;
  /** From 1; 0 for a page whose user could not be looked up yet. */
  readonly number: number;
  readonly dueAt: Date;
  /** The pause before it, by which missed ones are counted. */
  readonly loopAfterMinutes: number;
  /** Why the steps are not repeated any more, or the page is not expanded: a cancel ended it. */
  readonly cancelReason?: string;
}

/** The result of a due repetition. */
export interface Repeated {
  readonly deliveries: readonly PageDelivery[];
  readonly findings: readonly DecisionFinding[];
  /** Undefined when the steps are not repeated any more. */
  readonly next: Repetition | undefined;
}

/** The known facts when a repetition falls due. */
export interface RepetitionContext {
  readonly user: UserState | undefined;
  readonly channels: ReadonlySet<ContactMethod>;
  readonly now: Date;
}

const MINUTE_MS = 60_000;

/** The first repetition of a page that was just planned, where its rule has any (U4). */
export function firstRepetition(page: Page, { loopAfterMinutes }: Plan): Repetition | undefined {
  return loopAfterMinutes === undefined ? undefined : nextRepetition(page, 1, new Date(page.pagedAt), loopAfterMinutes);
}

const LOOK_UP_PAUSE_MS = 5_000;

/** Whether it stands for a page that was not expanded yet, because its user could not be looked up. */
export const waitsForUser = ({ number }: Pick<Repetition, 'number'>): boolean => number === 0;

/** The same repetition at a later time, when its user may be found. */
export const lookUpLater = (repetition: Omit<Repetition, 'dueAt'>, now: Date): Repetition => ({
  ...repetition,
  dueAt: new Date(now.getTime() + LOOK_UP_PAUSE_MS),
});

/** Says that the steps of a page will be repeated. */
export function repetitionFinding({ dueAt, loopAfterMinutes, page }: Repetition): DecisionFinding {
  const text =
    `The steps start again every ${loopAfterMinutes} minutes until the alert is acknowledged, snoozed or closed, ` +
    `next at ${dueAt.toISOString()}.`;
  return { subject: 'repeat', outcome: 'scheduled', text, facts: { pageId: page.pageId, loopAfterMinutes } };
}

/**
 * Starts the steps again until a cancel ends that: at an acknowledgement, a snooze or a close (U4). User, rules and contacts are
 * the present ones; the rule is chosen for the instant of the page. Of missed repetitions only the latest is made up for. The work pauses between the rules.
 */
export function* repeatSteps(repetition: Repetition, { channels, now, user }: RepetitionContext): Steps<Repeated> {
  const { cancelReason, number, page } = repetition;
  if (cancelReason !== undefined)
    return { deliveries: [], findings: [endedFinding(page, user, cancelReason)], next: undefined };
  const missed = missedBy(repetition, now);
  const startsAt = new Date(repetition.dueAt.getTime() + missed * repetition.loopAfterMinutes * MINUTE_MS);
  const plan = yield* planPage(page, user, channels, { number, startsAt });
  if (plan.loopAfterMinutes === undefined) {
    const findings = [...plan.choice, endedFinding(page, user, 'no rule of today repeats them')];
    return { deliveries: [], findings, next: undefined };
  }
  return {
    deliveries: plan.deliveries,
    findings: [start(repetition, user, missed), ...plan.steps],
    next: nextRepetition(page, number + 1, startsAt, plan.loopAfterMinutes),
  };
}

/** The result of a repetition that cannot be computed: the steps end, and the log has the fault. */
export const giveUp = ({ page }: Repetition, user: UserState | undefined, fault: string): Repeated => ({
  deliveries: [],
  findings: [endedFinding(page, user, `they cannot be worked out (${fault})`)],
  next: undefined,
});

function nextRepetition(page: Page, number: number, startedAt: Date, loopAfterMinutes: number): Repetition {
  return { page, number, dueAt: new Date(startedAt.getTime() + loopAfterMinutes * MINUTE_MS), loopAfterMinutes };
}

const missedBy = ({ dueAt, loopAfterMinutes }: Repetition, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - dueAt.getTime()) / (loopAfterMinutes * MINUTE_MS)));

function start({ number, page }: Repetition, user: UserState | undefined, missed: number): DecisionFinding {
  const late = missed === 0 ? '' : `; ${missed} before it were missed`;
  const text = `The steps for ${user?.username ?? page.userId} start again (repetition ${number}${late}).`;
  return { subject: 'repeat', outcome: 'started', text, facts: { ...factsOf(page), number, missed } };
}

function endedFinding(page: Page, user: UserState | undefined, reason: string): DecisionFinding {
  const text = `The steps for ${user?.username ?? page.userId} are not repeated any more: ${reason}.`;
  return { subject: 'repeat', outcome: 'ended', text, facts: factsOf(page) };
}

const factsOf = ({ pageId, userId }: Page) => ({ pageId, userId });
