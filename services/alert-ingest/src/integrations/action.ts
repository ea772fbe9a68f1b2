import type { ActionGroup, Criteria, IntegrationActionBody } from '@tocsin/api';
import { MATCH_ALL, type Priority } from '@tocsin/events';
import { ignoreFlags, type IgnoreFlags, type Recipient } from './content.ts';

/** The effect of an integration on a create that its filter matches (part 1, 2.5). Texts are templates (P4). */
export interface IntegrationAction {
  readonly type: ActionGroup;
  readonly name: string;
  readonly order: number;
  readonly filter: Criteria;
  readonly alias: string;
  readonly user: string;
  readonly note: string;
  /** Of create actions alone. */
  readonly content: ActionContent | undefined;
}

/** The content of an alert by a create action. */
export interface ActionContent extends IgnoreFlags {
  readonly source: string;
  readonly message: string;
  readonly description: string;
  readonly entity: string;
  readonly priority: Priority | undefined;
  /** A template whose result is a priority; goes before `priority` where it is one. */
  readonly customPriority: string | undefined;
  readonly appendAttachments: boolean;
  readonly alertActions: readonly string[];
  readonly tags: readonly string[];
  readonly recipients: readonly Recipient[];
  readonly ignoreAlertActions: boolean;
  readonly ignoreTags: boolean;
  readonly ignoreExtraProperties: boolean;
  /** By name, in their order. */
  readonly extraProperties: readonly (readonly [name: string, value: string])[];
}

/** The actions of an integration, each group in the order in which it is tried (P1). */
export type ActionGroups = Readonly<Record<ActionGroup, readonly IntegrationAction[]>>;

/** The action that `body` describes, at `order` where it names none. */
export function actionOf(
  body: IntegrationActionBody,
  recipients: readonly Recipient[],
  order: number,
): IntegrationAction {
  return {
    type: body.type,
    name: body.name,
    order: body.order ?? order,
    filter: body.filter ?? EVERYTHING,
    alias: body.alias ?? '{{alias}}',
    user: body.user ?? '{{user}}',
    note: body.note ?? '{{note}}',
    content: body.type === 'create' ? contentOf(body, recipients) : undefined,
  };
}

const EVERYTHING: Criteria = { set: MATCH_ALL, written: { conditionMatchType: 'match-all', conditions: [] } };

function contentOf(body: IntegrationActionBody, recipients: readonly Recipient[]): ActionContent {
  return {
    ...textsOf(body),
    priority: body.priority,
    customPriority: body.customPriority,
    appendAttachments: body.appendAttachments ?? true,
    alertActions: body.alertActions ?? [],
    tags: body.tags ?? [],
    recipients,
    ignoreAlertActions: body.ignoreAlertActionsFromPayload ?? false,
    ...ignoreFlags(body),
    ignoreTags: body.ignoreTagsFromPayload ?? false,
    ignoreExtraProperties: body.ignoreExtraPropertiesFromPayload ?? false,
    extraProperties: Object.entries(body.extraProperties ?? {}),
  };
}

function textsOf(body: IntegrationActionBody): Pick<ActionContent, 'source' | 'message' | 'description' | 'entity'> {
  return {
    source: body.source ?? '{{source}}',
    message: body.message ?? '{{message}}',
    description: body.description ?? '{{description}}',
    entity: body.entity ?? '{{entity}}',
  };
}

/** The action of a new integration: it makes an alert of every request (P1). */
const CREATE_EVERYTHING: IntegrationAction = actionOf({ type: 'create', name: 'Create Alert' }, [], 0);

/** The actions of a new integration, and of one whose groups were all emptied. */
export const DEFAULT_ACTIONS: ActionGroups = {
  ignore: [],
  create: [CREATE_EVERYTHING],
  close: [],
  acknowledge: [],
  addNote: [],
};

/** Each group in the order in which it is tried; the default action last, whatever its order (P1). */
export function arranged(groups: ActionGroups): ActionGroups {
  const all = Object.values(groups).flat();
  if (all.length === 0) return DEFAULT_ACTIONS;
  const inOrder = (actions: readonly IntegrationAction[]) => [...actions].sort((a, b) => rank(a) - rank(b));
  return {
    ignore: inOrder(groups.ignore),
    create: inOrder(groups.create),
    close: inOrder(groups.close),
    acknowledge: inOrder(groups.acknowledge),
    addNote: inOrder(groups.addNote),
  };
}

/** Whether the groups differ from those of a new integration: `isAdvanced` (P12). */
export function isAdvanced(groups: ActionGroups): boolean {
  const all = Object.values(groups).flat();
  return all.length !== 1 || all.some((action) => !isCreateEverything(action));
}

const rank = (action: IntegrationAction): number =>
  isCreateEverything(action) ? Number.MAX_SAFE_INTEGER : action.order;

/** Recognized by what it does: clients send back what they read. */
function isCreateEverything(action: IntegrationAction): boolean {
  const plain: IntegrationAction = { ...action, order: 0, filter: EVERYTHING };
  return action.filter.set.type === 'match-all' && JSON.stringify(plain) === PLAIN;
}
const PLAIN = JSON.stringify(CREATE_EVERYTHING);
