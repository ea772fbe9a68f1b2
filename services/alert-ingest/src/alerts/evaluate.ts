import { ACTION_GROUPS } from '@tocsin/api';
import { ALERT_LIMITS, type PathReader, type TemplateFields } from '@tocsin/events';
import {
  explainConditions,
  filled,
  firstTen,
  PatternBudget,
  shortened,
  invalidExpressionIn,
  type ConditionSubject,
  type Failure,
} from '@tocsin/rules';
import { shaped, type Shaped } from './action-content.ts';
import type { IntegrationAction } from '../integrations/action.ts';
import { hookConditions, hookTemplateFields } from '../hooks/hook-fields.ts';
import { mailConditions, mailTemplateFields } from '../mail/mail-fields.ts';
import { pathReader } from './payload.ts';
import type { ResponderNames, Rules, SentAlert } from './sent-alert.ts';

/** The effect of a create: an alert, another command to the alert of `alias`, or none, for the reason in `rule` (A8). */
export type Evaluated =
  | ({ readonly kind: 'create'; readonly matchedAction?: string } & Shaped)
  /** `matchedAction` is the one that ignores it; `hasNoAlias` says that one matches which finds no alert. */
  | { readonly kind: 'dropped'; readonly rule: string; readonly matchedAction?: string; readonly hasNoAlias?: true }
  | {
      readonly kind: 'close' | 'acknowledge' | 'add-note';
      /** The name of the action that decided. */
      readonly matchedAction: string;
      readonly alias: string;
      readonly user: string;
      readonly note: string;
    };

export interface EvaluationOptions {
  /** For patterns and long texts (P3); a full one of its own unless given. */
  readonly budget?: PatternBudget | undefined;
  /** Called for each action before the one that matches, in their order, with why it does not. */
  readonly onUnmatched?: ((action: IntegrationAction, reason: string) => void) | undefined;
}

/**
 * The result of the actions of an integration for a create. The groups are tried in order, and the first action whose filter holds
 * decides alone (P1). Pure, and fit for every request: filters and templates are compiled once.
 */
export function evaluate(
  rules: Rules,
  sent: SentAlert,
  names: ResponderNames,
  options: EvaluationOptions = {},
): Evaluated {
  const payload = pathReader(sent.payload);
  const subject = subjectOf(sent, payload, names);
  const { action, remarks } = matching(rules, subject, options);
  if (action === undefined)
    return { kind: 'dropped', rule: [`No action of integration [${rules.name}] matches.`, ...remarks].join(' ') };
  if (action.type === 'ignore')
    return {
      kind: 'dropped',
      rule: `Ignored by action [${action.name}] of integration [${rules.name}].`,
      matchedAction: action.name,
    };
  const fields = fieldsOf(sent, payload, names);
  if (action.content !== undefined)
    return {
      kind: 'create',
      matchedAction: action.name,
      ...shaped({ action, content: action.content, rules, sent, fields, names, remarks }),
    };
  const text = (template: string, max: number) => shortened(filled(template, fields), max);
  const alias = text(action.alias, ALERT_LIMITS.alias);
  const unread = invalidExpressionIn('alias', action.alias);
  if (alias === '' || unread.length > 0)
    return {
      kind: 'dropped',
      rule: [`Action [${action.name}] of integration [${rules.name}] found no alias.`, ...unread].join(' '),
      hasNoAlias: true,
    };
  const user = text(action.user, ALERT_LIMITS.user);
  const note = text(action.note, ALERT_LIMITS.note);
  const order = { matchedAction: action.name, alias, user };
  if (action.type === 'addNote') return { kind: 'add-note', ...order, note: note === '' ? sent.alert.message : note };
  return { kind: action.type === 'close' ? 'close' : 'acknowledge', ...order, note };
}

interface Matching {
  readonly action: IntegrationAction | undefined;
  /** The actions before it whose filters were too expensive to evaluate. */
  readonly remarks: readonly string[];
}

function matching(
  { actions }: Rules,
  subject: ConditionSubject,
  { budget = new PatternBudget(), onUnmatched }: EvaluationOptions,
): Matching {
  const unknown: string[] = [];
  for (const group of ACTION_GROUPS)
    for (const action of actions[group]) {
      const { result, failure } = explainConditions(action.filter.set)(subject, budget);
      if (result === 'holds') return { action, remarks: tooExpensive(unknown) };
      if (result === 'too-expensive') unknown.push(action.name);
      onUnmatched?.(action, result === 'fails' ? reasonOf(failure(subject)) : 'its filter is too expensive');
    }
  return { action: undefined, remarks: tooExpensive(unknown) };
}

/** Such as `_state equals [close], but it is [open]`. */
function reasonOf(failure: Failure | undefined): string {
  if (failure === undefined) return '';
  const { condition, expected, met } = failure;
  const wanted = expected === undefined ? condition : condition.replace('[…]', () => `[${expected}]`);
  return met === undefined ? wanted : `${wanted}, but it is [${met}]`;
}

function tooExpensive(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const listed = firstTen(names, (name) => `[${shortened(name, 100)}]`);
  return [`Filters not evaluated, too expensive: ${listed.join(', ')}.`];
}

/** The fields of an alert that conditions and templates know by the same names. */
function contentOf({ alert, alias, source }: SentAlert) {
  const { message, description, entity, priority, tags, actions, details } = alert;
  return { message, alias, description, source, entity, priority, tags, actions, details };
}

function subjectOf(sent: SentAlert, payload: PathReader, names: ResponderNames): ConditionSubject {
  const { alert, mail, hook } = sent;
  const teams: string[] = [];
  const recipients: string[] = [];
  for (const { type, id, name } of alert.responders) {
    const known = [id ?? names.idOf(type, name ?? ''), name ?? names.nameOf(type, id ?? '')];
    (type === 'team' ? teams : recipients).push(...known.filter((text) => text !== undefined));
  }
  return {
    _payload: payload,
    ...(hook !== undefined && hookConditions(hook)),
    ...contentOf(sent),
    'extra-properties': alert.details,
    teams,
    recipients,
    responders: [...recipients, ...teams],
    ...(mail !== undefined && mailConditions(mail)),
  };
}

function fieldsOf(sent: SentAlert, payload: PathReader, names: ResponderNames): TemplateFields {
  const { alert, user, note, mail, hook } = sent;
  const teams: string[] = [];
  const recipients: string[] = [];
  // Templates write for readers: one text for each responder (P4).
  for (const { type, id, name } of alert.responders) {
    const shown = name ?? names.nameOf(type, id ?? '') ?? id;
    if (shown !== undefined) (type === 'team' ? teams : recipients).push(shown);
  }
  return {
    _payload: payload,
    ...(hook !== undefined && hookTemplateFields(hook)),
    ...contentOf(sent),
    user,
    note,
    extraProperties: alert.details,
    extra_properties: alert.details,
    teams,
    recipients,
    responders: [...recipients, ...teams],
    ...(mail !== undefined && mailTemplateFields(mail)),
  };
}
