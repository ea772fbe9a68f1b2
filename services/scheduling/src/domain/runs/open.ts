import type { Responder } from '@tocsin/contracts';
import type { Escalation } from '../escalation.ts';
import type { Mention } from '../mentions.ts';
import type { OnCallAnswer } from '../on-call-answer.ts';
import type { ScheduleNotifyType } from '../on-call.ts';
import type { Forwarded } from '../on-call/forwardings.ts';
import type { Answers, ScheduleAnswer } from './answers.ts';
import type { RunEffects } from './effects.ts';
import { isToBeLookedUp, lookUp, skipOrLookUp } from './look-up.ts';
import type { CycleStart, ManualRequest } from './apply-event.ts';
import { hasRoomFor } from './room.ts';
import type { RoutingView } from './routing.ts';
import { ruleAndRound, type Branch, type Cause, type Run, type Step } from './run.ts';

/** One settlement of one run: what it reads and writes, and its alert. */
export interface Settling {
  readonly run: Run;
  readonly view: RoutingView;
  readonly effects: RunEffects;
  readonly answers: Answers;
  /** How the alert was at a manual request: an acknowledgement holds nothing back then (A9). */
  readonly requestedWhile?: ManualRequest['while'] | undefined;
}

/** The most things on one way. The ids of pages and branches grow with it. */
const LONGEST_WAY = 50;

/** Stands for the rule of what is reached without one. */
const WITHOUT_RULE = '-';

/**
 * Opens the responders with which a cycle begins: users and schedules are paged at once, an escalation becomes a branch whose
 * rules fire later, a team is routed by its rules (architecture section 4, step 4).
 */
export function openResponders(settling: Settling, { how, responders }: CycleStart, startedAt: Date): void {
  for (const responder of responders) {
    const branchId = `${responder.type}:${responder.id}`;
    const why = `responder ${responder.type}`;
    const cause: Cause = {
      branchId,
      rule: WITHOUT_RULE,
      round: 0,
      isStopped: how !== 'pages',
      wantedWhile: 'unacked',
      dueAt: startedAt,
      why,
    };
    openTarget(settling, responder, { cause, path: [] });
  }
}

/**
 * Opens one user, schedule, escalation or team. True when it led to a page or to a branch; false when it led to nobody. What is
 * already on the path is not opened again (S4).
 */
export function openTarget(
  settling: Settling,
  target: Responder,
  step: Step,
  notifyType: ScheduleNotifyType = 'default',
): boolean {
  const node = `${target.type}:${target.id}`;
  if (step.path.includes(node)) {
    const facts = { target, branch: step.cause.branchId };
    settling.effects.say('path', 'skipped', `The ${target.type} was opened on the way here already.`, facts);
    return false;
  }
  if (step.path.length >= LONGEST_WAY)
    return settling.effects.leaveOut(`More than ${LONGEST_WAY} things follow one another`);
  if (!settling.effects.mayOpen()) return false;
  const next: Step = { ...step, path: [...step.path, node] };
  switch (target.type) {
    case 'user':
      return openUser(settling, target.id, next);
    case 'schedule':
      return openSchedule(settling, target.id, next, notifyType);
    case 'escalation':
      return openEscalation(settling, target.id, next);
    case 'team':
      return openTeam(settling, target.id, next);
  }
}

/**
 * Pages whoever has the user's duty at this moment, even when the user was named directly (S13). A look-up pages nobody who is
 * not wanted any more.
 */
export function openUser(settling: Settling, userId: string, step: Step): boolean {
  const { effects, run, view } = settling;
  const { cause } = step;
  if (isTooLate(run, step) || !effects.mayTake(1)) return false;
  const { userId: holderId, chain } = holderOf(settling, userId, step);
  effects.mayTake(chain.length);
  const user = view.user(holderId);
  if (user === undefined) {
    skipOrLookUp(settling, { type: 'user', id: holderId }, step);
    return false;
  }
  const from = view.user(userId)?.username ?? userId;
  if (chain.length > 0) {
    const text = `The duty of ${from} is forwarded to ${user.username}.`;
    effects.say('forwarding', 'forwarded', text, {
      branch: cause.branchId,
      fromUserId: userId,
      toUserId: holderId,
      rules: chain.map(({ id }) => id),
    });
  }
  const why = chain.length > 0 ? `${cause.why}, forwarded from ${from}` : cause.why;
  effects.page(user.id, user.username, { ...cause, why });
  return true;
}

const isTooLate = ({ alert }: Run, { attempt = 0, cause }: Step): boolean =>
  attempt > 0 && alert.acknowledged && cause.wantedWhile === 'unacked';

/** Rules that lead to somebody unknown are passed over. Where they may exist, the duty comes up again once they are looked up. */
function holderOf(settling: Settling, userId: string, step: Step): Forwarded {
  const { effects, view } = settling;
  const missed = new Set<string>();
  const exists = ({ id }: Mention): boolean => {
    const isKnown = view.user(id) !== undefined;
    if (!isKnown) missed.add(id);
    return isKnown;
  };
  const found = view.forwardings.at(userId, effects.at.getTime(), exists);
  for (const id of missed) {
    const mention = { type: 'user', id } as const;
    if (isToBeLookedUp(view, mention)) lookUp(settling, mention, step, { target: { type: 'user', id: userId } });
    else effects.unknown.push(mention);
  }
  return found;
}

function openSchedule(settling: Settling, scheduleId: string, step: Step, notifyType: ScheduleNotifyType): boolean {
  const { answers, effects, view } = settling;
  const known = answers.ofSchedule(scheduleId, notifyType);
  const { answer } = known;
  const missed = answer.verdicts.flatMap(({ passedOver }) => passedOver.map(({ participant }) => participant));
  if (effects.mayTake(missed.length)) effects.unknown.push(...missed);
  if (isNobody(answer) && step.cause.rule === WITHOUT_RULE) effects.nobody += 1;
  sayOnCall(settling, known, { scheduleId, turn: notifyType }, step);
  const why = `on call in schedule [${view.schedule(scheduleId)?.name ?? scheduleId}]`;
  const cause: Cause = { ...step.cause, why: step.cause.rule === WITHOUT_RULE ? why : `${step.cause.why}, ${why}` };
  const users = answer.users.map(({ userId: id }) => ({ type: 'user', id }) as const);
  const mayExist = missed.filter((one) => isToBeLookedUp(view, one));
  return [...users, ...answer.responders, ...mayExist]
    .map((one) =>
      one.type === 'user'
        ? openUser(settling, one.id, { ...step, cause })
        : openTarget(settling, one, { ...step, cause: below(cause, one) }),
    )
    .includes(true);
}

/** The first verdict on a schedule has its layers; later ones name the branch of that verdict. */
function sayOnCall(
  { effects }: Settling,
  known: ScheduleAnswer,
  asked: { readonly scheduleId: string; readonly turn: ScheduleNotifyType },
  { cause: { branchId: branch } }: Step,
): void {
  const { answer, layersIn } = known;
  const layers = layersIn === undefined ? { layers: answer.verdicts } : { layersIn };
  const facts = { branch, ...asked, at: effects.at.toISOString(), ...layers };
  const isSaid = effects.say('on-call', isNobody(answer) ? 'nobody' : 'somebody', answer.explanation, facts);
  if (isSaid) known.layersIn ??= branch;
}

const isNobody = ({ responders, users }: OnCallAnswer): boolean => users.length + responders.length === 0;

const below = (cause: Cause, target: Responder): Cause => ({
  ...cause,
  branchId: `${cause.branchId}/${ruleAndRound(cause)}>${target.type}:${target.id}`,
});

function openEscalation(settling: Settling, escalationId: string, step: Step): boolean {
  const { effects, run, view } = settling;
  const escalation = view.escalation(escalationId);
  if (escalation === undefined) {
    effects.skip({ type: 'escalation', id: escalationId }, step.cause.branchId);
    return false;
  }
  const branch = branchOf(escalation, step);
  if (!hasRoomFor(branch, run, effects)) {
    const text = `Escalation [${escalation.name}] is left out: the alert has too many by now.`;
    effects.say('escalation', 'skipped', text, { escalationId, branch: branch.id });
    return false;
  }
  effects.started.push(branch);
  effects.say('escalation', 'started', `Escalation [${escalation.name}] started.`, { escalationId, branch: branch.id });
  return true;
}

function branchOf(escalation: Escalation, { cause, path }: Step): Branch {
  return {
    id: cause.branchId,
    escalationId: escalation.id,
    escalationName: escalation.name,
    version: escalation.version,
    startedAt: cause.dueAt,
    isStopped: cause.isStopped,
    rules: escalation.rules,
    repeat: escalation.repeat,
    round: 0,
    awaits: undefined,
    path,
  };
}

/** Routes a team by its rules. */
export function openTeam(settling: Settling, teamId: string, step: Step): boolean {
  const { answers, effects, view } = settling;
  const team = view.team(teamId);
  if (team === undefined) {
    skipOrLookUp(settling, { type: 'team', id: teamId }, step);
    return false;
  }
  const { routed, verdicts } = answers.ofTeam(team);
  for (const { facts, outcome, subject, text } of verdicts)
    effects.say(subject, outcome, text, { branch: step.cause.branchId, ...facts });
  const notify = routed.rule?.notify;
  if (notify === undefined || notify.type === 'none') return false;
  return openTarget(settling, notify, { ...step, cause: below(step.cause, notify) });
}
