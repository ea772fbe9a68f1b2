import type { Responder } from '@tocsin/contracts';
import { fireFrom, fireRule, wanted } from './fire.ts';
import type { Asked } from './observe.ts';
import { openTarget, type Settling } from './open.ts';
import { dueAt, isLive, ruleKey, type Branch } from './run.ts';

/** Does what a caller asked for by hand (A9). Delays count from that request. */
export function doAsked(settling: Settling, asked: readonly Asked[]): void {
  for (const fact of asked)
    if (fact.kind === 'escalated') escalate(settling, fact);
    else join(settling, fact);
}

/** Opens an added responder, unless it is open already. */
function join(settling: Settling, fact: Asked): void {
  const { effects, run } = settling;
  const branch = run.branches.find(({ id }) => id === branchIdOf(fact.responder));
  if (branch === undefined) open(settling, fact, 'added as responder');
  else if (branch.ahead > 0 && (fact.version < branch.openedBy || !isLive(run, branch))) {
    const joined: Branch = { ...branch, startedAt: new Date(fact.at), openedBy: fact.version, ahead: 0 };
    effects.moved.push(joined);
    fireFrom(settling, joined);
    // A rule fired by hand earlier would have come after those that were due at first.
    const due = joined.rules.filter((rule) => dueAt(joined, rule) <= effects.at).length;
    for (let left = Math.min(branch.ahead, due); left > 0; left -= 1) fireNext(settling, joined);
  }
}

/** Fires the next rule of an escalation. One that does not run yet becomes a responder, and its first rule fires at once. */
function escalate(settling: Settling, fact: Asked): void {
  const { effects, run } = settling;
  const { responder: escalation } = fact;
  const running = run.branches.filter(({ escalationId }) => escalationId === escalation.id);
  const later = running.find((branch) => branch.openedBy > fact.version && branch.ahead === 0);
  if (later !== undefined) {
    // It was added after this request, which alone would have opened it by its first rule.
    effects.moved.push({ ...later, ahead: 1 });
    fireRule(settling, later, 0);
    return;
  }
  const fired = running.find((branch) => fireNext(settling, branch));
  if (fired !== undefined) {
    if (fired.ahead > 0) effects.moved.push({ ...fired, ahead: fired.ahead + 1 });
    return;
  }
  if (running.length > 0) {
    const name = running[0]?.escalationName ?? escalation.id;
    effects.say('escalation', 'ended', `Escalation [${name}] has no further rule.`, { escalationId: escalation.id });
    return;
  }
  const before = effects.branches.length;
  open(settling, fact, 'escalated to');
  const opened = effects.branches[before];
  if (opened === undefined) return;
  effects.branches[before] = { ...opened, ahead: 1 };
  fireRule(settling, opened, 0);
  const isResponder = run.alert.responders.some(({ type, id }) => type === 'escalation' && id === escalation.id);
  if (!isResponder) effects.order({ kind: 'add-responder', responder: escalation });
}

/** Fires the first rule of `branch` that has not fired. True when there was one. */
function fireNext(settling: Settling, branch: Branch): boolean {
  const { effects, run } = settling;
  const fired = new Set([...run.fired, ...effects.fired]);
  const next = branch.rules.findIndex((_, index) => !fired.has(ruleKey(branch, index)));
  if (next >= 0) fireRule(settling, branch, next);
  return next >= 0;
}

const branchIdOf = ({ type, id }: Responder): string => `${type}:${id}`;

function open(settling: Settling, { at, responder, version }: Asked, why: string): void {
  const cause = {
    ...{ branchId: branchIdOf(responder), rule: '-', round: 0, openedBy: version },
    ...wanted(settling),
    ...{ dueAt: new Date(at), why },
  };
  openTarget(settling, responder, { cause, path: [] });
}
