import { minutesView } from '@tocsin/contracts';
import type { NamedRule } from '../application/notification-rules.ts';
import { isOfShifts, type NotificationRule } from '../domain/notification-rule.ts';
import type { NotificationStep } from '../domain/notification-step.ts';

type View = Readonly<Record<string, unknown>>;

/** A rule as lists and answers to writes show it (part 3, 2.3). */
export const ruleSummary = ({ id, name, actionType, order, enabled }: NotificationRule): View => ({
  id,
  name,
  actionType,
  order,
  enabled,
});

/** A rule with everything that was written; lead times and schedules are those of rules about shifts (part 3, 2.3). */
export function ruleView({ rule, scheduleNames }: NamedRule): View {
  const { notificationTime, scheduleIds = [], timeRestriction, repeat } = rule;
  return {
    ...ruleSummary(rule),
    criteria: rule.criteria.written,
    ...(isOfShifts(rule.actionType)
      ? { notificationTime, schedules: scheduleIds.map((id, index) => scheduleView(id, scheduleNames[index])) }
      : {}),
    ...(timeRestriction === undefined ? {} : { timeRestriction }),
    steps: rule.steps.map(nestedStepView),
    ...(repeat === undefined ? {} : { repeat: { loopAfter: repeat.loopAfterMinutes, enabled: repeat.enabled } }),
  };
}

/** A schedule that is gone has no name any more. */
const scheduleView = (id: string, name: string | undefined): View => ({
  type: 'schedule',
  id,
  ...(name === undefined ? {} : { name }),
});

const nestedStepView = ({ id, contact, sendAfterMinutes, enabled }: NotificationStep): View => ({
  id,
  contact,
  sendAfter: minutesView(sendAfterMinutes),
  enabled,
});

/** A step by itself, with the rule that it is a part of (part 3, 2.4). */
export const stepView = ({ id, name }: NotificationRule, step: NotificationStep): View => ({
  ...nestedStepView(step),
  _parent: { id, name },
});
