import type { ActionGroup, CreateAlertBody, IntegrationActionBody } from '@tocsin/api';
import { ALERT_LIMITS, type HookOrigin, type MailIdentity, type NewAlert } from '@tocsin/events';
import { fittingText, newAlert, PatternBudget, shortened } from '@tocsin/rules';
import { type Steps } from '@tocsin/core';
import { evaluate, type Evaluated } from '../alerts/evaluate.ts';
import type { ResponderNames, Rules } from '../alerts/sent-alert.ts';
import { actionOf, isAdvanced, type ActionGroups, type IntegrationAction } from '../integrations/action.ts';
import { type HookItem, type HookRequest, type ItemOptions, readItem } from './item.ts';
import type { Preset, State } from './preset.ts';

/** What an item of a request becomes. */
export interface EvaluatedItem {
  readonly item: HookItem;
  /** The alert before the actions apply. */
  readonly alert: NewAlert;
  readonly body: CreateAlertBody;
  readonly evaluated: Evaluated;
  /** In their order; none unless they are asked for. */
  readonly unmatched: readonly UnmatchedAction[];
  /** By which a repeat of it is known (P10), where it has one. */
  readonly identity?: MailIdentity;
  /** Absent from an alert of Tocsin about the requests of a tool. */
  readonly origin?: HookOrigin;
}

export interface ItemOrigin extends Pick<HookIntegration, 'ownerTeamId'> {
  readonly alertId: string;
  /** A full one of its own unless given. */
  readonly budget?: PatternBudget;
  /** Whether it is said why actions do not match. */
  readonly explains?: boolean | undefined;
}

/** An action that was tried before the one that matches. */
interface UnmatchedAction {
  readonly type: ActionGroup;
  readonly name: string;
  readonly reason: string;
}

/** So many times the patterns of one alert may take the patterns for all items of a request (P3). */
const BUDGETS_OF_REQUEST = 10;

/** The integration that a request of a tool came to. */
export interface HookIntegration {
  readonly id: string;
  readonly rules: Rules;
  /** The team of the integration, whose alerts go to it (K4). */
  readonly ownerTeamId: string | undefined;
}

export interface RequestOptions extends Pick<ItemOptions, 'digestOf'>, Pick<ItemOrigin, 'explains'> {
  readonly names: ResponderNames;
  /** A fresh id of an alert each time. */
  readonly newId: () => string;
}

/** Items of a request, as the preset finds them. */
export interface FoundItems {
  readonly preset: Preset;
  readonly values: readonly unknown[];
}

/**
 * What each item of a request becomes, in their order: its fields as the preset reads them, and the effect of the action that matches. In
 * steps of one item. What settles a request and what tries one use it.
 */
export function* evaluateRequest(
  { preset, values }: FoundItems,
  request: HookRequest,
  { id: integrationId, rules, ownerTeamId }: HookIntegration,
  { digestOf, names, newId, explains }: RequestOptions,
): Steps<readonly EvaluatedItem[]> {
  const whole = PatternBudget.share(BUDGETS_OF_REQUEST);
  const evaluated: EvaluatedItem[] = [];
  for (const [index, value] of values.entries()) {
    const item = readItem(preset, value, request, { integrationId, digestOf });
    const origin = { alertId: newId(), ownerTeamId, budget: new PatternBudget(undefined, whole), explains };
    const made = { ...evaluateItem(rules, item, origin, names), origin: { preset: preset.name } };
    const { messageId } = request;
    const key = messageId && digestOf([integrationId, messageId, index, item.alias, item.state].join(' '));
    evaluated.push(key === undefined ? made : { ...made, identity: { key, hasMessageId: true } });
    yield;
  }
  return evaluated;
}

/** The effect of an item by the actions of its integration, else by those of all presets. Pure. */
export function evaluateItem(rules: Rules, item: HookItem, origin: ItemOrigin, names: ResponderNames): EvaluatedItem {
  const { body, cut } = bodyOf(item);
  const { alertId, ownerTeamId, budget, explains = false } = origin;
  const made = newAlert(body, { alertId, ownerTeamId, cutExcess: true });
  const remarks = [...item.remarks, ...cut, ...(made.remarks ?? [])];
  const alert: NewAlert = remarks.length === 0 ? made : { ...made, remarks };
  const unmatched: UnmatchedAction[] = [];
  const onUnmatched = ({ type, name }: IntegrationAction, reason: string) => {
    unmatched.push({ type, name, reason });
  };
  const evaluated = evaluate(
    { ...rules, actions: actionsFor(rules) },
    {
      alert,
      alias: item.alias,
      source: body.source ?? '',
      user: item.title,
      note: body.note ?? '',
      prioritized: item.priority !== undefined,
      teamKey: ownerTeamId !== undefined,
      hook: item,
    },
    names,
    { budget, ...(explains && { onUnmatched }) },
  );
  return { item, alert, body, evaluated, unmatched };
}

/** The actions that hold for requests of tools: those of the integration, if it has any of its own. */
export function actionsFor({ actions }: Pick<Rules, 'actions'>): ActionGroups {
  return isAdvanced(actions) ? actions : PRESET_ACTIONS;
}

function bodyOf(item: HookItem) {
  const { title, alias, priority, details, tags } = item;
  const field = (name: string) => item.fields[name] ?? '';
  const text = field('text');
  const message = fittingText('message', oneLine(field('summary')) || `Alert from ${title}`, ALERT_LIMITS.message);
  const written = [text, field('link')].filter((part) => part !== '').join('\n');
  const description = fittingText('description', written, ALERT_LIMITS.description);
  const body: CreateAlertBody = {
    message: message.kept,
    ...(alias !== '' && { alias }),
    description: description.kept,
    entity: shortened(field('object'), ALERT_LIMITS.entity),
    source: shortened(field('source') || title, ALERT_LIMITS.source),
    user: title,
    // Of an alert it is the description.
    note: item.state === 'open' ? '' : shortened(text, ALERT_LIMITS.note),
    priority,
    details,
    tags,
    responders: [],
    teams: [],
    visibleTo: [],
    actions: [],
  };
  return { body, cut: [...message.cut, ...description.cut] };
}

/** What an item comes to, for those who look at it. */
export interface ItemEffect {
  readonly effect: 'create' | 'close' | 'acknowledge' | 'add-note' | 'none';
  /** Of the alert; empty where there is none. */
  readonly alias: string;
  /** The action that matched. */
  readonly action?: { readonly type: ActionGroup; readonly name: string };
  /** Why it has no effect. */
  readonly reason?: string;
}

/** What the first items of a request came to; or why it was refused. */
export type HookResult =
  | { readonly preset: string; readonly itemCount: number; readonly items: readonly ItemResult[] }
  | { readonly refusal: string };

/** An item of a request, and what it came to. */
export interface ItemResult extends ItemEffect {
  readonly requestId: string;
  readonly state?: State;
}

export function effectOf(evaluated: Evaluated): ItemEffect {
  const { kind, matchedAction: name } = evaluated;
  const by = (type: ActionGroup) => (name === undefined ? {} : { action: { type, name } });
  if (kind === 'dropped') return { effect: 'none', alias: '', ...by('ignore'), reason: evaluated.rule };
  return { effect: kind, alias: evaluated.alias, ...by(kind === 'add-note' ? 'addNote' : kind) };
}

const oneLine = (text: string): string => text.replaceAll(/\s*[\r\n]+\s*/g, ' ');

const isState = (...states: readonly (State | '')[]): NonNullable<IntegrationActionBody['filter']> => {
  const conditions = states.map((state) => ({
    field: '_state',
    not: false,
    operation: state === '' ? ('is-empty' as const) : ('equals' as const),
    expectedValue: state,
  }));
  const type = conditions.length === 1 ? 'match-all-conditions' : 'match-any-condition';
  return { set: { type, conditions }, written: { conditionMatchType: type, conditions } };
};

/** The actions for requests of tools where the integration has none of its own. A state that the preset does not know opens an alert. */
const PRESET_ACTIONS: ActionGroups = {
  ignore: [actionOf({ type: 'ignore', name: 'Ignore', filter: isState('ignore') }, [], 0)],
  create: [actionOf({ type: 'create', name: 'Open', filter: isState('open', '') }, [], 0)],
  close: [actionOf({ type: 'close', name: 'Close', filter: isState('close') }, [], 0)],
  acknowledge: [actionOf({ type: 'acknowledge', name: 'Acknowledge', filter: isState('acknowledge') }, [], 0)],
  addNote: [],
};
