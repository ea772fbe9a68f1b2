import { ALERT_LIMITS, type CreateAlert, type ResponderReference, type TemplateFields } from '@tocsin/contracts';
import { filled, fitting, fittingText, once } from '@tocsin/rules';
import type { JudgementContext } from './judgement.ts';
import type { Modification, PolicyRecipient } from './policy.ts';

/** A create as a modify policy leaves it, and one sentence for each part that did not fit (E8). */
export interface Modified {
  readonly command: CreateAlert;
  readonly cut: readonly string[];
}

/**
 * What `modification` makes of a create, within every limit of an alert (part 1, 2.8; E8).
 *
 * Templates see the alert as it was before (P4). An alias that comes out empty is the id of the alert (A1); a message or a
 * source that does stays what it was, a tag or an action is left out. A detail of the policy goes before one of the alert under
 * the same name.
 */
export function modified(
  command: CreateAlert,
  modification: Modification,
  fields: TemplateFields,
  context: JudgementContext,
): Modified {
  const { alert } = command;
  const text = (field: TemplateField) => fittingText(field, filled(modification[field], fields), ALERT_LIMITS[field]);
  const words = (templates: readonly string[]) =>
    templates.map((template) => filled(template, fields)).filter((word) => word !== '');
  const texts = {
    message: text('message'),
    alias: text('alias'),
    description: text('description'),
    entity: text('entity'),
    source: text('source'),
  };
  const { remarks: cut = [], ...lists } = fitting({
    responders: respondersOf(alert.responders, modification, context),
    visibleTo: alert.visibleTo,
    actions: union(modification.ignoreOriginalActions ? [] : alert.actions, words(modification.actions)),
    tags: union(modification.ignoreOriginalTags ? [] : alert.tags, words(modification.tags)),
    details: Object.fromEntries([
      ...(modification.ignoreOriginalDetails ? [] : Object.entries(alert.details)),
      ...modification.details.map(([name, value]) => [name, filled(value, fields)] as const),
    ]),
  });
  return {
    command: {
      ...command,
      source: kept(texts.source.kept, command.source),
      alert: {
        ...alert,
        ...lists,
        message: kept(texts.message.kept, alert.message),
        alias: texts.alias.kept === '' ? alert.alertId : texts.alias.kept,
        description: texts.description.kept,
        entity: texts.entity.kept,
        priority: modification.priority ?? alert.priority,
      },
    },
    cut: [...Object.values(texts).flatMap((fit) => fit.cut), ...cut],
  };
}

type TemplateField = 'message' | 'alias' | 'description' | 'entity' | 'source';

const kept = (made: string, before: string): string => (made.trim() === '' ? before : made);

const union = (held: readonly string[], added: readonly string[]): string[] =>
  added.length === 0 ? [...held] : [...new Set([...held, ...added])];

/** Those of the alert that are not left out, then those of the policy, each once. */
function respondersOf(
  original: readonly ResponderReference[],
  { ignoreOriginalTeams, ignoreOriginalRecipients, recipients }: Modification,
  context: JudgementContext,
): ResponderReference[] {
  const stay = original.filter(({ type }) => !(type === 'team' ? ignoreOriginalTeams : ignoreOriginalRecipients));
  const added = recipients.flatMap((recipient) => referencesOf(recipient, context));
  return added.length === 0 ? stay : once([...stay.map((reference) => identified(reference, context)), ...added]);
}

function referencesOf(
  recipient: PolicyRecipient,
  { everyone, nameOf }: JudgementContext,
): readonly ResponderReference[] {
  if (!('id' in recipient)) return recipient.type === 'all' ? everyone().map((id) => ({ type: 'user', id })) : [];
  const { type, id } = recipient;
  const name = nameOf(type, id);
  return [{ type, id, ...(name !== undefined && { name }) }];
}

/** By its id where that is known, so that one thing under two names is there once; its name stays for conditions. */
function identified(reference: ResponderReference, { resolve }: JudgementContext): ResponderReference {
  if (reference.id !== undefined) return reference;
  const found = resolve(reference);
  return found.kind === 'known' ? { type: reference.type, id: found.id, name: found.name } : reference;
}
