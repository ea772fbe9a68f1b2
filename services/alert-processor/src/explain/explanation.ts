import type { Decision } from '@tocsin/events';
import type { LogEntry } from '../alert-log/entry.ts';

/** A user in an explanation. `username` is the name in the records, or the id if no record has a name. */
export interface ExplainedUser {
  readonly id: string;
  readonly username: string;
}

/** One decision about the alert, or one action on it. */
export interface ExplanationStep {
  readonly at: Date;
  /** The stage of the decision; `action`: a user acted on the alert. */
  readonly stage: Decision['stage'] | 'action';
  readonly subject: string;
  readonly outcome: string;
  readonly text: string;
  /** The actor; absent for decisions. */
  readonly actor?: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/**
 * How an alert reached a user. `notified`: a message was handed over. `pending`: a message waits for its time, a retry, or
 * the user's rules. `failed`: no provider took a message. `not-sent`: the flow reached the user, but nothing was to be
 * sent. `not-paged`: the flow did not reach the user. `incomplete`: the part of the log that was read does not show whether it did.
 */
type UserOutcome = 'notified' | 'pending' | 'failed' | 'not-sent' | 'not-paged' | 'incomplete';

export interface ExplainedRecipient {
  readonly user: ExplainedUser;
  readonly outcome: UserOutcome;
  /** Why, in a few sentences. */
  readonly reason: string;
}

/** Which users were notified of an alert, which were not, and why (promise 2). */
export interface Explanation {
  /** Every user whom the flow reached, in the order of the first time; or the one user who was asked about. */
  readonly users: readonly ExplainedRecipient[];
  /** In the order in which they happened. */
  readonly steps: readonly ExplanationStep[];
}

/** The step that a log entry records. */
export function stepOf({ action, createdAt: at, decision, log: text, owner, type }: LogEntry): ExplanationStep {
  const facts = decision?.facts ?? {};
  const actor = type === 'alertAction' ? { actor: owner } : {};
  if (action !== undefined) return { at, stage: 'action', subject: action, outcome: 'done', text, facts, ...actor };
  const { outcome, stage, subject } = decision ?? ({ stage: 'process', subject: 'alert', outcome: 'noted' } as const);
  return { at, stage, subject, outcome, text, facts, ...actor };
}

/**
 * Explains an alert from its log, whose `entries` come in order of time: for the user `about`, or for all users in the entries.
 *
 * For one user it has the steps that concern all users (integration, policies, actions of users), the flow's route to the user, and the
 * results of their messages. If the flow did not reach the user, it has the flow's whole route instead. `isTruncated`: the log has more
 * entries than these.
 */
export function explain(entries: readonly LogEntry[], about?: ExplainedUser, isTruncated = false): Explanation {
  const steps = inCausalOrder(entries.map(stepOf));
  if (about === undefined) {
    const stepsOf = Map.groupBy(steps, ({ facts }) => facts['userId']);
    return { users: usersIn(steps).map((user) => reached(user, stepsOf.get(user.id) ?? [])), steps };
  }
  return { users: [recipient(about, steps, isTruncated)], steps: stepsAbout(about, steps) };
}

/** `steps` in their order, but never the result of a page before the page: the clocks of services may differ a little. */
function inCausalOrder(steps: readonly ExplanationStep[]): readonly ExplanationStep[] {
  const early = new Map(steps.filter(isPage).map(({ facts }) => [facts['userId'], [] as ExplanationStep[]]));
  return steps.flatMap((step) => {
    const { stage } = step;
    const { userId } = step.facts;
    const held = early.get(userId);
    if (held === undefined) return [step];
    if (stage === 'page' || stage === 'deliver') {
      held.push(step);
      return [];
    }
    if (!isPage(step)) return [step];
    early.delete(userId);
    return [step, ...held];
  });
}

/** Every user whom a record names, in the order of the first record. */
export function usersIn(steps: readonly ExplanationStep[]): readonly ExplainedUser[] {
  const names = new Map<string, string>();
  for (const { facts } of steps) {
    const { userId, username } = facts;
    if (typeof userId !== 'string') continue;
    if (typeof username === 'string') names.set(userId, username);
    else if (!names.has(userId)) names.set(userId, userId);
  }
  return [...names].map(([id, username]) => ({ id, username }));
}

const isOf = ({ id }: ExplainedUser, { facts }: ExplanationStep): boolean => facts['userId'] === id;

const isPage = ({ outcome, subject }: ExplanationStep): boolean => subject === 'page' && outcome === 'paged';

function stepsAbout(user: ExplainedUser, steps: readonly ExplanationStep[]): readonly ExplanationStep[] {
  const branches = new Set(steps.filter((step) => isOf(user, step)).flatMap(({ facts }) => waysTo(branchOf(facts))));
  const isReached = steps.some((step) => isOf(user, step));
  return steps.filter((step) => {
    if (isOf(user, step) || mentions(user, step)) return true;
    if (step.facts['userId'] !== undefined) return false;
    if (step.stage !== 'route') return true;
    const branch = branchOf(step.facts);
    return !isReached || branch === undefined || branches.has(branch);
  });
}

/** A branch and all from which it branched off: `a/b` of `a/b/c`. */
function waysTo(branch: string | undefined): readonly string[] {
  if (branch === undefined) return [];
  const ends = [...branch.matchAll(/\//g)].map(({ index }) => index);
  return [...ends.map((end) => branch.slice(0, end)), branch];
}

const branchOf = ({ branch }: ExplanationStep['facts']): string | undefined =>
  typeof branch === 'string' ? branch : undefined;

/** Whether another user was notified in place of the user, or a rule that names the user did not fire. */
function mentions({ id }: ExplainedUser, { facts }: ExplanationStep): boolean {
  const { fromUserId, layers, recipient: named, toUserId } = facts;
  if (fromUserId === id || toUserId === id || isUser(named, id)) return true;
  return Array.isArray(layers) && layers.some((layer) => isInLayer(layer, id));
}

const isUser = (value: unknown, id: string): boolean => record(value)['type'] === 'user' && record(value)['id'] === id;

function isInLayer(layer: unknown, id: string): boolean {
  const { override, participant } = record(layer);
  return isUser(participant, id) || isUser(record(override)['displaced'], id);
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** How the alert reached `user`, and why not better. */
function recipient(user: ExplainedUser, steps: readonly ExplanationStep[], isTruncated: boolean): ExplainedRecipient {
  const own = steps.filter((step) => isOf(user, step));
  if (own.length > 0) return reached(user, own);
  if (!isTruncated) return { user, outcome: 'not-paged', reason: whyNotPaged(user, steps) };
  const text = `The part of the log that was read does not show that ${user.username} was paged.`;
  const because = sentences(steps.filter((step) => mentions(user, step)));
  return { user, outcome: 'incomplete', reason: `${text} ${because}`.trim() };
}

function reached(user: ExplainedUser, own: readonly ExplanationStep[]): ExplainedRecipient {
  const [outcome, because] = outcomeOf(own);
  return { user, outcome, reason: sentences(because) };
}

/** The best outcome wins: one message that was handed over outweighs all that were not. */
function outcomeOf(own: readonly ExplanationStep[]): readonly [UserOutcome, readonly ExplanationStep[]] {
  const messages = lastOfEach(own);
  const having = (...outcomes: readonly string[]) => messages.filter(({ outcome }) => outcomes.includes(outcome));
  const sent = having('delivered', 'sent');
  if (sent.length > 0) return ['notified', sent.slice(0, 1)];
  const waiting = [...having('scheduled', 'retrying', 'repeating'), ...messages.filter(goesOn(messages))];
  if (waiting.length > 0) return ['pending', waiting.slice(0, 1)];
  const failed = having('failed');
  if (failed.length > 0) return ['failed', failed];
  if (messages.length > 0) return ['not-sent', messages];
  const decided = own.filter(({ stage }) => stage === 'page' || stage === 'deliver');
  const waits = decided.filter(({ subject, outcome }) => subject === 'user' && outcome === 'waiting');
  if (decided.length === waits.length) return ['pending', waits.length > 0 ? waits : own.filter(isPage)];
  return ['not-sent', decided.filter(({ outcome }) => outcome !== 'matched' && outcome !== 'waiting')];
}

/** Whether a message went on to another provider, and no record names that delivery yet. */
const goesOn = (messages: readonly ExplanationStep[]) => {
  const known = new Set(messages.map(({ facts }) => facts['deliveryId']));
  return ({ facts: { successorId } }: ExplanationStep): boolean => successorId !== undefined && !known.has(successorId);
};

/** The last step of each message: its end, if it has ended. */
function lastOfEach(own: readonly ExplanationStep[]): readonly ExplanationStep[] {
  const last = new Map<unknown, ExplanationStep>();
  for (const step of own) {
    const { deliveryId } = step.facts;
    const known = last.get(deliveryId);
    // Records of one instant may come in any order.
    if (deliveryId !== undefined && !(known !== undefined && weightOf(known) > weightOf(step)))
      last.set(deliveryId, step);
  }
  return [...last.values()];
}

/** In the order in which a message may reach them: a receipt follows `sent`, and `delivered` is final. */
const ENDS = ['dropped', 'held-back', 'sent', 'failed', 'delivered'];
const weightOf = ({ outcome }: ExplanationStep): number => ENDS.indexOf(outcome);

/** Names the nearest cause in the records: another user in their place, another route, or a flow that never ran. */
function whyNotPaged(user: ExplainedUser, steps: readonly ExplanationStep[]): string {
  const inTheirPlace = steps.filter((step) => mentions(user, step));
  if (inTheirPlace.length > 0) return sentences(inTheirPlace);
  const routed = steps.filter(({ stage }) => stage === 'route');
  if (routed.length > 0) {
    const because = routed.filter(({ outcome }) => outcome === 'no-recipient' || outcome === 'skipped');
    return `Nothing that this alert has reached leads to ${user.username}. ${sentences(because)}`.trim();
  }
  const silent = steps.filter(isSilence);
  return silent.length > 0
    ? sentences(silent)
    : 'The flow of this alert has reached no user: it has no responders, or it has not started.';
}

/** Whether a step says that the flow does not run, or does not run yet. */
const isSilence = ({ facts, outcome, subject }: ExplanationStep): boolean =>
  (subject === 'flow' && outcome === 'suppressed') ||
  (subject === 'policies' && (facts['suppressed'] !== undefined || facts['heldUntil'] !== undefined));

/** The most steps that a reason quotes. */
const MAX_SENTENCES = 3;

const sentences = (steps: readonly ExplanationStep[]): string =>
  steps
    .slice(-MAX_SENTENCES)
    .map(({ text }) => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(' ');
