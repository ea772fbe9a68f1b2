import type { AlertState, DecisionVerdict, Page, Responder } from '@tocsin/contracts';
import { bytesOf } from '@tocsin/rules';
import type { Mention } from '../mentions.ts';
import { Budget } from '../on-call/expansion.ts';
import type { NoteMinute } from './note-minutes.ts';
import { mayLookUp, type Branch, type Cause, type LookUp, type Run } from './run.ts';
import { LookUps } from './room.ts';
import { VerdictList } from './verdict-list.ts';

/** A command for the owner of the alert, given once under an id that follows from the run. */
export interface AlertOrder {
  readonly id: string;
  readonly what:
    | { readonly kind: 'close' | 'reset-recipient-states' }
    | { readonly kind: 'add-responder'; readonly responder: Responder };
}

/** The first wait between two look-ups of somebody whose owner is away; each further one is twice as long. Milliseconds. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** Most responders that one settlement opens. More would lead to the same people again. */
const MOST_OPENINGS = 1_000;

/** Most rotations that one settlement asks, users that it reaches and forwarding rules that it follows, counted together. */
const MOST_STEPS = 50_000;

/** Most bytes of the pages of one settlement, so that they are written within 5 s. Each page has its alert and a row of its own. */
const MOST_PAGE_BYTES = 40_000_000;
const ROW_BYTES = 5_000;
/** So many pages may be made however large the alert is. */
const FEW_PAGES = 100;

export interface EffectsOptions {
  readonly nameOf?: (responder: Responder) => string | undefined;
  /** They open and fire as usual, but log and page nothing. */
  readonly muted?: boolean;
  /** Whoever was paged since then while look-ups waited counts as paged by them. */
  readonly since?: Date | undefined;
  /** Rules that are skipped now may be fired by an escalate later (A9). */
  readonly keepsSkipped?: boolean;
}

/**
 * The effects of one settlement of a run: pages, orders, branches, and a verdict for each decision. Within one
 * settlement a user is paged once, however many ways lead there.
 */
export class RunEffects {
  readonly pages: Page[] = [];
  /** Branches that start in this settlement, for the first time or again. */
  readonly started: Branch[] = [];
  /** Branches that change without a start. */
  readonly changed: Branch[] = [];
  readonly orders: AlertOrder[] = [];
  /** How many of the run's look-ups were tried now. */
  lookedUp = 0;
  /** What was not found: it is deleted, or so new that only its owner has it. */
  readonly unknown: Mention[] = [];
  /** How often something was left out. */
  cuts = 0;
  /** How many rules, and schedules reached without a rule, found nobody. */
  nobody = 0;
  /** The `noteMinutes` of the run after it; undefined where it tells no news. */
  noteMinutes: readonly NoteMinute[] | undefined;
  /** Whether nobody is left to page, and nobody has acknowledged. */
  exhausted = false;
  /** The keys of the rules that fired now. */
  readonly fired = new Set<string>();
  /** Of these, those that were skipped. */
  readonly skipped = new Set<string>();
  /** Those that were skipped before and fire now. */
  readonly takenUp = new Set<string>();
  #pagedAlert: Page['alert'] | undefined;
  #mostPages: number | undefined;
  #openings = 0;
  readonly #budget = new Budget(MOST_STEPS);
  readonly #verdicts = new VerdictList();
  readonly #firedBefore: Set<string>;
  readonly #skippedBefore: ReadonlySet<string>;
  readonly #keepsSkipped: boolean;
  readonly #lookUps: LookUps;
  readonly #lookedUpAgain = new Set<string>();
  /** Who was paged by now, and how long: `wantedWhile:user`. */
  readonly #paged: Set<string>;
  readonly #run: Run;
  readonly #at: Date;
  readonly #since: Date;
  readonly #nameOf: (responder: Responder) => string | undefined;
  readonly #isMuted: boolean;

  constructor(run: Run, at: Date, options: EffectsOptions = {}) {
    const { nameOf = () => undefined, muted = false, since, keepsSkipped = false } = options;
    this.#run = run;
    this.#firedBefore = new Set(run.fired);
    this.#lookUps = new LookUps(run.lookUps);
    this.#skippedBefore = new Set(run.skipped);
    this.#keepsSkipped = keepsSkipped;
    this.#at = at;
    this.#nameOf = nameOf;
    this.#isMuted = muted;
    this.#since = since ?? at;
    this.#paged = new Set(since && run.pagedMeanwhile.filter(({ at: then }) => then >= since).map(pagedKey));
  }

  /** The instant at which the rules really fire; it decides who is on call. */
  get at(): Date {
    return this.#at;
  }

  /**
   * Whether one more thing may be opened; the first refusal is logged. Teams and escalations can name each other in many ways.
   */
  mayOpen(): boolean {
    this.#openings += 1;
    if (this.#openings > MOST_OPENINGS) return this.leaveOut(`More than ${MOST_OPENINGS} ways lead on from here`);
    return this.mayTake(0);
  }

  /** Whether `steps` more may be taken; the first refusal is logged. What begins within the bound is finished. */
  mayTake(steps: number): boolean {
    if (this.#budget.isUsedUp)
      return this.leaveOut(`More than ${MOST_STEPS} rotations and people are on the way from here`);
    this.#budget.take(steps);
    return true;
  }

  /** Logs, once, that whatever else would be reached is left out. */
  leaveOut(because: string): false {
    if (this.cuts === 0) this.say('path', 'ended', `${because}: the others are left out.`);
    this.cuts += 1;
    return false;
  }

  /** Whether a rule has fired by now. */
  hasFired(key: string): boolean {
    return this.fired.has(key) || this.#firedBefore.has(key);
  }

  /** Whether a rule has fired, and was not skipped, by now. */
  hasPaged(key: string): boolean {
    const isSkipped = this.skipped.has(key) || (this.#skippedBefore.has(key) && !this.takenUp.has(key));
    return this.hasFired(key) && !isSkipped;
  }

  skipRule(key: string): void {
    if (this.#keepsSkipped) this.skipped.add(key);
  }

  /** Lets a rule fire that was skipped before. */
  takeUp(key: string): void {
    if (this.#skippedBefore.has(key) && this.#firedBefore.delete(key)) this.takenUp.add(key);
  }

  /** Skips what does not exist any more, and logs that (S12). */
  skip({ type, id }: Mention, branch: string): void {
    this.unknown.push({ type, id });
    this.say(type, 'unknown', `The ${type} [${id}] does not exist any more and is skipped.`, { branch, id });
  }

  /** All that the run waits for afterwards. */
  get lookUps(): readonly LookUp[] {
    return this.#lookUps.all;
  }

  /** Ends a look-up of the run, which is tried now. */
  tryLookUp({ id }: LookUp): void {
    this.lookedUp += 1;
    this.#lookUps.remove(id);
  }

  /**
   * Looks up again, later each time, while the flow that led there goes on. Its id is the same in each round:
   * it goes on in the next one until its rule fires again, which may be much later than it is answered.
   */
  lookUpAgain(again: Omit<LookUp, 'id' | 'attempt' | 'dueAt' | 'since'>): void {
    if (this.#isMuted || !mayLookUp(again)) return;
    const { step, target } = again;
    const { branchId, rule } = step.cause;
    const { attempt = 0 } = step;
    const id = `${branchId}/${rule}?${target.type}:${target.id}`.replaceAll(/~\d+/g, '');
    if (this.#lookedUpAgain.has(id)) return;
    this.#lookedUpAgain.add(id);
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
    const dueAt = new Date(this.#at.getTime() + pauseMs);
    if (!this.#lookUps.add({ ...again, id, attempt, dueAt, since: this.#since }))
      this.leaveOut('Too many people and teams could not be looked up');
  }

  /** Adds a verdict. False when it is not logged: these effects are muted, or the decision has no room for it. */
  say(subject: string, outcome: string, text: string, facts?: Record<string, unknown>): boolean {
    return !this.#isMuted && this.#verdicts.add({ subject, outcome, text, ...(facts && { facts }) });
  }

  get verdicts(): readonly DecisionVerdict[] {
    return this.#verdicts.all;
  }

  get verdictBytes(): number {
    return this.#verdicts.bytes;
  }

  /** Pages `userId`, unless this settlement did so already. Of several reasons for one page, that which lasts longest counts. */
  page(userId: string, username: string, cause: Cause): void {
    if (this.#isMuted) return;
    const facts = { userId, username, branch: cause.branchId, rule: cause.rule };
    if (this.#isFolded(userId, cause)) {
      this.say('page', 'folded', `${username} is paged already.`, facts);
      return;
    }
    if (!this.mayPage()) return;
    this.#paged.add(pagedKey({ ...cause, userId }));
    this.pages.push(pageOf(this.#run, userId, cause, this.#alert));
    this.say('page', 'paged', `Paged ${username}: ${cause.why}.`, facts);
  }

  /** Whether an earlier page of the user serves this cause too. One of this settlement is made to last as long as either asks. */
  #isFolded(userId: string, { wantedWhile }: Cause): boolean {
    if (this.#paged.has(pagedKey({ userId, wantedWhile: 'open' }))) return true;
    if (!this.#paged.has(pagedKey({ userId, wantedWhile: 'unacked' }))) return false;
    const place = wantedWhile === 'open' ? this.pages.findIndex((page) => page.userId === userId) : -1;
    const page = this.pages[place];
    if (page === undefined) return wantedWhile === 'unacked';
    this.#paged.add(pagedKey({ userId, wantedWhile }));
    this.pages[place] = { ...page, wantedWhile };
    return true;
  }

  /** Whether there is room for one more page; the first refusal is logged. */
  mayPage(): boolean {
    if (this.pages.length < FEW_PAGES) return true;
    this.#mostPages ??= Math.floor(MOST_PAGE_BYTES / (ROW_BYTES + bytesOf(this.#alert)));
    return (
      this.pages.length < this.#mostPages || this.leaveOut(`${this.#mostPages} people are paged from here at once`)
    );
  }

  /** Orders something of the owner of the alert; returns the id of the order. */
  order(what: AlertOrder['what']): string {
    const id = `escalation:${this.#run.alertId}:${this.#run.orders + this.orders.length + 1}`;
    this.orders.push({ id, what });
    return id;
  }

  get #alert(): Page['alert'] {
    return (this.#pagedAlert ??= this.pagedAlert(this.#run.alert));
  }

  /** What a page says of its alert. Responders have their known names: a user's rules may compare ids or names. */
  pagedAlert(alert: AlertState): Page['alert'] {
    const responders = alert.responders.map((responder) => {
      const name = this.#nameOf(responder);
      return name === undefined ? responder : { ...responder, name };
    });
    const { actions, alias, createdAt, description, details, entity, message, priority, source, tags, tinyId } = alert;
    const words = { tinyId, alias, message, description, source, entity, priority, tags, actions, details };
    return { ...words, responders, createdAt };
  }
}

const pagedKey = ({ userId, wantedWhile }: Pick<Page, 'userId' | 'wantedWhile'>): string => `${wantedWhile}:${userId}`;

function pageOf(run: Run, userId: string, cause: Cause, alert: Page['alert']): Page {
  const actionType = run.reached.includes(userId) ? 'renotified-alert' : 'create-alert';
  return {
    pageId: [run.alertId, run.alert.cycle, cause.branchId, cause.rule, cause.round, userId, actionType].join(':'),
    alertId: run.alertId,
    cycle: run.alert.cycle,
    userId,
    actionType,
    wantedWhile: cause.wantedWhile,
    pagedAt: cause.dueAt.toISOString(),
    why: cause.why,
    alertVersion: run.alertVersion,
    alert,
    acceptedAt: run.acceptedAt,
    ...(run.trace !== undefined && { trace: run.trace }),
    ...(cause.whileSnoozed && { whileSnoozed: true }),
  };
}
