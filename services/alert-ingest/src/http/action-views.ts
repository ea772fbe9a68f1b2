import type { Integration } from '../domain/integration.ts';
import type { ActionContent, IntegrationAction } from '../domain/integration-action.ts';
import { filterView, ignoreView, recipientView } from './integration-views.ts';

/** The actions of an integration in their groups, empty ones too (part 1, 2.5; wire facts 10.9). */
export function actionsView({ id, name, enabled, type, actions }: Integration): Record<string, unknown> {
  return {
    _parent: { id, name, enabled, type },
    ignore: actions.ignore.map(actionView),
    create: actions.create.map(actionView),
    close: actions.close.map(actionView),
    acknowledge: actions.acknowledge.map(actionView),
    addNote: actions.addNote.map(actionView),
  };
}

function actionView({ type, name, order, filter, alias, user, note, content }: IntegrationAction): object {
  return { type, name, order, filter: filterView(filter), alias, user, note, ...(content && contentView(content)) };
}

function contentView(content: ActionContent): Record<string, unknown> {
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
