import { conditionsText, matchTypeOf } from '../conditions/conditions-text.ts';
import { priorityText, recipientText } from './integration.ts';
import type { Actions } from './queries.ts';

/** The groups in the order in which they are tried (P1). */
export const GROUPS = ['ignore', 'create', 'close', 'acknowledge', 'addNote'] as const;
export type ActionGroup = (typeof GROUPS)[number];
export type Action = Actions[ActionGroup][number];

/** An action at its place in its group. */
export interface PlacedAction {
  readonly action: Action;
  readonly index: number;
  /** Whether it makes an alert of all that no other action takes: it is the last of its group, whatever its order (P1). */
  readonly isDefault: boolean;
}

/** All actions in the order in which they are tried. */
export const inOrder = (actions: Actions): readonly PlacedAction[] =>
  GROUPS.flatMap((group) =>
    actions[group].map((action: Action, index) => ({ action, index, isDefault: isDefault(action) })),
  );

const templateOf = (field: string): string => `{{${field}}}`;
const isOwn = (text: string, field: string): boolean => text !== templateOf(field);

function isDefault(action: Action): boolean {
  const isPlain = !(['alias', 'user', 'note'] as const).some((field) => isOwn(action[field], field));
  const isForAll = action.type === 'create' && matchTypeOf(action.filter) === 'match-all';
  return isForAll && isPlain && action.name === 'Create Alert' && contentTexts(action).length === 0;
}

/** What an action does, in a sentence. `of` is what the integration takes. */
export function actionText(action: Action, of: 'request' | 'mail'): string {
  const those = conditionsText(action.filter, of);
  const target = `the alert whose alias is “${action.alias}”`;
  switch (action.type) {
    case 'ignore':
      return `Ignores ${those}.`;
    case 'create':
      return `Creates an alert of ${those}.`;
    case 'close':
      return `Closes ${target}, for ${those}.`;
    case 'acknowledge':
      return `Acknowledges ${target}, for ${those}.`;
    case 'addNote':
      return `Adds the note “${action.note}” to ${target}, for ${those}.`;
  }
}

/** What an action makes other than the request says, a phrase each. */
export function contentTexts(action: Action): readonly string[] {
  if (action.type !== 'create') return [];
  const priority = priorityText(action);
  const ignored = [
    ...(action.ignoreRespondersFromPayload
      ? ['responders']
      : [
          ...(action.ignoreRecipientsFromPayload ? ['recipients'] : []),
          ...(action.ignoreTeamsFromPayload ? ['teams'] : []),
        ]),
    ...(action.ignoreTagsFromPayload ? ['tags'] : []),
    ...(action.ignoreExtraPropertiesFromPayload ? ['details'] : []),
    ...(action.ignoreAlertActionsFromPayload ? ['actions'] : []),
  ];
  const details = Object.entries(action.extraProperties).map(([name, value]) => `${name} = ${value}`);
  return [
    ...TEXTS.filter((field) => isOwn(action[field], field)).map((field) => `${field}: “${action[field]}”`),
    ...(priority === undefined ? [] : [`priority: ${priority}`]),
    ...listText('further tags', action.tags),
    ...listText('further details', details),
    ...listText('further actions', action.alertActions),
    ...listText('also to', action.recipients.map(recipientText)),
    ...listText('left out', ignored),
    ...(action.appendAttachments ? [] : ['without the files of a mail']),
  ];
}

const TEXTS = ['message', 'alias', 'description', 'source', 'entity'] as const;

const listText = (name: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [`${name}: ${items.join(', ')}`];

type Groups<Each = Action> = Readonly<Record<ActionGroup, readonly Each[]>>;

/** The body that replaces all actions of an integration with the same ones, those of a group changed. */
export function bodyOf<Each extends object>(
  actions: Actions,
  group: ActionGroup,
  changed: readonly Each[],
): Groups<Action | Each> {
  const groups = Object.fromEntries(GROUPS.map((each) => [each, actions[each]])) as unknown as Groups;
  return { ...groups, [group]: changed.map((action, order) => ({ ...action, order })) };
}

/** The body that moves an action within its group, by as many places. */
export function movedBody(actions: Actions, group: ActionGroup, index: number, by: -1 | 1): Groups {
  const moved: Action[] = [...actions[group]];
  moved.splice(index + by, 0, ...moved.splice(index, 1));
  return bodyOf(actions, group, moved);
}

/** The body that leaves an action out. */
export const bodyWithout = (actions: Actions, group: ActionGroup, index: number): Groups =>
  bodyOf(
    actions,
    group,
    actions[group].filter((_: Action, at) => at !== index),
  );

/** What another person changed of the actions, a sentence each group. */
export function actionChanges(before: Actions, now: Actions): readonly string[] {
  return GROUPS.filter((group) => JSON.stringify(before[group]) !== JSON.stringify(now[group])).map((group) => {
    const names = now[group].map(({ name }: Action) => name).join(', ');
    return `Actions that ${GROUP_VERBS[group]}: ${names === '' ? 'none now' : `now ${names}`}.`;
  });
}

/** What the actions of each group do, after “that”. */
export const GROUP_VERBS: Readonly<Record<ActionGroup, string>> = {
  ignore: 'ignore',
  create: 'create alerts',
  close: 'close alerts',
  acknowledge: 'acknowledge alerts',
  addNote: 'add notes',
};
