import { CreateIntegrationActionBody, IntegrationActionsBody } from '@tocsin/contracts';
import { IntegrationActions } from '../answers/integrations.ts';
import { area } from '../description.ts';
import { codedAnswer } from '../successes.ts';

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

/** Part 1, 2.5 and 4.2; P1. */
export const INTEGRATION_ACTIONS = area({
  'list-integration-actions': {
    description:
      'Each group in the order in which its actions are tried; of all of them the first that matches is run.',
    success: success(200),
    refusals: [404],
  },
  'create-integration-action': {
    description: 'Without `order` it is tried after the others of its group, but before the default action.',
    body: { schema: CreateIntegrationActionBody, example: { type: 'ignore', ...body } },
    success: success(201),
    refusals: [404],
  },
  'replace-integration-actions': {
    description: 'A group that the body leaves out becomes empty; where all are, the default action is restored.',
    body: { schema: IntegrationActionsBody, example: { ignore: [body], create: [{ name: 'Create Alert' }] } },
    success: success(200),
    refusals: [404],
  },
});
