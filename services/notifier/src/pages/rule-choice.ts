import type { ActionType, DecisionFinding, NotificationRuleState, Page, UserState } from '@tocsin/events';
import {
  alertSubject,
  compileConditions,
  compileTimeRestriction,
  firstTen,
  PatternBudget,
  type ConditionSubject,
} from '@tocsin/rules';
import type { Steps } from '@tocsin/core';

/** The rule that a page runs, where there is one, and the findings about the examined rules. */
export interface RuleChoice {
  readonly rule: NotificationRuleState | undefined;
  readonly findings: readonly DecisionFinding[];
}

/** The input of the choice of a rule. */
export interface Occasion {
  readonly actionType: ActionType;
  readonly user: UserState;
  /** Facts of the decisions besides user and rule. */
  readonly facts: Readonly<Record<string, string>>;
}

/**
 * The first rule of the page's action type, by order, that is enabled and whose criteria and time restriction hold: the
 * restriction on the user's wall clock, at the instant of the page (U4, S3). Each rule is a step of the work.
 */
export function chooseRule(page: Page, user: UserState): Steps<RuleChoice> {
  const subject = describe(page);
  const budget = new PatternBudget();
  const occasion = { actionType: page.actionType, user, facts: { pageId: page.pageId } };
  return chosenFor(occasion, rulesFor(page.actionType, user), (rule) =>
    mismatch(rule, { subject, budget }, page.pagedAt, user),
  );
}

/** The first of `rules` for which `mismatchOf` returns no reason. Each rule is a step of the work. */
export function* chosenFor(
  occasion: Occasion,
  rules: readonly NotificationRuleState[],
  mismatchOf: (rule: NotificationRuleState) => string | undefined,
): Steps<RuleChoice> {
  const skipped: Skipped[] = [];
  for (const rule of rules) {
    yield;
    const reason = mismatchOf(rule);
    if (reason === undefined)
      return { rule, findings: [...skippedFinding(occasion, skipped), matched(occasion, rule)] };
    skipped.push({ rule, reason });
  }
  return { rule: undefined, findings: [...skippedFinding(occasion, skipped), none(occasion, skipped)] };
}

interface Skipped {
  readonly rule: NotificationRuleState;
  readonly reason: string;
}

function skippedFinding({ facts, user: { id, username } }: Occasion, skipped: readonly Skipped[]): DecisionFinding[] {
  if (skipped.length === 0) return [];
  const listed = firstTen(skipped, ({ reason, rule: { name } }) => `[${name}]: ${reason}`);
  const rules = skipped.map(({ reason, rule: { id: ruleId } }) => ({ ruleId, reason }));
  return [
    {
      subject: 'notification-rule',
      outcome: 'skipped',
      text: `Notification rules of ${username} skipped: ${listed.join('; ')}.`,
      facts: { ...facts, userId: id, rules },
    },
  ];
}

function matched({ facts, user: { id: userId, username } }: Occasion, rule: NotificationRuleState): DecisionFinding {
  return {
    subject: 'notification-rule',
    outcome: 'matched',
    text: `Notification rule [${rule.name}] of ${username} is chosen.`,
    facts: { ...facts, userId, ruleId: rule.id, order: rule.order },
  };
}

function none({ actionType, facts, user: { id, username } }: Occasion, skipped: readonly Skipped[]): DecisionFinding {
  const holding = skipped.length === 0 ? '' : ' that applies';
  const text = `${username} has no notification rule for ${actionType}${holding}.`;
  return { subject: 'notification-rule', outcome: 'none', text, facts: { ...facts, userId: id } };
}

/** Responders under their ids and, where they were known, their names (P3). */
function describe({ alert }: Page): ConditionSubject {
  const names = new Map(alert.responders.map(({ id, name, type }) => [`${type} ${id}`, name]));
  return alertSubject(alert, ({ id, type }) => names.get(`${type} ${id}`));
}

/** Without a rule for `renotified-alert` the rules for `create-alert` apply (U5). */
function rulesFor(actionType: ActionType, { notificationRules }: UserState): readonly NotificationRuleState[] {
  const own = inOrder(notificationRules, actionType);
  return own.length === 0 && actionType === 'renotified-alert' ? inOrder(notificationRules, 'create-alert') : own;
}

/** The rules of one action type, in their order. */
export const inOrder = (
  rules: readonly NotificationRuleState[],
  actionType: ActionType,
): readonly NotificationRuleState[] =>
  rules.filter((rule) => rule.actionType === actionType).toSorted((a, b) => a.order - b.order);

function mismatch(
  rule: NotificationRuleState,
  { subject, budget }: { readonly subject: ConditionSubject; readonly budget: PatternBudget },
  pagedAt: string,
  { timeZone }: UserState,
): string | undefined {
  if (!rule.enabled) return 'it is disabled';
  const result = compileConditions(rule.criteria)(subject, budget);
  if (result === 'too-expensive') return 'its criteria were not evaluated: too expensive';
  if (result === 'fails') return 'its criteria do not hold';
  return restrictedAt(rule, pagedAt, timeZone);
}

/** Why a rule does not hold at an instant, by its time restriction on the wall clock of `timeZone` (S3). */
export const restrictedAt = (
  { timeRestriction }: NotificationRuleState,
  at: string,
  timeZone: string,
): string | undefined =>
  compileTimeRestriction(timeRestriction, timeZone)(new Date(at))
    ? undefined
    : `its time restriction does not hold at ${at} in ${timeZone}`;
