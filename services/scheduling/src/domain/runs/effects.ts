import type { DecisionVerdict, NotifyType, Page, Responder } from '@tocsin/contracts';
import type { Mention } from '../mentions.ts';
import { turnName, type Cause, type Step } from './cause.ts';
import { endOfRound, isLive, type Branch, type LookUp, type Run } from './run.ts';

/** A rule of a branch, the end of its round, after which it repeats, or somebody to be looked up again. */
export type TurnOfBranch = number | 'repeat' | 'look-up';

/** A rule, or a repetition, that waits for its time. */
export interface RuleTimer {
  readonly alertId: string;
  readonly branchId: string;
  readonly ruleIndex: TurnOfBranch;
  /** The round of the branch to which it belongs: in another one it does nothing. */
  readonly round: number;
  /** By which its branch was opened: opened anew, that does nothing. */
  readonly openedBy: number;
  readonly dueAt: Date;
}

/** What the owner of the alert is asked for; given once, under an id that follows from the run. */
export interface AlertOrder {
  readonly id: string;
  /** The place of the order among those of its run, from 1 on without a gap. */
  readonly number: number;
  readonly what:
    | { readonly kind: 'close' | 'reset-recipient-states' }
    | { readonly kind: 'add-responder'; readonly responder: Responder };
}

/** Between two look-ups of somebody whose owner is away: twice as long each time. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** Things that one settlement opens, and branches that one run has: more are only many ways to the same people. */
const MOST_OPENINGS = 1_000;
export const MOST_BRANCHES = 1_000;

/**
 * What one settlement of a run leaves behind: pages, timers, orders, branches, and a verdict for every decision taken. Within
 * one settlement a user is paged once, however many ways lead to them.
 */
export class RunEffects {
  readonly pages: Page[] = [];
  readonly timers: RuleTimer[] = [];
  readonly verdicts: DecisionVerdict[] = [];
  /** Those that start in this settlement, for the first time or again. */
  readonly branches: Branch[] = [];
  /** Those that go on otherwise than before. */
  readonly moved: Branch[] = [];
  readonly orders: AlertOrder[] = [];
  /** Who is to be looked up again. */
  readonly lookUps: LookUp[] = [];
  /** Those of the run that were tried now, by their ids. */
  readonly lookedUp: string[] = [];
  readonly fired: string[] = [];
  /** What was met and is not known: it is gone, or so new that only its owner knows. */
  readonly unknown: Mention[] = [];
  /** Rules, and schedules that are reached without a rule, that found nobody. */
  nobody = 0;
  #openings = 0;
  readonly #paged = new Set<string>();
  readonly #run: Run;
  readonly #at: Date;
  readonly #nameOf: (responder: Responder) => string | undefined;
  readonly #isMuted: boolean;

  /** What is `muted` opens and fires, and says and pages nothing. */
  constructor(
    run: Run,
    at: Date,
    {
      nameOf = () => undefined,
      muted = false,
    }: { nameOf?: (responder: Responder) => string | undefined; muted?: boolean } = {},
  ) {
    this.#run = run;
    this.#at = at;
    this.#nameOf = nameOf;
    this.#isMuted = muted;
  }

  /** The instant that decides who is on call: when the rules really fire. */
  get at(): Date {
    return this.#at;
  }

  /** Whether one more thing may be opened; the first refusal is said. Teams and escalations can lead to each other by many ways. */
  mayOpen(): boolean {
    this.#openings += 1;
    if (this.#openings === MOST_OPENINGS + 1)
      this.say('path', 'ended', `More than ${MOST_OPENINGS} ways lead on from here: the others are left out.`);
    return this.#openings <= MOST_OPENINGS;
  }

  /** Skips what does not exist any more, and says so (S12). */
  skip({ type, id }: Mention): void {
    this.unknown.push({ type, id });
    this.say(type, 'unknown', `The ${type} [${id}] does not exist any more and is skipped.`, { id });
  }

  /** Sets the timer that looks somebody up again, later each time, where the flow that led there goes on. */
  lookUpAgain(target: LookUp['target'], choice: NotifyType, step: Step): void {
    const { branchId, openedBy } = step.cause;
    if (this.#isMuted || !isLive(this.#run, { openedBy })) return;
    const { attempt = 0 } = step;
    const id = `${branchId}/${turnName(step.cause)}?${target.type}:${target.id}`;
    this.lookUps.push({ id, target, choice, step, attempt });
    const dueAt = new Date(this.#at.getTime() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt));
    this.timers.push({
      ...{ alertId: this.#run.alertId, branchId: id, openedBy },
      ruleIndex: 'look-up',
      round: attempt,
      dueAt,
    });
  }

  say(subject: string, outcome: string, text: string, facts?: Record<string, unknown>): void {
    if (!this.#isMuted) this.verdicts.push({ subject, outcome, text, ...(facts && { facts }) });
  }

  /** Pages `userId`, unless this settlement has done so already. */
  page(userId: string, username: string, cause: Cause): void {
    if (this.#isMuted) return;
    if (this.#paged.has(userId)) {
      this.say('page', 'folded', `${username} is paged already.`, { userId, branch: cause.branchId, rule: cause.rule });
      return;
    }
    this.#paged.add(userId);
    this.pages.push(pageOf(this.#run, userId, cause, this.#named()));
    const facts = { userId, username, branch: cause.branchId, rule: cause.rule };
    this.say('page', 'paged', `Paged ${username}: ${cause.why}.`, facts);
  }

  /** Sets the timer that ends the round of `branch`, where anything comes after it. */
  endOfRound(branch: Branch): void {
    const dueAt = endOfRound(branch);
    if (dueAt !== undefined) this.wait(branch, 'repeat', dueAt);
  }

  /** Sets the timer of a turn of `branch`, where its flow goes on. */
  wait(branch: Branch, ruleIndex: TurnOfBranch, dueAt: Date): void {
    if (!isLive(this.#run, branch)) return;
    const { id: branchId, openedBy, round } = branch;
    this.timers.push({ alertId: this.#run.alertId, branchId, ruleIndex, round, openedBy, dueAt });
  }

  /** Asks for something to be done to the alert; answers the id of the order. */
  order(what: AlertOrder['what']): string {
    const number = this.#run.orders + this.orders.length + 1;
    const id = `escalation:${this.#run.alertId}:${number}`;
    this.orders.push({ id, number, what });
    return id;
  }

  /** The alert's responders with the names that are known: a user's own rules may ask for either. */
  #named(): Page['alert']['responders'] {
    return this.#run.alert.responders.map((responder) => {
      const name = this.#nameOf(responder);
      return name === undefined ? responder : { ...responder, name };
    });
  }
}

function pageOf(run: Run, userId: string, cause: Cause, responders: Page['alert']['responders']): Page {
  const { alert } = run;
  const actionType = run.reached.includes(userId) ? 'renotified-alert' : 'create-alert';
  return {
    pageId: [run.alertId, run.cycle, cause.branchId, cause.rule, cause.round, userId, actionType].join(':'),
    alertId: run.alertId,
    cycle: run.cycle,
    userId,
    actionType,
    wantedWhile: cause.wantedWhile,
    pagedAt: cause.dueAt.toISOString(),
    why: cause.why,
    alertVersion: run.alertVersion,
    alert: {
      tinyId: alert.tinyId,
      alias: alert.alias,
      message: alert.message,
      description: alert.description,
      source: alert.source,
      entity: alert.entity,
      priority: alert.priority,
      tags: alert.tags,
      actions: alert.actions,
      details: alert.details,
      responders,
      createdAt: alert.createdAt,
    },
    acceptedAt: run.acceptedAt,
    ...(cause.whileSnoozed && { whileSnoozed: true }),
  };
}
