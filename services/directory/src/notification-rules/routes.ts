import {
  ChangeNotificationRuleOrderBody,
  CopyNotificationRulesBody,
  CreateNotificationRuleBody,
  ImportNotificationRulesBody,
  minutesView,
  type OperationId,
  UpdateNotificationRuleBody,
  type AnswerOf,
  type ItemOf,
} from '@tocsin/api';
import { defineRoute, importedAs, importRoute, type Principal, type Route, type RouteInput } from '@tocsin/http';
import { addressView } from '../contacts/routes.ts';
import type { CopyNotificationRules, CopyReport } from './copy-operations.ts';
import { isOfShifts, type NotificationRule, type NotificationStep } from './notification-rule.ts';
import type { NamedRule, NotificationRules } from './operations.ts';

export interface NotificationRuleHandlers {
  readonly notificationRules: NotificationRules;
  readonly copyNotificationRules: CopyNotificationRules;
}

type Params = RouteInput<unknown, unknown>['params'];

const userOf = (params: Params): string => params['userIdentifier'] ?? '';
const ruleOf = (params: Params): string => params['ruleId'] ?? '';

/** `/v2/users/{userIdentifier}/notification-rules` (part 3, 4.3). */
export function notificationRuleRoutes(handlers: NotificationRuleHandlers): readonly Route[] {
  const { notificationRules: rules } = handlers;
  return [
    defineRoute({
      operation: 'create-notification-rule',
      body: CreateNotificationRuleBody,
      handle: async ({ params, body }) => {
        const rule = await rules.create(userOf(params), body);
        return { status: 201, body: { result: 'Created', data: ruleSummary(rule) } };
      },
    }),
    defineRoute({
      operation: 'list-notification-rules',
      handle: async ({ params }) => ({ body: { data: (await rules.list(userOf(params))).values().map(ruleSummary) } }),
    }),
    defineRoute({
      operation: 'get-notification-rule',
      handle: async ({ params, principal }) => {
        const found = await rules.get(userOf(params), ruleOf(params));
        return { body: { data: ruleView(found, userOf(params), principal) } };
      },
    }),
    defineRoute({
      operation: 'update-notification-rule',
      body: UpdateNotificationRuleBody,
      handle: async ({ params, body }) => {
        const rule = await rules.update(userOf(params), ruleOf(params), body);
        return { body: { result: 'Updated', data: ruleSummary(rule) } };
      },
    }),
    defineRoute({
      operation: 'delete-notification-rule',
      handle: async ({ params }) => {
        await rules.remove(userOf(params), ruleOf(params));
        return { body: { result: 'Deleted' } };
      },
    }),
    defineRoute({
      operation: 'change-notification-rule-order',
      body: ChangeNotificationRuleOrderBody,
      handle: async ({ params, body }) => {
        const rule = await rules.move(userOf(params), ruleOf(params), body.order);
        return { body: { result: 'Changed', data: ruleSummary(rule) } };
      },
    }),
    ...switches(rules),
    ...copying(handlers),
    importRoute({
      operation: 'import-notification-rules',
      body: ImportNotificationRulesBody,
      put: async (id, body) => importedAs(await rules.put(id, body)),
    }),
  ];
}

const switches = (rules: NotificationRules): readonly Route[] =>
  [true, false].map((enabled) =>
    defineRoute({
      operation: enabled ? 'enable-notification-rule' : 'disable-notification-rule',
      handle: async ({ params }) => {
        const id = ruleOf(params);
        await rules.setEnabled(userOf(params), id, enabled);
        return { body: { result: enabled ? 'Enabled' : 'Disabled', data: { id } } };
      },
    }),
  );

const COPIES = ['copy-notification-rules', 'copy-notification-rules-by-post'] as const satisfies readonly OperationId[];

const copying = ({ copyNotificationRules }: NotificationRuleHandlers): readonly Route[] =>
  COPIES.map((operation) =>
    defineRoute({
      operation,
      body: CopyNotificationRulesBody,
      handle: async ({ params, body }) => ({ body: copyAnswer(await copyNotificationRules.run(userOf(params), body)) }),
    }),
  );

/** No `data`, which would hide the result from clients that look there first (wire facts 1.1). */
function copyAnswer({ users, done, leftOut, more }: CopyReport) {
  const whom = users === 1 ? '1 user' : `${users} users`;
  return {
    result: `Copying of notification rules to ${whom} started${done ? ' and is done' : ''}.`,
    ...(leftOut.length === 0 ? {} : { leftOut: more ? [...leftOut, 'And more.'] : leftOut }),
  };
}

/** A rule as lists and answers to writes show it (part 3, 2.3). */
const ruleSummary = ({ id, name, actionType, order, enabled }: NotificationRule) => ({
  id,
  name,
  actionType,
  order,
  enabled,
});

/** A rule in answers. Only rules about shifts have lead times and schedules (part 3, 2.3). */
function ruleView(
  { rule, scheduleNames }: NamedRule,
  user: string,
  principal: Principal,
): AnswerOf<'get-notification-rule'>['data'] {
  const { notificationTime, scheduleIds = [], timeRestriction, repeat } = rule;
  return {
    ...ruleSummary(rule),
    criteria: rule.criteria.written,
    ...(isOfShifts(rule.actionType)
      ? { notificationTime, schedules: scheduleIds.map((id, index) => scheduleView(id, scheduleNames[index])) }
      : {}),
    ...(timeRestriction === undefined ? {} : { timeRestriction }),
    steps: rule.steps.map((step) => nestedStepView(step, user, principal)),
    ...(repeat === undefined ? {} : { repeat: { loopAfter: repeat.loopAfterMinutes, enabled: repeat.enabled } }),
  };
}

/** A deleted schedule has no name. */
const scheduleView = (id: string, name: string | undefined) => ({
  type: 'schedule' as const,
  id,
  ...(name === undefined ? {} : { name }),
});

export const nestedStepView = (
  { id, contact, sendAfterMinutes, enabled }: NotificationStep,
  user: string,
  principal: Principal,
): ItemOf<AnswerOf<'get-notification-rule'>['data']['steps']> => ({
  id,
  contact: { ...contact, to: addressView(contact, user, principal) },
  sendAfter: minutesView(sendAfterMinutes),
  enabled,
});
