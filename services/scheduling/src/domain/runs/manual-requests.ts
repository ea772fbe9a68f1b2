import type { Responder } from '@tocsin/contracts';
import { fireRule, wanted } from './fire.ts';
import type { ManualRequest } from './apply-event.ts';
import { openTarget, type Settling } from './open.ts';
import { goesOn, ruleKey, type Branch } from './run.ts';

/** Carries out manual requests (A9). Delays count from the request. */
export function carryOut(settling: Settling, requests: readonly ManualRequest[]): void {
  for (const request of requests)
    if (request.kind === 'escalated') escalate(settling, request);
    else addResponder(settling, request);
}

/** Opens an added responder, unless it is open already. An escalation that was stopped since a caller escalated to it starts anew. */
function addResponder(settling: Settling, request: ManualRequest): void {
  const { effects, run } = settling;
  const branch = run.branches.find(({ id }) => id === branchIdOf(request.responder));
  if (branch === undefined) open(settling, request, 'added as responder');
  else if (branch.isStopped) effects.started.push({ ...branch, startedAt: new Date(request.at), isStopped: false });
}

/** Fires the next rule of an escalation. One that does not run yet becomes a responder, and its first rule fires at once. */
function escalate(settling: Settling, request: ManualRequest): void {
  const { effects, run } = settling;
  const { responder: escalation } = request;
  const running = run.branches.filter(({ escalationId }) => escalationId === escalation.id);
  if (running.some((branch) => fireNext(settling, branch))) return;
  if (running.length > 0) {
    const name = running[0]?.escalationName ?? escalation.id;
    effects.say('escalation', 'ended', `Escalation [${name}] has no further rule.`, { escalationId: escalation.id });
    return;
  }
  const before = effects.started.length;
  open(settling, request, 'escalated to');
  const opened = effects.started[before];
  if (opened === undefined) return;
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

function open(settling: Settling, { at, responder }: ManualRequest, why: string): void {
  const cause = {
    branchId: branchIdOf(responder),
    rule: '-',
    round: 0,
    isStopped: !goesOn(settling.run.alert),
    ...wanted(settling),
    dueAt: new Date(at),
    why,
  };
  openTarget(settling, responder, { cause, path: [] });
}
