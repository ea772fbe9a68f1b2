import type { ActionType, DecisionVerdict, NotificationRuleState, Page, UserState } from '@tocsin/contracts';
import {
  alertSubject,
  compileConditions,
  compileTimeRestriction,
  firstTen,
  PatternBudget,
  type ConditionSubject,
} from '@tocsin/rules';

/** The rule that a page runs, where there is one, and what was found of each rule that was looked at. */
export interface RuleChoice {
  readonly rule: NotificationRuleState | undefined;
  readonly verdicts: readonly DecisionVerdict[];
}

/**
 * The first rule of the page's action type, by order, that is enabled and whose criteria and time restriction hold: the
 * restriction on the user's wall clock, at the instant of the page (U4, S3).
 */
export function chooseRule(page: Page, user: UserState): RuleChoice {
  const subject = describe(page);
  const skipped: Skipped[] = [];
  const budget = new PatternBudget();
  for (const rule of rulesFor(page.actionType, user)) {
    const reason = mismatch(rule, { subject, budget }, page.pagedAt, user);
    if (reason === undefined)
      return { rule, verdicts: [...passedOver(page, user, skipped), matched(page, user, rule)] };
    skipped.push({ rule, reason });
  }
  return { rule: undefined, verdicts: [...passedOver(page, user, skipped), none(page, user, skipped)] };
}

interface Skipped {
  readonly rule: NotificationRuleState;
  readonly reason: string;
}

function passedOver({ pageId }: Page, { id, username }: UserState, skipped: readonly Skipped[]): DecisionVerdict[] {
  if (skipped.length === 0) return [];
  const told = firstTen(skipped, ({ reason, rule: { name } }) => `[${name}]: ${reason}`);
  const rules = skipped.map(({ reason, rule: { id: ruleId } }) => ({ ruleId, reason }));
  return [
    {
      subject: 'notification-rule',
      outcome: 'skipped',
      text: `Notification rules of ${username} passed over: ${told.join('; ')}.`,
      facts: { pageId, userId: id, rules },
    },
  ];
}

function matched({ pageId }: Page, { id: userId, username }: UserState, rule: NotificationRuleState): DecisionVerdict {
  return {
    subject: 'notification-rule',
    outcome: 'matched',
    text: `Notification rule [${rule.name}] of ${username} is chosen.`,
    facts: { pageId, userId, ruleId: rule.id, order: rule.order },
  };
}

function none({ actionType, pageId }: Page, { id, username }: UserState, skipped: readonly Skipped[]): DecisionVerdict {
  const holding = skipped.length === 0 ? '' : ' that holds';
  const text = `${username} has no notification rule for ${actionType}${holding}.`;
  return { subject: 'notification-rule', outcome: 'none', text, facts: { pageId, userId: id } };
}

/** Responders under their ids and, where they were known, their names (P3). */
function describe({ alert }: Page): ConditionSubject {
  const { responders = [] } = alert;
  const names = new Map(responders.map(({ id, name, type }) => [`${type} ${id}`, name]));
  return alertSubject({ ...alert, responders }, ({ id, type }) => names.get(`${type} ${id}`));
}

/** Without a rule of their own for it, people are told again as they were told at first (U5). */
function rulesFor(actionType: ActionType, { notificationRules }: UserState): readonly NotificationRuleState[] {
  const ofType = (type: ActionType) =>
    notificationRules.filter((rule) => rule.actionType === type).toSorted((a, b) => a.order - b.order);
  const own = ofType(actionType);
  return own.length === 0 && actionType === 'renotified-alert' ? ofType('create-alert') : own;
}

function mismatch(
  rule: NotificationRuleState,
  { subject, budget }: { readonly subject: ConditionSubject; readonly budget: PatternBudget },
  pagedAt: string,
  { timeZone }: UserState,
): string | undefined {
  if (!rule.enabled) return 'it is disabled';
  const verdict = compileConditions(rule.criteria)(subject, budget);
  if (verdict === 'too-expensive') return 'its criteria were not evaluated: too expensive';
  if (verdict === 'fails') return 'its criteria do not hold';
  if (!compileTimeRestriction(rule.timeRestriction, timeZone)(new Date(pagedAt)))
    return `its time restriction does not hold at ${pagedAt} in ${timeZone}`;
  return undefined;
}
