import { MATCH_ALL, type ActionType, type NotificationRuleState } from '@tocsin/contracts';

/** The ids of one default rule and of its only step. */
export interface DefaultRuleIds {
  readonly rule: string;
  readonly step: string;
}

const NAMES = {
  'create-alert': 'New Alert',
  'acknowledged-alert': 'Acknowledged Alert',
  'closed-alert': 'Closed Alert',
  'assigned-alert': 'Assigned Alert',
  'add-note': 'Add Note',
  'schedule-start': 'Schedule Start',
  'schedule-end': 'Schedule End',
} as const satisfies Partial<Record<ActionType, string>>;

type DefaultActionType = keyof typeof NAMES;

/** What a new user is told of: everything but a repeated page and a routed call (U1). */
export const DEFAULT_ACTION_TYPES = Object.keys(NAMES) as readonly DefaultActionType[];

/**
 * The rules of a new user whose only contact is the mail address `to`: each sends one mail at once, those of a schedule
 * just before its start or end (U1). `idsOf` gives the ids for each action type.
 */
export function defaultNotificationRules(
  to: string,
  idsOf: Readonly<Record<DefaultActionType, DefaultRuleIds>>,
): readonly NotificationRuleState[] {
  return DEFAULT_ACTION_TYPES.map((actionType) => ({
    id: idsOf[actionType].rule,
    name: NAMES[actionType],
    actionType,
    order: 0,
    enabled: true,
    criteria: MATCH_ALL,
    ...(actionType === 'schedule-start' || actionType === 'schedule-end'
      ? { notificationTime: ['just-before' as const] }
      : {}),
    steps: [{ id: idsOf[actionType].step, contact: { method: 'email', to }, sendAfterMinutes: 0, enabled: true }],
  }));
}
