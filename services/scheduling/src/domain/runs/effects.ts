import type { ActionType, DecisionVerdict, Page, Responder } from '@tocsin/contracts';
import type { Mention } from '../mentions.ts';
import type { Branch, Run } from './run.ts';

/** A rule that waits for its time. */
export interface RuleTimer {
  readonly alertId: string;
  readonly branchId: string;
  readonly ruleIndex: number;
  readonly epoch: number;
  readonly dueAt: Date;
}

/** By which branch and rule a user is reached; its parts make the page's id. */
export interface Cause {
  readonly branchId: string;
  /** The rule's index, or `-` where the responder is paged without a rule. */
  readonly rule: string;
  readonly wantedWhile: Page['wantedWhile'];
  /** When it fell due; the user's delays, and those of an escalation opened by it, count from here. */
  readonly dueAt: Date;
  readonly why: string;
}

/**
 * What one settlement of a run leaves behind: pages, timers, new branches, and a verdict for every decision taken. Within
 * one settlement a user is paged once, however many ways lead to them.
 */
export class RunEffects {
  readonly pages: Page[] = [];
  readonly timers: RuleTimer[] = [];
  readonly verdicts: DecisionVerdict[] = [];
  readonly branches: Branch[] = [];
  readonly fired: string[] = [];
  /** What was met and is not known: it is gone, or so new that only its owner knows. */
  readonly unknown: Mention[] = [];
  readonly #paged = new Set<string>();
  readonly #run: Run;
  readonly #at: Date;
  readonly #nameOf: (responder: Responder) => string | undefined;

  constructor(run: Run, at: Date, nameOf: (responder: Responder) => string | undefined = () => undefined) {
    this.#run = run;
    this.#at = at;
    this.#nameOf = nameOf;
  }

  /** The instant that decides who is on call: when the rules really fire. */
  get at(): Date {
    return this.#at;
  }

  /** Skips what does not exist any more, and says so (S12). */
  skip({ type, id }: Mention): void {
    this.unknown.push({ type, id });
    this.say(type, 'unknown', `The ${type} [${id}] does not exist any more and is skipped.`, { id });
  }

  say(subject: string, outcome: string, text: string, facts?: Record<string, unknown>): void {
    this.verdicts.push({ subject, outcome, text, ...(facts && { facts }) });
  }

  /** Pages `userId`, unless this settlement has done so already. */
  page(userId: string, username: string, cause: Cause): void {
    if (this.#paged.has(userId)) {
      this.say('page', 'folded', `${username} is paged already.`, { userId, branch: cause.branchId, rule: cause.rule });
      return;
    }
    this.#paged.add(userId);
    this.pages.push(pageOf(this.#run, userId, cause, this.#named()));
    this.say('page', 'paged', `Paged ${username}: ${cause.why}.`, { userId, branch: cause.branchId, rule: cause.rule });
  }

  /** The alert's responders with the names that are known: a user's own rules may ask for either. */
  #named(): Page['alert']['responders'] {
    return this.#run.alert.responders.map((responder) => {
      const name = this.#nameOf(responder);
      return name === undefined ? responder : { ...responder, name };
    });
  }
}

const CREATE_ALERT: ActionType = 'create-alert';

function pageOf(run: Run, userId: string, cause: Cause, responders: Page['alert']['responders']): Page {
  const { alert } = run;
  return {
    pageId: [run.alertId, run.cycle, cause.branchId, cause.rule, 0, userId, CREATE_ALERT].join(':'),
    alertId: run.alertId,
    cycle: run.cycle,
    userId,
    actionType: CREATE_ALERT,
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
  };
}
