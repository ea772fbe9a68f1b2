import {
  ALERT_LIMITS,
  blankIsAbsent,
  DEFAULT_LIMIT,
  flexibleBoolean,
  given,
  listOf,
  oneOf,
  optional,
  Priority,
  requiredText,
  wholeNumber,
} from '@tocsin/events';
import { z } from 'zod';
import { ActionFilterBody, type Criteria } from '../bodies/conditions.ts';
import {
  extraProperties,
  flag,
  ignoreFlags,
  type IgnoreFlags,
  type Optional,
  recipientList,
  type RecipientReference,
  template,
  templates,
} from '../bodies/integration-fields.ts';
import {
  isRead,
  MAX_FIELD_OF_TOOL,
  type PlacedWork,
  refuseWork,
  workOfSet,
  workOfTemplate,
  workOfTemplates,
} from '../bodies/pattern-steps.ts';
import { LARGE_BODY, resource, type Rules } from '../operation.ts';
import { codedAnswer } from '../successes.ts';
import { IntegrationActions } from './integrations.ts';

/** The groups of integration actions in the order in which they are tried (P1). */
export const ACTION_GROUPS = ['ignore', 'create', 'close', 'acknowledge', 'addNote'] as const;
export type ActionGroup = (typeof ACTION_GROUPS)[number];

const fields = {
  name: requiredText('Name'),
  order: optional(wholeNumber({ min: 0, refusal: 'should be a whole number', tooSmall: 'should be at least 0' })),
  filter: optional(ActionFilterBody),
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

/** The body of an action (part 1, 2.5; wire facts 5), whose templates compile. Absent fields have their defaults. */
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
  const texts = TEXTS.flatMap((name) => workOfTemplate(action[name], [...path, name], MAX_FIELD_OF_TOOL));
  const lists = (['alertActions', 'tags', 'extraProperties'] as const).flatMap((name) =>
    workOfTemplates(action[name], [...path, name], MAX_FIELD_OF_TOOL),
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

const read = { right: 'read-configuration', domain: 'integration', owner: 'alert-ingest' } as const;
const write = {
  right: 'write-configuration',
  people: 'team-admin',
  domain: 'integration',
  owner: 'alert-ingest',
} as const;
/** Account-wide, so refused to team keys (K8). */
const accountWrite = { ...write, teamKeys: 'refused' } as const;
const ONE = '/v2/integrations/{integrationId}';

const condition = { field: 'message', operation: 'starts-with', expectedValue: 'Test' };
const body = {
  name: 'Ignore tests',
  alias: '{{alias}}',
  filter: { type: 'match-all-conditions', conditions: [condition] },
};
const filled = { user: '{{user}}', note: '{{note}}' };
const actions = {
  _parent: {
    id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e40',
    name: 'Prometheus of the databases',
    enabled: true,
    type: 'Prometheus',
  },
  ignore: [
    {
      type: 'ignore',
      name: body.name,
      order: 0,
      filter: { conditionMatchType: 'match-all-conditions', conditions: [{ not: false, ...condition }] },
      alias: body.alias,
      ...filled,
    },
  ],
  create: [
    {
      type: 'create',
      name: 'Create Alert',
      order: 0,
      filter: { conditionMatchType: 'match-all', conditions: [] },
      alias: body.alias,
      ...filled,
      source: '{{source}}',
      message: '{{message}}',
      description: '{{description}}',
      entity: '{{entity}}',
      appendAttachments: true,
      alertActions: [],
      tags: [],
      recipients: [],
      responders: [],
      extraProperties: {},
      ignoreAlertActionsFromPayload: false,
      ignoreRecipientsFromPayload: false,
      ignoreTeamsFromPayload: false,
      ignoreRespondersFromPayload: false,
      ignoreTagsFromPayload: false,
      ignoreExtraPropertiesFromPayload: false,
    },
  ],
  close: [],
  acknowledge: [],
  addNote: [],
};
const success = (status: 200 | 201) => codedAnswer(status, { data: IntegrationActions }, { data: actions });

const RULES: Rules = {
  P1: [
    'The groups of actions are tried in this order: ignore, create, close, acknowledge, addNote. The default action (create everything) is the last of its group.',
    'Actions apply to `POST /v2/alerts` and to inbound mail (P10). Where no filter matches, or that of an ignore action does, the request settles as a success that names the reason.',
    'All actions of an integration have at most 1 000 000 characters.',
    'An action that closes, acknowledges or adds a note applies to its alias; without an alias it is dropped. A note without text has the message as its text.',
    "An alert is made of the payload, then of the action, then of the integration. Texts, alias and note are those of the action's templates. The priority is the action's, else the payload's, else the integration's (`customPriority` before `priority`). Tags are those of all three. Of details with the same name the action's value is taken, else the payload's, else the integration's (`extraProperties`).",
    'A flag that ignores tags or details, of the action or of the integration, drops only those of the payload.',
    '`assignedTeam` is the first recipient of the integration (P11).',
    'Where no user has written actions, requests of tools are ignored, open, close and acknowledge by the state that their preset reads; `GET …/actions?effective=true` (of Tocsin) lists these actions.',
  ],
};

/** Which of the actions a caller asks for. */
export const ListIntegrationActionsQuery = z.object({
  effective: blankIsAbsent(flexibleBoolean).meta({
    description: 'Where no user has written actions, those that apply to requests of tools (Q3).',
  }),
});

/** Part 1, 2.5 and 4.2; P1. */
export const INTEGRATION_ACTIONS = resource('Integration actions', RULES, {
  'list-integration-actions': {
    ...read,
    method: 'GET',
    path: `${ONE}/actions`,
    summary: 'Lists the actions of an integration by group',
    description:
      'Each group in the order in which its actions are tried; of all of them the first that matches is run.',
    query: ListIntegrationActionsQuery,
    success: success(200),
    refusals: [404],
  },
  'create-integration-action': {
    ...accountWrite,
    ...LARGE_BODY,
    method: 'POST',
    path: `${ONE}/actions`,
    summary: 'Adds an action to an integration',
    description: 'Without `order` it is tried after the others of its group, but before the default action.',
    body: { schema: CreateIntegrationActionBody, example: { type: 'ignore', ...body } },
    success: success(201),
    refusals: [404],
  },
  'replace-integration-actions': {
    ...accountWrite,
    ...LARGE_BODY,
    method: 'PUT',
    path: `${ONE}/actions`,
    summary: 'Replaces all actions of an integration',
    description: 'A group that the body leaves out becomes empty; where all are, the default action is restored.',
    body: { schema: IntegrationActionsBody, example: { ignore: [body], create: [{ name: 'Create Alert' }] } },
    success: success(200),
    refusals: [404],
  },
});
