import {
  MATCH_ALL_CRITERIA,
  type ActionType,
  type NotificationRuleState,
  type WrittenConditionSet,
} from '@tocsin/contracts';

/** Part 3, 2.3: how one user wants to be told of one kind of action. */
export interface NotificationRule extends NotificationRuleState {
  /** `criteria` in the spelling of whoever wrote them (P2, E10). */
  readonly writtenCriteria: WrittenConditionSet;
}

/** What the engines use of a rule. */
export function notificationRuleState({ writtenCriteria: _, ...state }: NotificationRule): NotificationRuleState {
  return state;
}

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
    criteria: MATCH_ALL_CRITERIA.set,
    writtenCriteria: MATCH_ALL_CRITERIA.written,
    ...(isOfShifts(actionType) ? { notificationTime: ['just-before' as const] } : {}),
    steps: [{ id: idsOf[actionType].step, contact: { method: 'email', to }, sendAfterMinutes: 0, enabled: true }],
  }));
}
