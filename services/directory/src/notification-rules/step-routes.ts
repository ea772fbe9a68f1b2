import { CreateNotificationStepBody, UpdateNotificationStepBody } from '@tocsin/api';
import { defineRoute, type Principal, type Route, type RouteInput } from '@tocsin/http';
import { nestedStepView } from './routes.ts';
import type { NotificationSteps, PlacedStep, RulePlace } from './step-operations.ts';

type Params = RouteInput<unknown, unknown>['params'];

const placeOf = (params: Params): RulePlace => ({
  user: params['userIdentifier'] ?? '',
  ruleId: params['ruleId'] ?? '',
});
const stepIdOf = (params: Params): string => params['stepId'] ?? '';

/** `/v2/users/{userIdentifier}/notification-rules/{ruleId}/steps` (part 3, 4.4). */
export function notificationStepRoutes(steps: NotificationSteps): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-notification-step',
      body: CreateNotificationStepBody,
      handle: async ({ params, body }) => {
        const id = await steps.create(placeOf(params), body);
        return { status: 201, body: { result: 'Created', data: { id } } };
      },
    }),
    defineRoute({
      operation: 'list-notification-steps',
      handle: async ({ params, principal }) => {
        const place = placeOf(params);
        const rule = await steps.list(place);
        const views = rule.steps.values().map((step) => stepView({ rule, step }, place.user, principal));
        return { body: { data: views } };
      },
    }),
    defineRoute({
      operation: 'get-notification-step',
      handle: async ({ params, principal }) => {
        const place = placeOf(params);
        const found = await steps.get(place, stepIdOf(params));
        return { body: { data: stepView(found, place.user, principal) } };
      },
    }),
    defineRoute({
      operation: 'update-notification-step',
      body: UpdateNotificationStepBody,
      handle: async ({ params, body }) => {
        const id = stepIdOf(params);
        await steps.update(placeOf(params), id, body);
        return { body: { result: 'Updated', data: { id } } };
      },
    }),
    defineRoute({
      operation: 'delete-notification-step',
      handle: async ({ params }) => {
        await steps.remove(placeOf(params), stepIdOf(params));
        return { body: { result: 'Deleted' } };
      },
    }),
    ...switches(steps),
  ];
}

const switches = (steps: NotificationSteps): readonly Route[] =>
  [true, false].map((enabled) =>
    defineRoute({
      operation: enabled ? 'enable-notification-step' : 'disable-notification-step',
      handle: async ({ params }) => {
        const id = stepIdOf(params);
        await steps.setEnabled(placeOf(params), id, enabled);
        return { body: { result: enabled ? 'Enabled' : 'Disabled', data: { id } } };
      },
    }),
  );

/** A step in answers, with its rule (part 3, 2.4). */
const stepView = ({ rule, step }: PlacedStep, user: string, principal: Principal) => ({
  ...nestedStepView(step, user, principal),
  _parent: { id: rule.id, name: rule.name },
});
