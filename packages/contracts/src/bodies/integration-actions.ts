import { z } from 'zod';
import { given } from '../described.ts';
import { blankIsAbsent, DEFAULT_LIMIT, listOf, oneOf, optional, Priority, requiredText } from '../primitives.ts';
import { wholeNumber } from '../whole-numbers.ts';
import { ALERT_LIMITS } from './alert-fields.ts';
import { FilterBody, type Criteria } from './conditions.ts';
import {
  extraProperties,
  flag,
  ignoreFlags,
  recipientList,
  template,
  templates,
  type IgnoreFlags,
  type Optional,
  type RecipientReference,
} from './integration-fields.ts';
import { workOfSet, workOfTemplate, workOfTemplates, isRead, refuseWork, type PlacedWork } from './pattern-steps.ts';

/** The groups of integration actions in the order in which they are tried (P1). */
export const ACTION_GROUPS = ['ignore', 'create', 'close', 'acknowledge', 'addNote'] as const;
export type ActionGroup = (typeof ACTION_GROUPS)[number];

const fields = {
  name: requiredText('Name'),
  order: optional(wholeNumber({ min: 0, refusal: 'should be a whole number', tooSmall: 'should be at least 0' })),
  filter: optional(FilterBody),
  alias: template(ALERT_LIMITS.alias),
  user: template(ALERT_LIMITS.user),
  note: template(ALERT_LIMITS.note),
  source: template(ALERT_LIMITS.source),
  message: template(DEFAULT_LIMIT),
  description: template(ALERT_LIMITS.description),
  entity: template(ALERT_LIMITS.entity),
  priority: blankIsAbsent(Priority),
  customPriority: template(DEFAULT_LIMIT),
  appendAttachments: flag,
  alertActions: templates(ALERT_LIMITS.actionLength, ALERT_LIMITS.actions),
  tags: templates(DEFAULT_LIMIT, ALERT_LIMITS.tags),
  recipients: recipientList(),
  responders: recipientList(),
  ignoreAlertActionsFromPayload: flag,
  ...ignoreFlags,
  extraProperties,
};

/** What a caller asked an action to do (part 1, 2.5; wire facts 5); templates compile. Absent fields are left to their defaults. */
export interface IntegrationActionBody extends Optional<
  IgnoreFlags & {
    order: number;
    filter: Criteria;
    alias: string;
    user: string;
    note: string;
    source: string;
    message: string;
    description: string;
    entity: string;
    priority: Priority;
    customPriority: string;
    appendAttachments: boolean;
    alertActions: readonly string[];
    tags: readonly string[];
    recipients: readonly RecipientReference[];
    responders: readonly RecipientReference[];
    ignoreAlertActionsFromPayload: boolean;
    extraProperties: Readonly<Record<string, string>>;
  }
> {
  readonly type: ActionGroup;
  readonly name: string;
}

/** The body by which one action is added; its `alias` is required (part 1, 4.2; P2). */
export const CreateIntegrationActionBody: z.ZodType<IntegrationActionBody> = z
  .object({ ...fields, type: oneOf(ACTION_GROUPS) }, 'should be a JSON object')
  .refine(({ alias }) => alias !== undefined, { path: ['alias'], message: 'Alias can not be empty.' })
  .superRefine((action, context) => {
    if (isRead(context)) refuseWork(workOfActions([[action, []]]), context);
  })
  .meta({ allOf: [given('alias')] });

const TEXTS = ['alias', 'user', 'note', 'source', 'message', 'description', 'entity', 'customPriority'] as const;

/** The patterns of actions, each with its path: first those of all filters, which an alert meets together, then templates. */
function workOfActions(actions: readonly (readonly [Omit<IntegrationActionBody, 'type'>, PlacedWork['path']])[]) {
  const filters = actions.flatMap(([{ filter }, path]) => (filter ? workOfSet(filter.set, [...path, 'filter']) : []));
  return [...filters, ...actions.flatMap(([action, path]) => workOfTexts(action, path))];
}

function workOfTexts(action: Omit<IntegrationActionBody, 'type'>, path: PlacedWork['path']): PlacedWork[] {
  const texts = TEXTS.flatMap((name) => workOfTemplate(action[name], [...path, name]));
  const lists = (['alertActions', 'tags', 'extraProperties'] as const).flatMap((name) =>
    workOfTemplates(action[name], [...path, name]),
  );
  return [...texts, ...lists].map((placed) => ({ ...placed, alternative: path.join('.') }));
}

/** An integration has at most this many actions in a group. */
export const MAX_ACTIONS = 100;

const group = (type: ActionGroup) =>
  optional(
    listOf(
      z
        .object(
          { ...fields, type: optional(oneOf(ACTION_GROUPS)).meta({ enum: [type, null] }) },
          'should be an object with name',
        )
        .refine((action) => action.type === undefined || action.type === type, {
          path: ['type'],
          message: `should be ${type}, as the group`,
        })
        .transform((action): IntegrationActionBody => ({ ...action, type })),
      MAX_ACTIONS,
    ),
  ).transform((actions): readonly IntegrationActionBody[] => actions ?? []);

/**
 * The body that replaces all actions of an integration; a group that is left out is empty (wire facts 5). The patterns of all
 * of them count together (P3).
 */
export const IntegrationActionsBody: z.ZodType<IntegrationActionsBody> = z
  .object(
    {
      ignore: group('ignore'),
      create: group('create'),
      close: group('close'),
      acknowledge: group('acknowledge'),
      addNote: group('addNote'),
    },
    'should be a JSON object',
  )
  .superRefine((groups, context) => {
    if (!isRead(context)) return;
    const actions = ACTION_GROUPS.flatMap((type) =>
      groups[type].map((action, index) => [action, [type, index]] as const),
    );
    refuseWork(workOfActions(actions), context);
  });
export type IntegrationActionsBody = Readonly<Record<ActionGroup, readonly IntegrationActionBody[]>>;
