import { type Conditions, sentConditions } from '../conditions/conditions-text.ts';
import { respondersOf, type ResponderRow, rowsOf } from '../people/responders.ts';
import { linesOf, linesText } from '../ui/lines.ts';
import { mapOfPairs, type Pair, pairsOf } from '../ui/pairs.ts';
import { type Action, type ActionGroup, bodyOf } from './actions.ts';
import type { Actions } from './queries.ts';

type CreateAction = Extract<Action, { readonly type: 'create' }>;

/** The texts of each action, with their names on the page. */
export const COMMON_TEXTS = {
  alias: 'Alias',
  user: 'User',
  note: 'Note',
} as const satisfies Partial<Record<keyof Action, string>>;

/** The texts of an alert that an action creates. */
export const ALERT_TEXTS = {
  message: 'Message',
  description: 'Description',
  source: 'Source',
  entity: 'Entity',
} as const satisfies Partial<Record<keyof CreateAction, string>>;

/** What an action can leave out of what the request says. */
export const IGNORED = {
  ignoreTagsFromPayload: 'tags',
  ignoreExtraPropertiesFromPayload: 'details',
  ignoreAlertActionsFromPayload: 'actions',
  ignoreTeamsFromPayload: 'teams',
  ignoreRecipientsFromPayload: 'other responders',
} as const satisfies Partial<Record<keyof CreateAction, string>>;

export type CommonText = keyof typeof COMMON_TEXTS;
export type AlertText = keyof typeof ALERT_TEXTS;
export type IgnoredName = keyof typeof IGNORED;

/** An action as its form has it, with the names that the API has for the fields. */
export interface ActionForm
  extends Pick<Action, 'name' | CommonText>, Pick<CreateAction, AlertText | IgnoredName | 'appendAttachments'> {
  readonly filter: Conditions;
  /** Empty where it is that of the request. */
  readonly priority: string;
  /** A template that is P1 to P5; empty where there is none. */
  readonly customPriority: string;
  /** A line for each. */
  readonly tags: string;
  /** A line for each. */
  readonly alertActions: string;
  readonly extraProperties: readonly Pair[];
  readonly responders: readonly ResponderRow[];
}

const NEW: ActionForm = {
  name: '',
  filter: {},
  alias: '{{alias}}',
  user: '{{user}}',
  note: '{{note}}',
  message: '{{message}}',
  description: '{{description}}',
  source: '{{source}}',
  entity: '{{entity}}',
  priority: '',
  customPriority: '',
  tags: '',
  alertActions: '',
  extraProperties: [],
  responders: [],
  appendAttachments: true,
  ignoreTagsFromPayload: false,
  ignoreExtraPropertiesFromPayload: false,
  ignoreAlertActionsFromPayload: false,
  ignoreTeamsFromPayload: false,
  ignoreRecipientsFromPayload: false,
};

const pick = <Source extends object, Name extends keyof Source>(source: Source, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, source[name]])) as Pick<Source, Name>;

const COMMON_NAMES = Object.keys(COMMON_TEXTS) as readonly CommonText[];
const ALERT_NAMES = [
  ...(Object.keys(ALERT_TEXTS) as readonly AlertText[]),
  ...(Object.keys(IGNORED) as readonly IgnoredName[]),
  'appendAttachments',
] as const;

/** The form of an action, or of a new one. */
export function formOf(action: Action | undefined): ActionForm {
  if (action === undefined) return NEW;
  const common = { ...NEW, ...pick(action, ['name', 'filter', ...COMMON_NAMES]) };
  if (action.type !== 'create') return common;
  return {
    ...common,
    ...pick(action, ALERT_NAMES),
    // The schema of a priority reads more than it writes.
    priority: (action.priority as string | undefined) ?? '',
    customPriority: action.customPriority ?? '',
    tags: linesText(action.tags),
    alertActions: linesText(action.alertActions),
    extraProperties: pairsOf(action.extraProperties),
    responders: rowsOf(action.responders),
  };
}

/** The action as the API takes it; `seen` is the one from which the form was filled. */
export function actionOf(
  form: ActionForm,
  type: ActionGroup,
  seen: Action | undefined,
): Readonly<Record<string, unknown>> {
  const before = seen?.type === 'create' ? seen : undefined;
  return {
    type,
    name: form.name.trim(),
    filter: sentConditions(form.filter),
    ...pick(form, COMMON_NAMES),
    ...(type === 'create' && {
      ...pick(form, ALERT_NAMES),
      ...(form.priority !== '' && { priority: form.priority }),
      ...(form.customPriority.trim() !== '' && { customPriority: form.customPriority }),
      tags: linesOf(form.tags, before?.tags),
      alertActions: linesOf(form.alertActions, before?.alertActions),
      extraProperties: mapOfPairs(form.extraProperties),
      responders: respondersOf(form.responders),
    }),
  };
}

/** An action that is changed: its group and its place in it, where a new one has the place after the last. */
export interface ActionPlace {
  readonly type: ActionGroup;
  readonly index: number;
}

/**
 * The place at which an action is now that was at `place` of `seen`: that of the same one, else of one with its name, else after the last.
 * Actions have no id.
 */
export function placeNow({ index, type }: ActionPlace, seen: Actions, now: Actions): ActionPlace {
  const before: Action | undefined = seen[type][index];
  const group: readonly Action[] = now[type];
  const same = group.findIndex((each) => JSON.stringify(each) === JSON.stringify(before));
  const found = same >= 0 ? same : group.findIndex(({ name }) => name === before?.name);
  return { type, index: found >= 0 ? found : group.length };
}

/** The body that replaces all actions of an integration with the same ones, but the one at a place by that of a form. */
export function bodyWith(form: ActionForm, { index, type }: ActionPlace, actions: Actions): object {
  const group: readonly Action[] = actions[type];
  const written = actionOf(form, type, group[index]);
  return bodyOf(actions, type, [...group.slice(0, index), written, ...group.slice(index + 1)]);
}

/** What the server refused of the action at a place, by the names of its fields. */
export function refusedOf(
  fields: Readonly<Record<string, string>>,
  { index, type }: ActionPlace,
): Readonly<Record<string, string>> {
  const start = `${type}[${index}].`;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([path, fault]) =>
      path.startsWith(start) ? [[path.slice(start.length), fault]] : [],
    ),
  );
}
