import { ALERT_LIMITS, Priority, type NewAlert, type ResponderReference, type TemplateFields } from '@tocsin/events';
import { filled, fitting, once, shortened, invalidExpressionIn, type AlertLists } from '@tocsin/rules';
import type { ActionContent, IntegrationAction } from '../integrations/action.ts';
import type { IntegrationContent, Recipient } from '../integrations/content.ts';
import type { ResponderNames, Rules, SentAlert } from './sent-alert.ts';

/** An alert as a create action makes it, and who asked for it with which first note. */
export interface Shaped {
  readonly alert: NewAlert;
  /** Empty where there is none: the alert goes by its id. */
  readonly alias: string;
  readonly user: string;
  readonly source: string;
  readonly note: string;
  /** Whether the files of a mail go with it (P13). */
  readonly keepsAttachments: boolean;
}

interface Making {
  readonly action: IntegrationAction;
  readonly content: ActionContent;
  readonly rules: Rules;
  readonly sent: SentAlert;
  readonly fields: TemplateFields;
  readonly names: ResponderNames;
  /** The reasons for the choice of the action, one sentence each. */
  readonly remarks: readonly string[];
}

/** The alert that `content` makes of what was sent; results of templates are cut to the limits of their fields (P4). */
export function shaped(making: Making): Shaped {
  const { action, content, sent, fields } = making;
  const text = (template: string, max: number) => shortened(filled(template, fields), max);
  const alias = aliasOf(making);
  const message = text(content.message, ALERT_LIMITS.message);
  const { remarks: cut = [], ...lists } = fitting(listsOf(making));
  const { priority, remarks: ofPriority } = priorityOf(making);
  const remarks = [...(sent.alert.remarks ?? []), ...making.remarks, ...unread(making), ...ofPriority, ...cut];
  const alert: NewAlert = {
    alertId: sent.alert.alertId,
    alias: alias === '' ? sent.alert.alertId : alias,
    message: message.trim() === '' ? sent.alert.message : message,
    description: text(content.description, ALERT_LIMITS.description),
    entity: text(content.entity, ALERT_LIMITS.entity),
    priority,
    ...lists,
    ...silenced(making),
    ...(remarks.length > 0 && { remarks }),
  };
  return {
    alert,
    alias,
    user: text(action.user, ALERT_LIMITS.user),
    source: text(content.source, ALERT_LIMITS.source),
    note: text(action.note, ALERT_LIMITS.note),
    keepsAttachments: content.appendAttachments,
  };
}

/**
 * Empty where the template gives none. A blank alias, or one of which a part is no expression and always the same, would join
 * alerts that have nothing else in common (A1): instead of the latter the alert keeps the alias that it was sent with.
 */
function aliasOf({ action, sent, fields }: Making): string {
  if (invalidExpressionIn('alias', action.alias).length > 0) return sent.alias;
  const alias = shortened(filled(action.alias, fields), ALERT_LIMITS.alias);
  return alias.trim() === '' ? '' : alias;
}

/** One sentence for each template of which a part is no expression (P4). */
function unread({ action, content, rules }: Making): string[] {
  const { alias, user, note } = action;
  const { source, message, description, entity, alertActions } = content;
  const texts = { alias, user, note, source, message, description, entity, customPriority: content.customPriority };
  const common = rules.content;
  return [
    ...Object.entries(texts).flatMap(([field, template = '']) => invalidExpressionIn(field, template)),
    ...invalidExpressionIn('customPriority', common.customPriority ?? ''),
    ...alertActions.flatMap((template) => invalidExpressionIn('actions', template)),
    ...[...content.tags, ...common.tags].flatMap((template) => invalidExpressionIn('tags', template)),
    ...[...content.extraProperties, ...common.extraProperties].flatMap(([name, template]) =>
      invalidExpressionIn(`details.${shortened(name, MAX_SHOWN)}`, template),
    ),
  ];
}

function listsOf({ content, sent: { alert, teamKey }, fields, ...making }: Making): AlertLists {
  const common = making.rules.content;
  const ignoresTags = content.ignoreTags || common.ignoreTags;
  return {
    responders: teamKey ? alert.responders : respondersOf({ content, alert, ...making }),
    visibleTo: alert.visibleTo,
    actions: union(content.ignoreAlertActions ? [] : alert.actions, content.alertActions, fields),
    tags: union(ignoresTags ? [] : alert.tags, [...content.tags, ...common.tags], fields),
    details: detailsOf({ content, common, details: alert.details, fields }),
  };
}

/** Those of the payload first, so that they are kept where not all fit; a name that is there is another's no more (P1). */
function detailsOf(of: {
  readonly content: ActionContent;
  readonly common: IntegrationContent;
  readonly details: NewAlert['details'];
  readonly fields: TemplateFields;
}): NewAlert['details'] {
  const { content, common, fields } = of;
  const sent = content.ignoreExtraProperties || common.ignoreExtraProperties ? {} : of.details;
  const made = new Map(Object.entries(sent));
  for (const [name, value] of content.extraProperties) made.set(name, filled(value, fields));
  for (const [name, value] of common.extraProperties) if (!made.has(name)) made.set(name, filled(value, fields));
  return Object.fromEntries(made);
}

function union(sent: readonly string[], templates: readonly string[], fields: TemplateFields): string[] {
  const own = templates.map((template) => filled(template, fields)).filter((word) => word !== '');
  return own.length === 0 ? [...sent] : [...new Set([...sent, ...own])];
}

/** The recipients of the payload that no flag drops, then those of the action, then those of the integration (P11). */
function respondersOf(of: Pick<Making, 'content' | 'rules' | 'names'> & { alert: NewAlert }): ResponderReference[] {
  const { content, rules, names, alert } = of;
  const kept = alert.responders.filter(({ type }) => !drops(rules, type) && !drops(content, type));
  const wanted = kept.length === 0 || kept.length < alert.responders.length ? recipientsOf(rules) : [];
  const added = [...content.recipients, ...wanted].flatMap((recipient) => references(recipient, names));
  return added.length === 0 ? kept : once([...kept.map((each) => identified(each, names)), ...added]);
}

function recipientsOf({ content: { assignedTeam }, recipients }: Rules): readonly Recipient[] {
  return assignedTeam === undefined ? recipients : [{ type: 'team', target: assignedTeam }, ...recipients];
}

type Flags = Pick<ActionContent, 'ignoreRecipients' | 'ignoreTeams' | 'ignoreResponders'>;

const drops = (flags: Flags, type: ResponderReference['type']): boolean =>
  flags.ignoreResponders || (type === 'team' ? flags.ignoreTeams : flags.ignoreRecipients);

function references({ type, target }: Recipient, names: ResponderNames): ResponderReference[] {
  if (type === 'all') return names.everyone().map((id) => ({ type: 'user', id }));
  return type === 'none' || target === undefined ? [] : [{ type, id: target.id }];
}

/** By its id where that is known, so that one thing under two names is there once. */
function identified(reference: ResponderReference, names: ResponderNames): ResponderReference {
  const id = reference.id ?? names.idOf(reference.type, reference.name ?? '');
  return id === undefined ? reference : { type: reference.type, id };
}

/** The priority of the action, else of the payload, else of the integration (P1); and each `customPriority` that gave none (P4). */
function priorityOf({ action, content, rules, sent, fields }: Making): Prioritized {
  const ofAction = priorityIn(`action [${action.name}]`, content, fields);
  if (ofAction.priority !== undefined || sent.prioritized) return { priority: sent.alert.priority, ...ofAction };
  const ofRules = priorityIn(`integration [${rules.name}]`, rules.content, fields);
  const remarks = [...ofAction.remarks, ...ofRules.remarks];
  return { priority: ofRules.priority ?? sent.alert.priority, remarks };
}

interface Prioritized {
  readonly priority: Priority;
  readonly remarks: readonly string[];
}

/** A `customPriority` goes before `priority` where it comes out as one. */
function priorityIn(
  owner: string,
  { priority, customPriority }: Pick<ActionContent, 'priority' | 'customPriority'>,
  fields: TemplateFields,
): Partial<Prioritized> & Pick<Prioritized, 'remarks'> {
  if (customPriority === undefined) return { ...(priority && { priority }), remarks: [] };
  const text = filled(customPriority, fields);
  const custom = Priority.safeParse(text.trim());
  if (custom.success) return { priority: custom.data, remarks: [] };
  const remark = `customPriority of ${owner} came out as [${shortened(text, MAX_SHOWN)}], which is no priority.`;
  return { ...(priority && { priority }), remarks: [remark] };
}

/** Characters of a result that a sentence shows. */
const MAX_SHOWN = 50;

/** Stored and visible to its responders, but no user is notified (P11). */
function silenced({ rules }: Making): Pick<NewAlert, 'suppressed'> {
  return rules.suppressNotifications ? { suppressed: `Integration [${rules.name}] suppresses notifications` } : {};
}
