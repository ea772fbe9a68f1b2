import type { AlertState, CancelOn, DecisionFinding, Page, Responder } from '@tocsin/events';
import { bytesOf } from '@tocsin/rules';
import type { Mention } from '../configuration/mentions.ts';
import { Budget } from '../on-call/budget.ts';
import type { NoteMinute } from './note-minutes.ts';
import {
  canLookUp,
  type ActiveEscalation,
  type PageOrigin,
  type LookUp,
  type EscalationState,
} from './escalation-state.ts';
import { LookUps } from './limits.ts';
import { FindingList } from './finding-list.ts';
import { RuleProgress } from './rule-progress.ts';

/** A command to alert-processor, under an id that follows from the escalation state. */
export interface AlertOrder {
  readonly id: string;
  readonly action:
    | { readonly kind: 'close' | 'reset-recipient-states' }
    | { readonly kind: 'add-responder'; readonly responder: Responder };
}

/** The first wait between two look-ups of a user whose owner is unavailable; each further one is twice as long. Milliseconds. */
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;

/** The most targets that one transition opens. More would lead to the same users again. */
const MAX_TARGETS = 1_000;

/** The most rotations that one transition evaluates, users that it reaches and forwarding rules that it follows, together. */
const MAX_COST = 50_000;

/** The most bytes of the pages of one transition, so that they are written within 5 s. Each page is a row, and contains its alert. */
const MAX_PAGE_BYTES = 40_000_000;
const ROW_BYTES = 5_000;
/** This many pages are made however large the alert is. */
const MIN_PAGES = 100;

export interface EffectsOptions {
  readonly nameOf?: (responder: Responder) => string | undefined;
  /** Whether the transition opens and fires as usual, but without log entries and pages. */
  readonly isSilent?: boolean;
  /** Users who were paged at this instant or later, while look-ups waited, are not paged again. */
  readonly since?: Date | undefined;
  /** Whether an escalate may later fire rules that are skipped now (A9). */
  readonly keepsSkipped?: boolean;
}

/**
 * The effects of one transition of an escalation state: pages, orders, active escalations, the progress of rules, and a finding for
 * each decision. Within one transition a user is paged once, however many routes lead to the user.
 */
export class Effects {
  readonly pages: Page[] = [];
  /** Active escalations that start in this transition, for the first time or again. */
  readonly started: ActiveEscalation[] = [];
  /** Active escalations that change without a start. */
  readonly changed: ActiveEscalation[] = [];
  readonly orders: AlertOrder[] = [];
  /** How many of the escalation state's look-ups were tried now. */
  lookedUp = 0;
  /** Users and teams that were not found: deleted ones, and new ones that only their owner has. */
  readonly unknown: Mention[] = [];
  /** How often routing stopped at a limit. */
  limitHits = 0;
  /** How many rules, and schedules reached without a rule, found no recipient. */
  withoutRecipient = 0;
  /** The `noteMinutes` of the escalation state after the transition; undefined where no user is notified of a status update. */
  noteMinutes: readonly NoteMinute[] | undefined;
  /** Whether the flow has done everything, and no user has acknowledged. */
  exhausted = false;
  readonly rules: RuleProgress;
  #pagedAlert: Page['alert'] | undefined;
  #maxPages: number | undefined;
  #targets = 0;
  readonly #budget = new Budget(MAX_COST);
  readonly #findings = new FindingList();
  readonly #lookUps: LookUps;
  readonly #addedLookUps = new Set<string>();
  /** The users who are paged already, each as `cancelOn:userId`: with the change that ends the page. */
  readonly #paged: Set<string>;
  readonly #state: EscalationState;
  readonly #at: Date;
  readonly #since: Date;
  readonly #nameOf: (responder: Responder) => string | undefined;
  readonly #isSilent: boolean;

  constructor(state: EscalationState, at: Date, options: EffectsOptions = {}) {
    const { nameOf = () => undefined, isSilent = false, since, keepsSkipped = false } = options;
    this.#state = state;
    this.rules = new RuleProgress(state, keepsSkipped);
    this.#lookUps = new LookUps(state.lookUps);
    this.#at = at;
    this.#nameOf = nameOf;
    this.#isSilent = isSilent;
    this.#since = since ?? at;
    this.#paged = new Set(since && state.pagedMeanwhile.filter(({ at: then }) => then >= since).map(pagedKey));
  }

  /** The instant at which the rules fire. It decides which users are on call. */
  get at(): Date {
    return this.#at;
  }

  /**
   * Counts a target that is to be opened. False where there are too many; the first refusal is logged. Teams and escalations can name
   * each other by many routes.
   */
  takeTarget(): boolean {
    this.#targets += 1;
    if (this.#targets > MAX_TARGETS) return this.stopAtLimit(`Routing stopped after ${MAX_TARGETS} targets.`);
    return this.takeBudget(0);
  }

  /** Takes the cost of some work from the budget. False where it was used up before; the first refusal is logged. */
  takeBudget(cost: number): boolean {
    if (this.#budget.isUsedUp) return this.stopAtLimit(`Routing stopped after ${MAX_COST} rotations and users.`);
    this.#budget.take(cost);
    return true;
  }

  /** Stops routing at a limit. The first `text` is logged. */
  stopAtLimit(text: string): false {
    if (this.limitHits === 0) this.logDecision('path', 'ended', text);
    this.limitHits += 1;
    return false;
  }

  /** Skips a deleted target, and logs that (S12). */
  skip({ type, id }: Mention, routeId: string): void {
    this.unknown.push({ type, id });
    this.logDecision(type, 'unknown', `The ${type} [${id}] does not exist any more and is skipped.`, {
      branch: routeId,
      id,
    });
  }

  /** The look-ups of the escalation state afterwards. */
  get lookUps(): readonly LookUp[] {
    return this.#lookUps.all;
  }

  /** Ends a look-up of the escalation state, which is tried now. */
  endLookUp({ id }: LookUp): void {
    this.lookedUp += 1;
    this.#lookUps.remove(id);
  }

  /**
   * Repeats a look-up, with a growing pause, as long as its flow goes on. Its id does not contain the repeat, so a look-up that is open at
   * the end of a repeat goes on in the next one.
   */
  addLookUp(again: Omit<LookUp, 'id' | 'attempt' | 'dueAt' | 'since'>): void {
    if (this.#isSilent || !canLookUp(again)) return;
    const { route, target } = again;
    const { routeId, rule } = route.origin;
    const { attempt = 0 } = route;
    const id = `${routeId}/${rule}?${target.type}:${target.id}`.replaceAll(/~\d+/g, '');
    if (this.#addedLookUps.has(id)) return;
    this.#addedLookUps.add(id);
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
    const dueAt = new Date(this.#at.getTime() + pauseMs);
    if (!this.#lookUps.add({ ...again, id, attempt, dueAt, since: this.#since }))
      this.stopAtLimit('Too many users and teams could not be looked up. The others are skipped.');
  }

  /** Adds a finding. False when it is not logged: these effects are silent, or the decision is full. */
  logDecision(subject: string, outcome: string, text: string, facts?: Record<string, unknown>): boolean {
    return !this.#isSilent && this.#findings.add({ subject, outcome, text, ...(facts && { facts }) });
  }

  get findings(): readonly DecisionFinding[] {
    return this.#findings.all;
  }

  get findingBytes(): number {
    return this.#findings.bytes;
  }

  /**
   * Pages `userId`, unless this transition did so already. Where several rules page one user, the page lasts as long as the longest of
   * their pages.
   */
  page(userId: string, username: string, origin: PageOrigin): void {
    if (this.#isSilent) return;
    const facts = { userId, username, branch: origin.routeId, rule: origin.rule };
    if (this.#foldIntoEarlierPage(userId, origin)) {
      this.logDecision('page', 'folded', `${username} is paged already.`, facts);
      return;
    }
    if (origin.cancelOn === 'ack' && this.#state.alert.acknowledged) {
      this.logDecision('page', 'skipped', `${username} is not paged: the alert is acknowledged.`, facts);
      return;
    }
    if (!this.canPage()) return;
    this.#paged.add(pagedKey({ ...origin, userId }));
    this.pages.push(pageOf(this.#state, userId, origin, this.#alert));
    this.logDecision('page', 'paged', `Paged ${username}: ${origin.why}.`, facts);
  }

  /** Folds a page into an earlier one of the same user, which then lasts as long as the longer of both. False where there is none. */
  #foldIntoEarlierPage(userId: string, { cancelOn }: PageOrigin): boolean {
    if (this.#paged.has(pagedKey({ userId, cancelOn: 'close' }))) return true;
    if (!this.#paged.has(pagedKey({ userId, cancelOn: 'ack' }))) return false;
    if (cancelOn === 'ack') return true;
    const index = this.pages.findIndex((page) => page.userId === userId);
    const page = this.pages[index];
    // It was paged by an earlier transition, while look-ups waited.
    if (page === undefined) return false;
    this.#paged.add(pagedKey({ userId, cancelOn }));
    this.pages[index] = { ...page, cancelOn };
    return true;
  }

  /** Whether the transition may page one more user; the first refusal is logged. */
  canPage(): boolean {
    if (this.pages.length < MIN_PAGES) return true;
    this.#maxPages ??= Math.floor(MAX_PAGE_BYTES / (ROW_BYTES + bytesOf(this.#alert)));
    return this.pages.length < this.#maxPages || this.stopAtLimit(`Routing stopped after ${this.#maxPages} pages.`);
  }

  /** Orders a change of the alert from alert-processor. Returns the id of the order. */
  order(action: AlertOrder['action']): string {
    const id = `escalation:${this.#state.alertId}:${this.#state.orders + this.orders.length + 1}`;
    this.orders.push({ id, action });
    return id;
  }

  get #alert(): Page['alert'] {
    return (this.#pagedAlert ??= this.pagedAlert(this.#state.alert));
  }

  /** The alert in a page. Responders have their known names: a user's rules may compare ids or names. */
  pagedAlert(alert: AlertState): Page['alert'] {
    const responders = alert.responders.map((responder) => {
      const name = this.#nameOf(responder);
      return name === undefined ? responder : { ...responder, name };
    });
    const { actions, alias, createdAt, description, details, entity, message, priority, source, tags, tinyId } = alert;
    const fields = { tinyId, alias, message, description, source, entity, priority, tags, actions, details };
    return { ...fields, responders, createdAt };
  }
}

const pagedKey = ({ cancelOn, userId }: { readonly cancelOn: CancelOn; readonly userId: string }): string =>
  `${cancelOn}:${userId}`;

function pageOf(state: EscalationState, userId: string, origin: PageOrigin, alert: Page['alert']): Page {
  const actionType = state.reached.includes(userId) ? 'renotified-alert' : 'create-alert';
  return {
    kind: 'page',
    pageId: [
      state.alertId,
      state.alert.cycle,
      origin.routeId,
      origin.rule,
      origin.repeatNumber,
      userId,
      actionType,
    ].join(':'),
    alertId: state.alertId,
    cycle: state.alert.cycle,
    userId,
    actionType,
    cancelOn: origin.cancelOn,
    pagedAt: origin.dueAt.toISOString(),
    why: origin.why,
    alertVersion: state.alertVersion,
    alert,
    acceptedAt: state.acceptedAt,
    ...(state.trace !== undefined && { trace: state.trace }),
    ...(state.alert.acknowledged && { once: true }),
  };
}
