import { ALERT_LIMITS, type CreateAlert, type ResponderReference, type TemplateFields } from '@tocsin/events';
import {
  filledWithin,
  fitting,
  fittingText,
  once,
  shortened,
  invalidExpressionIn,
  type Fit,
  type PatternBudget,
} from '@tocsin/rules';
import type { PolicyContext } from './policy-result.ts';
import type { Modification, PolicyRecipient } from './policy.ts';

/** A create after a modify policy, and one sentence for each part that did not fit (E8). */
export interface Modified {
  readonly command: CreateAlert;
  readonly cut: readonly string[];
}

/** The input of a modification besides the create. */
export interface Modifying {
  readonly context: PolicyContext;
  /** Whether the policy may change the alias. */
  readonly mayRename: boolean;
  /** The fields of the alert that templates read. */
  readonly fields: TemplateFields;
  /** The budget that all policies of the scope share (P3). */
  readonly budget: PatternBudget;
}

/**
 * The create after `modification`, within every limit of an alert (part 1, 2.8; E8).
 *
 * Templates see the alert as it was before (P4). A blank alias becomes the id of the alert (A1). A blank message or source leaves the
 * field as it was; an empty tag or action is left out. Details of the policy win over those of the alert with the same name. If the
 * budget does not suffice for a template, its field stays as it was, and a tag, an action or a detail is left out.
 */
export function modified(command: CreateAlert, modification: Modification, making: Modifying): Modified {
  const { alert } = command;
  const before = { ...alert, source: command.source };
  const text = (field: TemplateField) => textOf(field, before[field], modification, making);
  const texts = {
    message: text('message'),
    alias: text('alias'),
    description: text('description'),
    entity: text('entity'),
    source: text('source'),
  };
  const alias = aliasOf(alert, texts.alias.kept, making);
  const actions = wordsOf('actions', modification, making);
  const tags = wordsOf('tags', modification, making);
  const details = detailsOf(alert, modification, making);
  const responders = respondersOf(alert.responders, modification, making.context);
  const { remarks: cut = [], ...lists } = fitting({
    responders: responders.kept,
    visibleTo: alert.visibleTo,
    actions: union(modification.ignoreOriginalActions ? [] : alert.actions, actions.kept),
    tags: union(modification.ignoreOriginalTags ? [] : alert.tags, tags.kept),
    details: details?.kept ?? {},
  });
  const tooExpensive = [actions, tags, ...(details === undefined ? [] : [details])];
  return {
    command: {
      ...command,
      source: kept(texts.source.kept, command.source),
      alert: {
        ...alert,
        ...lists,
        details: details === undefined ? alert.details : lists.details,
        message: kept(texts.message.kept, alert.message),
        alias: alias.kept,
        description: texts.description.kept,
        entity: texts.entity.kept,
        priority: modification.priority ?? alert.priority,
      },
    },
    cut: [...[...Object.values(texts), alias, ...tooExpensive].flatMap((fit) => fit.cut), ...cut, ...responders.cut],
  };
}

/** The alias that the alert gets if the policy's template gives `made`. */
function aliasOf(alert: CreateAlert['alert'], made: string, { mayRename }: Modifying): Fit<string> {
  const alias = kept(made, alert.alertId);
  if (mayRename || alias === alert.alias) return { kept: alias, cut: [] };
  return { kept: alert.alias, cut: ['alias: stays as it was, it is not for this policy to change.'] };
}

function textOf(
  field: TemplateField,
  before: string,
  modification: Modification,
  { fields, budget }: Modifying,
): Fit<string> {
  const made = filledWithin(modification[field], fields, budget);
  if (made === undefined) return { kept: before, cut: [`${field}: stays as it was, its template is too expensive.`] };
  const { kept: fits, cut } = fittingText(field, made, ALERT_LIMITS[field]);
  const unread = invalidExpressionIn(field, modification[field]);
  // An alias of text alone would join alerts that have nothing else in common (A1).
  return { kept: field === 'alias' && unread.length > 0 ? before : fits, cut: [...unread, ...cut] };
}

function wordsOf(
  field: 'actions' | 'tags',
  modification: Modification,
  { fields, budget }: Modifying,
): Fit<readonly string[]> {
  const made = modification[field].map((template) => filledWithin(template, fields, budget));
  const within = made.filter((word) => word !== undefined);
  const unread = modification[field].flatMap((template) => invalidExpressionIn(field, template));
  return {
    kept: within.filter((word) => word !== ''),
    cut: [...unread, ...leftOut(field, made.length - within.length)],
  };
}

/** The sentence quotes at most this many characters of a name. */
const MAX_QUOTED = 50;

/** The steps of the budget that merging one detail takes. */
const DETAIL_STEPS = 25;

/** The details of the alert, merged; undefined if they stay as they were. */
function detailsOf(
  { details: before }: CreateAlert['alert'],
  { ignoreOriginalDetails, details }: Modification,
  { fields, budget }: Modifying,
): Fit<Readonly<Record<string, string>>> | undefined {
  if (details.length === 0 && !ignoreOriginalDetails) return undefined;
  const stay = ignoreOriginalDetails ? [] : Object.entries(before);
  if (!budget.take(DETAIL_STEPS * (stay.length + details.length)))
    return { kept: Object.fromEntries(stay), cut: leftOut('details', details.length) };
  const made = details.map(([name, value]) => [name, filledWithin(value, fields, budget)] as const);
  const within = made.filter((detail): detail is readonly [string, string] => detail[1] !== undefined);
  const unread = details.flatMap(([name, template]) =>
    invalidExpressionIn(`details.${shortened(name, MAX_QUOTED)}`, template),
  );
  return {
    kept: Object.fromEntries([...stay, ...within]),
    cut: [...unread, ...leftOut('details', made.length - within.length)],
  };
}

const leftOut = (field: string, count: number): string[] =>
  count === 0 ? [] : [`${field}: ${count} were left out, their templates are too expensive.`];

type TemplateField = 'message' | 'alias' | 'description' | 'entity' | 'source';

const kept = (made: string, before: string): string => (made.trim() === '' ? before : made);

const union = (held: readonly string[], added: readonly string[]): string[] =>
  added.length === 0 ? [...held] : [...new Set([...held, ...added])];

/** The alert's responders that stay, then the policy's, each once. Of all users it reads no more than can stay. */
function respondersOf(
  original: readonly ResponderReference[],
  { ignoreOriginalTeams, ignoreOriginalRecipients, recipients }: Modification,
  context: PolicyContext,
): Fit<ResponderReference[]> {
  const stay = original.filter(({ type }) => !(type === 'team' ? ignoreOriginalTeams : ignoreOriginalRecipients));
  const named = recipients.flatMap((recipient) => ('id' in recipient ? [referenceOf(recipient, context)] : []));
  const everyone = recipients.some(({ type }) => type === 'all') ? context.everyone() : [];
  if (named.length + everyone.length === 0) return { kept: stay, cut: [] };
  const before = once([...stay.map((reference) => identified(reference, context)), ...named]);
  const most = ALERT_LIMITS.responders + before.length;
  const kept = once([...before, ...everyone.slice(0, most).map((id) => ({ type: 'user', id }) as const)]);
  const count = kept.length + Math.max(0, everyone.length - most);
  const over = count - ALERT_LIMITS.responders;
  if (over <= 0) return { kept, cut: [] };
  return {
    kept: kept.slice(0, ALERT_LIMITS.responders),
    cut: [`responders: ${over} of ${count} items were left out.`],
  };
}

function referenceOf(
  { type, id }: Extract<PolicyRecipient, { readonly id: string }>,
  { nameOf }: PolicyContext,
): ResponderReference {
  const name = nameOf(type, id);
  return { type, id, ...(name !== undefined && { name }) };
}

/** The reference by id if that is known, so that one responder under two names counts once. Conditions see the name. */
function identified(reference: ResponderReference, { resolve }: PolicyContext): ResponderReference {
  if (reference.id !== undefined) return reference;
  const found = resolve(reference);
  return found.kind === 'known' ? { type: reference.type, id: found.id, name: found.name } : reference;
}
