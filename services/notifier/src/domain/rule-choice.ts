import type { ActionType, DecisionVerdict, NotificationRuleState, Page, UserState } from '@tocsin/contracts';
import { alertSubject, compileConditions, compileTimeRestriction, type ConditionSubject } from '@tocsin/rules';

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
  const verdicts: DecisionVerdict[] = [];
  const subject = alertSubject(page.alert);
  for (const rule of rulesFor(page.actionType, user)) {
    const reason = mismatch(rule, subject, page.pagedAt, user);
    const facts = { pageId: page.pageId, userId: user.id, ruleId: rule.id, order: rule.order };
    const name = `Notification rule [${rule.name}] of ${user.username}`;
    if (reason === undefined) {
      verdicts.push({ subject: 'notification-rule', outcome: 'matched', text: `${name} is chosen.`, facts });
      return { rule, verdicts };
    }
    verdicts.push({
      subject: 'notification-rule',
      outcome: 'skipped',
      text: `${name} is passed over: ${reason}.`,
      facts,
    });
  }
  const text = `${user.username} has no notification rule for ${page.actionType}${verdicts.length === 0 ? '' : ' that holds'}.`;
  const facts = { pageId: page.pageId, userId: user.id };
  return { rule: undefined, verdicts: [...verdicts, { subject: 'notification-rule', outcome: 'none', text, facts }] };
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
  subject: ConditionSubject,
  pagedAt: string,
  { timeZone }: UserState,
): string | undefined {
  if (!rule.enabled) return 'it is disabled';
  if (!compileConditions(rule.criteria)(subject)) return 'its criteria do not hold';
  if (!compileTimeRestriction(rule.timeRestriction, timeZone)(new Date(pagedAt)))
    return `its time restriction does not hold at ${pagedAt} in ${timeZone}`;
  return undefined;
}
