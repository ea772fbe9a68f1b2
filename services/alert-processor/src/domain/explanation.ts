import type { Decision } from '@tocsin/contracts';
import type { LogEntry } from './history.ts';

/** A user as an explanation names them: by the user name of then, or by the id where no record has one. */
export interface ExplainedUser {
  readonly id: string;
  readonly username: string;
}

/** One thing that was decided about the alert, or done to it, in the order in which it happened. */
export interface ExplanationStep {
  readonly at: Date;
  /** Where it was decided; `action`: somebody did something to the alert. */
  readonly stage: Decision['stage'] | 'action';
  readonly subject: string;
  readonly outcome: string;
  readonly text: string;
  /** Who did it; absent of what was decided. */
  readonly actor?: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/**
 * How an alert reached a user. `told`: a message was handed over. `pending`: one waits for its time, for another try, or for the
 * user's rules. `failed`: no provider took any. `not-sent`: the flow reached them, and nothing was to be sent. `not-paged`: the flow
 * did not reach them.
 */
type UserOutcome = 'told' | 'pending' | 'failed' | 'not-sent' | 'not-paged';

export interface ExplainedRecipient {
  readonly user: ExplainedUser;
  readonly outcome: UserOutcome;
  /** Why, in one sentence or a few. */
  readonly reason: string;
}

/** Why who was told of an alert, and who was not (promise 2). */
export interface Explanation {
  /** Everybody whom the flow reached, by when it first did; or the one user who was asked about. */
  readonly users: readonly ExplainedRecipient[];
  readonly steps: readonly ExplanationStep[];
}

/** The step that an entry of the log tells of. */
export function stepOf({ action, createdAt: at, decision, log: text, owner, type }: LogEntry): ExplanationStep {
  const facts = decision?.facts ?? {};
  const actor = type === 'alertAction' ? { actor: owner } : {};
  if (action !== undefined) return { at, stage: 'action', subject: action, outcome: 'done', text, facts, ...actor };
  const { outcome, stage, subject } = decision ?? ({ stage: 'process', subject: 'alert', outcome: 'noted' } as const);
  return { at, stage, subject, outcome, text, facts, ...actor };
}

/**
 * Explains an alert by the records of its log, whose entries come in their order: to `about` alone, or to everybody whom they name.
 *
 * Of one user it has what concerns everybody (what the integration and the policies made of the alert, what people did), the way of
 * the flow to them, and what became of their messages. Where the flow did not reach them, it has the whole way of the flow instead.
 */
export function explain(entries: readonly LogEntry[], about?: ExplainedUser): Explanation {
  const steps = entries.map(stepOf);
  if (about === undefined) {
    const users = usersIn(steps).map((user) => recipient(user, steps));
    return { users: users.filter(({ outcome }) => outcome !== 'not-paged'), steps };
  }
  return { users: [recipient(about, steps)], steps: stepsAbout(about, steps) };
}

/** Everybody whom a record names as told or to be told, by when it first does. */
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
  const branches = steps.filter((step) => isOf(user, step)).flatMap(({ facts }) => branchOf(facts) ?? []);
  const isReached = steps.some((step) => isOf(user, step));
  return steps.filter((step) => {
    if (isOf(user, step) || mentions(user, step)) return true;
    if (step.facts['userId'] !== undefined) return false;
    if (step.stage !== 'route') return true;
    const branch = branchOf(step.facts);
    return !isReached || branch === undefined || branches.some((one) => one === branch || one.startsWith(`${branch}/`));
  });
}

const branchOf = ({ branch }: ExplanationStep['facts']): string | undefined =>
  typeof branch === 'string' ? branch : undefined;

/** Whether somebody else was told in place of the user, or a rule that names the user did not fire. */
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

/** How the alert reached `user`, and why it did not do better. */
function recipient(user: ExplainedUser, steps: readonly ExplanationStep[]): ExplainedRecipient {
  const own = steps.filter((step) => isOf(user, step));
  if (own.length === 0) return { user, outcome: 'not-paged', reason: whyNotPaged(user, steps) };
  const [outcome, because] = outcomeOf(own);
  return { user, outcome, reason: sentences(because) };
}

/** What has the most to say comes first: one message that was handed over counts for more than all that were not. */
function outcomeOf(own: readonly ExplanationStep[]): readonly [UserOutcome, readonly ExplanationStep[]] {
  const messages = lastOfEach(own);
  const having = (...outcomes: readonly string[]) => messages.filter(({ outcome }) => outcomes.includes(outcome));
  const told = having('delivered', 'sent');
  if (told.length > 0) return ['told', told.slice(0, 1)];
  const waiting = [...having('scheduled', 'retrying', 'repeating'), ...messages.filter(goesOn(messages))];
  if (waiting.length > 0) return ['pending', waiting.slice(0, 1)];
  const failed = having('failed');
  if (failed.length > 0) return ['failed', failed];
  if (messages.length > 0) return ['not-sent', messages];
  const judged = own.filter(({ stage }) => stage === 'page' || stage === 'deliver');
  const waits = judged.filter(({ subject, outcome }) => subject === 'user' && outcome === 'waiting');
  if (judged.length === waits.length) return ['pending', waits.length > 0 ? waits : own.filter(isPage)];
  return ['not-sent', judged.filter(({ outcome }) => outcome !== 'matched' && outcome !== 'waiting')];
}

/** Whether a message failed and went to another provider, of which nothing was heard yet. */
const goesOn = (messages: readonly ExplanationStep[]) => {
  const known = new Set(messages.map(({ facts }) => facts['deliveryId']));
  return ({ facts: { successorId } }: ExplanationStep): boolean => successorId !== undefined && !known.has(successorId);
};

/** Of each message the last thing that was said about it: its end, where it has come to one. */
function lastOfEach(own: readonly ExplanationStep[]): readonly ExplanationStep[] {
  const last = new Map<unknown, ExplanationStep>();
  for (const step of own) {
    const { deliveryId } = step.facts;
    const known = last.get(deliveryId);
    // Records of one instant come in any order.
    if (deliveryId !== undefined && !(known !== undefined && weightOf(known) > weightOf(step)))
      last.set(deliveryId, step);
  }
  return [...last.values()];
}

/** What follows a state of a message weighs no less: a receipt follows what was sent, and what arrived has arrived. */
const ENDS = ['dropped', 'sent', 'failed', 'delivered'];
const weightOf = ({ outcome }: ExplanationStep): number => ENDS.indexOf(outcome);

/** The reason names the nearest cause that the records have: somebody in their place, a flow that never ran, or another way. */
function whyNotPaged(user: ExplainedUser, steps: readonly ExplanationStep[]): string {
  const inTheirPlace = steps.filter((step) => mentions(user, step));
  if (inTheirPlace.length > 0) return sentences(inTheirPlace);
  const routed = steps.filter(({ stage }) => stage === 'route');
  if (routed.length > 0) {
    const because = routed.filter(({ outcome }) => outcome === 'nobody' || outcome === 'skipped');
    return `Nothing that this alert has reached leads to ${user.username}. ${sentences(because)}`.trim();
  }
  const silent = steps.filter(isSilence);
  return silent.length > 0
    ? sentences(silent)
    : 'The flow of this alert has reached nobody: it has no responders, or it has not started.';
}

/** Whether a step says that the flow does not run, or not yet. */
const isSilence = ({ facts, outcome, subject }: ExplanationStep): boolean =>
  (subject === 'flow' && outcome === 'suppressed') ||
  (subject === 'policies' && (facts['suppressed'] !== undefined || facts['heldUntil'] !== undefined));

/** So many sentences a reason has at most. */
const MOST_SENTENCES = 3;

const sentences = (steps: readonly ExplanationStep[]): string =>
  steps
    .slice(-MOST_SENTENCES)
    .map(({ text }) => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(' ');
