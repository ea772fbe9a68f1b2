import {
  MATCH_ALL_CRITERIA,
  type ActionType,
  type Criteria,
  type NotificationRuleState,
  type NotificationRepeat,
} from '@tocsin/contracts';
import { given } from './given.ts';

/** Part 3, 2.3: how one user wants to be told of one kind of action. */
export interface NotificationRule extends Omit<NotificationRuleState, 'criteria'> {
  readonly criteria: Criteria;
}

/** What the engines use of a rule. */
export const notificationRuleState = (rule: NotificationRule): NotificationRuleState => ({
  ...rule,
  criteria: rule.criteria.set,
});

/** The ids of one default rule and of its only step. */
export interface DefaultRuleIds {
  readonly rule: string;
  readonly step: string;
}

/** What the rules of a new user are called. */
export const DEFAULT_RULE_NAMES = {
  'create-alert': 'New Alert',
  'acknowledged-alert': 'Acknowledged Alert',
  'closed-alert': 'Closed Alert',
  'assigned-alert': 'Assigned Alert',
  'add-note': 'Add Note',
  'schedule-start': 'Schedule Start',
  'schedule-end': 'Schedule End',
} as const satisfies Partial<Record<ActionType, string>>;

type DefaultActionType = keyof typeof DEFAULT_RULE_NAMES;

/** Whether a rule is about the start or end of a shift: only such a rule has lead times and schedules (part 3, 2.3). */
export const isOfShifts = (actionType: ActionType): boolean =>
  actionType === 'schedule-start' || actionType === 'schedule-end';

/** What a new user is told of: everything but a repeated page and a routed call (U1). */
export const DEFAULT_ACTION_TYPES = Object.keys(DEFAULT_RULE_NAMES) as readonly DefaultActionType[];

/**
 * The rules of a new user whose only contact is the mail address `to`: each sends one mail at once, those of a schedule
 * just before its start or end (U1). `idsOf` gives the ids for each action type.
 */
export function defaultNotificationRules(
  to: string,
  idsOf: Readonly<Record<DefaultActionType, DefaultRuleIds>>,
): readonly NotificationRule[] {
  return DEFAULT_ACTION_TYPES.map((actionType) => ({
    id: idsOf[actionType].rule,
    name: DEFAULT_RULE_NAMES[actionType],
    actionType,
    order: 0,
    enabled: true,
    criteria: MATCH_ALL_CRITERIA,
    ...(isOfShifts(actionType) ? { notificationTime: ['just-before' as const] } : {}),
    steps: [{ id: idsOf[actionType].step, contact: { method: 'email', to }, sendAfterMinutes: 0, enabled: true }],
  }));
}

/** A rule that holds for everything and tells nothing yet. */
export const emptyRule = (
  rule: Pick<NotificationRule, 'id' | 'name' | 'actionType' | 'enabled'>,
): NotificationRule => ({ ...rule, order: 0, criteria: MATCH_ALL_CRITERIA, steps: [] });

/** What a rule gets; what is undefined stays as it is. */
type RuleChange = {
  readonly [K in Exclude<keyof NotificationRule, 'id' | 'actionType' | 'order' | 'repeat'>]?:
    NotificationRule[K] | undefined;
} & { readonly repeat?: NotificationRepeat | undefined };

/** The rule as changed; it takes lead times and schedules only if it is about shifts. An empty list means every schedule. */
export function changedRule(rule: NotificationRule, change: RuleChange): NotificationRule {
  const { name, enabled, criteria, timeRestriction, repeat, steps } = change;
  const { notificationTime, scheduleIds } = isOfShifts(rule.actionType) ? change : {};
  const changed: NotificationRule = {
    ...rule,
    ...given({ name, enabled, criteria, timeRestriction, notificationTime, scheduleIds, steps }),
  };
  if (repeat === 'never') delete changed.repeat;
  else if (repeat !== undefined) changed.repeat = repeat;
  if (scheduleIds?.length === 0) delete changed.scheduleIds;
  return changed;
}
