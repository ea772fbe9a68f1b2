import type { Responder } from '@tocsin/contracts';
import { fireFrom, fireRule, wanted } from './fire.ts';
import type { ManualRequest } from './observe.ts';
import { openTarget, type Settling } from './open.ts';
import { dueAt, isLive, ruleKey, type Branch } from './run.ts';

/** Carries out manual requests (A9). Delays count from the request. */
export function carryOut(settling: Settling, requests: readonly ManualRequest[]): void {
  for (const request of requests)
    if (request.kind === 'escalated') escalate(settling, request);
    else addResponder(settling, request);
}

/**
 * Opens an added responder, unless it is open already. An escalation that was fired manually before this event came counts as
 * opened by this request from now on: a stop between the two, whose event may come late, then leaves it running.
 */
function addResponder(settling: Settling, request: ManualRequest): void {
  const { effects, run } = settling;
  const branch = run.branches.find(({ id }) => id === branchIdOf(request.responder));
  if (branch === undefined) open(settling, request, 'added as responder');
  else if (branch.ahead > 0 && request.version > branch.openedBy && isLive(run, branch)) {
    const kept: Branch = { ...branch, openedBy: request.version };
    effects.changed.push(kept);
    fireFrom(settling, kept);
  } else if (branch.ahead > 0) {
    const reopened: Branch = { ...branch, startedAt: new Date(request.at), openedBy: request.version, ahead: 0 };
    effects.changed.push(reopened);
    fireFrom(settling, reopened);
    // Had the events come in order, the due rules would have fired first and the manual ones after them: so as many more fire now.
    const due = reopened.rules.filter((rule) => dueAt(reopened, rule) <= effects.at).length;
    for (let left = Math.min(branch.ahead, due); left > 0; left -= 1) fireNext(settling, reopened);
  }
}

/** Fires the next rule of an escalation. One that does not run yet becomes a responder, and its first rule fires at once. */
function escalate(settling: Settling, request: ManualRequest): void {
  const { effects, run } = settling;
  const { responder: escalation } = request;
  const running = run.branches.filter(({ escalationId }) => escalationId === escalation.id);
  const later = running.find((branch) => branch.openedBy > request.version && branch.ahead === 0);
  if (later !== undefined) {
    // It was added after this request, which would have opened it and fired its first rule.
    effects.changed.push({ ...later, ahead: 1 });
    fireRule(settling, later, 0);
    return;
  }
  const fired = running.find((branch) => fireNext(settling, branch));
  if (fired !== undefined) {
    if (fired.ahead > 0) effects.changed.push({ ...fired, ahead: fired.ahead + 1 });
    return;
  }
  if (running.length > 0) {
    const name = running[0]?.escalationName ?? escalation.id;
    effects.say('escalation', 'ended', `Escalation [${name}] has no further rule.`, { escalationId: escalation.id });
    return;
  }
  const before = effects.started.length;
  open(settling, request, 'escalated to');
  const opened = effects.started[before];
  if (opened === undefined) return;
  effects.started[before] = { ...opened, ahead: 1 };
  fireRule(settling, opened, 0);
  const isResponder = run.alert.responders.some(({ type, id }) => type === 'escalation' && id === escalation.id);
  if (!isResponder) effects.order({ kind: 'add-responder', responder: escalation });
}

/** Fires the first rule of `branch` that has not fired, or was skipped. True when there was one. */
function fireNext(settling: Settling, branch: Branch): boolean {
  const { effects } = settling;
  const next = branch.rules.findIndex((_, index) => !effects.hasPaged(ruleKey(branch, index)));
  if (next < 0) return false;
  effects.takeUp(ruleKey(branch, next));
  fireRule(settling, branch, next);
  return true;
}

const branchIdOf = ({ type, id }: Responder): string => `${type}:${id}`;

function open(settling: Settling, { at, responder, version }: ManualRequest, why: string): void {
  const cause = {
    branchId: branchIdOf(responder),
    rule: '-',
    round: 0,
    openedBy: version,
    ...wanted(settling),
    dueAt: new Date(at),
    why,
  };
  openTarget(settling, responder, { cause, path: [] });
}
