import { compareVersions, type NotifyType } from '@tocsin/contracts';
import type { EscalationRule } from '../escalation.ts';
import { membersMeantBy } from '../snapshot.ts';
import { skipOrLookUp } from './look-up.ts';
import { openTarget, openTeam, openUser, type Settling } from './open.ts';
import { dueAt, refusal, ruleAndRound, ruleKey, type Branch, type Cause, type LookUp, type Step } from './run.ts';

/** Fires those rules of a newly opened branch that are due already. */
export function fireFrom(settling: Settling, branch: Branch): void {
  for (const [ruleIndex, rule] of branch.rules.entries())
    if (dueAt(branch, rule) <= settling.effects.at) fireRule(settling, branch, ruleIndex);
}

/**
 * Fires one rule, once: its condition is checked now, and who is on call is read now. A rule that finds nobody hands over to
 * the next one at once (S9); that one then does not fire again when its own time comes.
 */
export function fireRule(settling: Settling, branch: Branch, ruleIndex: number): void {
  const { effects, run } = settling;
  const rule = branch.rules[ruleIndex];
  const key = ruleKey(branch, ruleIndex);
  if (rule === undefined || effects.hasFired(key)) return;
  effects.fired.add(key);
  const name = `Rule ${ruleIndex + 1} of escalation [${branch.escalationName}]`;
  const { id, round } = branch;
  const facts = { branch: id, round, ruleIndex, condition: rule.condition, recipient: rule.recipient };
  const refused = refusal(run, settling.requestedWhile !== undefined ? 'if-not-closed' : rule.condition);
  if (refused !== undefined) {
    effects.skipRule(key);
    effects.say('escalation-rule', 'skipped', `${name} is skipped: ${refused}.`, facts);
    return;
  }
  const how = `(${rule.notifyType} of ${rule.recipient.type})${olderRules(settling, branch)}`;
  effects.say('escalation-rule', 'fired', `${name} fired ${how}.`, facts);
  const { cuts } = effects;
  // Where somebody was left out, the next rule has its own time: by then there is room again.
  if (notifyRecipient(settling, branch, rule, ruleIndex) || effects.cuts > cuts) return;
  const next = branch.rules[ruleIndex + 1];
  const then = next === undefined ? 'there is no further rule' : 'the next rule follows at once';
  effects.nobody += 1;
  effects.say('escalation-rule', 'nobody', `${name} found nobody; ${then}.`, facts);
  if (next === undefined) return;
  if (settling.requestedWhile !== undefined) effects.takeUp(ruleKey(branch, ruleIndex + 1));
  fireRule(settling, branch, ruleIndex + 1);
}

/** A running flow keeps the rules with which it started, and the log says so where today's are others (S9). */
function olderRules({ view }: Settling, { escalationId, version }: Branch): string {
  const today = view.escalation(escalationId);
  if (today !== undefined && compareVersions(today.version, version) === 0) return '';
  const since = today === undefined ? 'deleted' : 'changed';
  return `, as it was when this flow started: the escalation was ${since} since`;
}

function notifyRecipient(settling: Settling, branch: Branch, rule: EscalationRule, ruleIndex: number): boolean {
  const step: Step = {
    cause: {
      branchId: branch.id,
      rule: String(ruleIndex),
      round: branch.round,
      isStopped: branch.isStopped,
      ...wanted(settling, rule.condition === 'if-not-closed'),
      // A rule that fires early, because the one before found nobody, falls due now.
      dueAt: earlier(dueAt(branch, rule), settling.effects.at),
      why: `rule ${ruleIndex + 1} of escalation [${branch.escalationName}]`,
    },
    path: branch.path,
  };
  const { notifyType, recipient } = rule;
  switch (notifyType) {
    case 'default':
    case 'next':
    case 'previous': {
      const cause =
        recipient.type === 'team'
          ? { ...step.cause, branchId: `${branch.id}/${ruleAndRound(step.cause)}` }
          : step.cause;
      return openTarget(settling, recipient, { ...step, cause }, notifyType);
    }
    case 'all':
    case 'users':
    case 'admins':
    case 'random':
      return notifyMembers(settling, recipient.id, notifyType, step);
  }
}

function notifyMembers(settling: Settling, teamId: string, choice: NotifyType, step: Step): boolean {
  const { view } = settling;
  const team = view.team(teamId);
  if (team === undefined) {
    skipOrLookUp(settling, { type: 'team', id: teamId }, step, choice);
    return false;
  }
  const members = membersMeantBy(team, choice);
  const chosen = choice === 'random' ? oneOf(settling, members) : members;
  const cause = { ...step.cause, why: `${step.cause.why}, member of team [${team.name}]` };
  return chosen.map((userId) => openUser(settling, userId, { ...step, cause })).includes(true);
}

/** Picks one of those who are known. All others are looked up, because each pass of a settlement picks anew. */
function oneOf({ effects, view }: Settling, members: readonly string[]): readonly string[] {
  const isKnown = (id: string): boolean => view.user(id) !== undefined;
  effects.unknown.push(...members.filter((id) => !isKnown(id)).map((id) => ({ type: 'user', id }) as const));
  const one = view.pick(members.filter(isKnown)) ?? view.pick(members);
  return one === undefined ? [] : [one];
}

/** Opens somebody who could not be looked up before. A team may lead to rules that an acknowledgement does not end. */
export function lookUpDue(settling: Settling, { attempt, choice, step, target }: LookUp): void {
  const again: Step = { ...step, attempt: attempt + 1 };
  if (target.type === 'user') openUser(settling, target.id, again);
  else if (choice === 'default') openTeam(settling, target.id, again);
  else notifyMembers(settling, target.id, choice, again);
}

/** How long a page is wanted. One that was requested manually is wanted although the alert is acknowledged or snoozed (A9). */
export const wanted = (
  { requestedWhile: { acknowledged, snoozed } = { acknowledged: false, snoozed: false } }: Settling,
  whileOpen = false,
): Pick<Cause, 'wantedWhile' | 'whileSnoozed'> => ({
  wantedWhile: whileOpen || acknowledged ? 'open' : 'unacked',
  ...(snoozed && { whileSnoozed: true }),
});

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
