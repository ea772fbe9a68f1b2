import {
  type AnswerOf,
  CreateIntegrationActionBody,
  IntegrationActionsBody,
  ListIntegrationActionsQuery,
} from '@tocsin/api';
import { defineRoute, type Route } from '@tocsin/http';
import { actionsFor } from '../hooks/hook-alert.ts';
import type { IntegrationActions } from './action-operations.ts';
import type { ActionContent, IntegrationAction } from './action.ts';
import type { Integration } from './integration.ts';
import type { Integrations } from './operations.ts';
import { filterView, ignoreView, recipientView } from './routes.ts';

/** `/v2/integrations/{integrationId}/actions` (part 1, 2.5 and 4.2; wire facts 5): every answer has all groups. */
export function actionRoutes(integrations: Integrations, actions: IntegrationActions): readonly Route[] {
  return [
    defineRoute({
      operation: 'list-integration-actions',
      query: ListIntegrationActionsQuery,
      handle: async ({ params, query, principal }) => {
        const found = await integrations.get(integrationId(params), principal);
        const shown = query.effective === true ? { ...found, actions: actionsFor(found) } : found;
        return { body: { data: actionsView(shown) } };
      },
    }),
    defineRoute({
      operation: 'create-integration-action',
      body: CreateIntegrationActionBody,
      handle: async ({ params, body, principal }) => ({
        status: 201,
        body: { data: actionsView(await actions.add(integrationId(params), body, principal)) },
      }),
    }),
    defineRoute({
      operation: 'replace-integration-actions',
      body: IntegrationActionsBody,
      handle: async ({ params, body, principal }) => ({
        body: { data: actionsView(await actions.replace(integrationId(params), body, principal)) },
      }),
    }),
  ];
}

const integrationId = (params: Readonly<Record<string, string>>): string => params['integrationId'] ?? '';

/** The actions of an integration in their groups, empty ones too (part 1, 2.5; wire facts 10.9). */
function actionsView({ id, name, enabled, type, actions }: Integration): AnswerOf<'list-integration-actions'>['data'] {
  const { ignore, create, close, acknowledge, addNote } = actions;
  return {
    _parent: { id, name, enabled, type },
    ignore: ignore.map((action) => ({ type: 'ignore', ...actionView(action) })),
    create: create.flatMap(({ content, ...action }) =>
      content === undefined ? [] : [{ type: 'create', ...actionView(action), ...contentView(content) }],
    ),
    close: close.map((action) => ({ type: 'close', ...actionView(action) })),
    acknowledge: acknowledge.map((action) => ({ type: 'acknowledge', ...actionView(action) })),
    addNote: addNote.map((action) => ({ type: 'addNote', ...actionView(action) })),
  };
}

const actionView = ({ name, order, filter, alias, user, note }: Omit<IntegrationAction, 'content'>) => ({
  name,
  order,
  filter: filterView(filter),
  alias,
  user,
  note,
});

function contentView(content: ActionContent) {
  const { source, message, description, entity, priority, customPriority, appendAttachments } = content;
  const recipients = content.recipients.map(recipientView);
  return {
    source,
    message,
    description,
    entity,
    appendAttachments,
    ...(priority !== undefined && { priority }),
    ...(customPriority !== undefined && { customPriority }),
    alertActions: content.alertActions,
    tags: content.tags,
    recipients,
    responders: recipients,
    extraProperties: Object.fromEntries(content.extraProperties),
    ignoreAlertActionsFromPayload: content.ignoreAlertActions,
    ...ignoreView(content),
    ignoreTagsFromPayload: content.ignoreTags,
    ignoreExtraPropertiesFromPayload: content.ignoreExtraProperties,
  };
}
