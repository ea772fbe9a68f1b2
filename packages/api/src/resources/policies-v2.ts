import { z } from 'zod';
import { Evaluation } from '../answers/evaluations.ts';
import { Named } from '../answers/shared.ts';
import { EvaluatePoliciesBody } from '../bodies/policy-evaluation.ts';
import { type Description, LARGE_BODY, MEDIUM_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { PolicyV2 } from './policies.ts';
import { CreatePolicyV2Body, MovePolicyBody, PolicyScopeQuery, UpdatePolicyV2Body } from './policy-bodies.ts';

const read = { right: 'read-configuration', domain: 'configuration', owner: 'alert-processor' } as const;
const write = {
  right: 'write-configuration',
  people: 'team-admin',
  domain: 'configuration',
  owner: 'alert-processor',
} as const;
const V2 = '/v2/policies/{identifier}';

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e21';
const name = 'Say which host';
const body = { type: 'alert', name, message: '{{message}} on {{details.host}}', continue: true };
const created = { id, name, type: 'alert', enabled: true };
const policy = {
  ...created,
  policyDescription: '',
  message: body.message,
  continue: true,
  alias: '{{alias}}',
  entity: '{{entity}}',
  source: '{{source}}',
  ignoreOriginalDetails: false,
  ignoreOriginalTags: false,
  details: {},
  tags: [],
  description: '{{description}}',
  alertDescription: '{{description}}',
  ignoreOriginalActions: false,
  ignoreOriginalResponders: false,
  actions: [],
  responders: [],
};
const evaluation = {
  at: '2026-01-05T08:00:01Z',
  outcome: 'created',
  alert: {
    message: 'Disk full on db-1',
    alias: 'disk',
    description: '',
    entity: '',
    source: '203.0.113.7',
    priority: 'P3',
    actions: [],
    tags: [],
    details: { host: 'db-1' },
    responders: [],
    visibleTo: [],
  },
  flow: { starts: 'at-once', startsAt: '2026-01-05T08:00:01Z' },
  policies: [
    {
      id,
      name,
      type: 'alert',
      matched: true,
      changes: [{ field: 'message', from: 'Disk full', to: 'Disk full on db-1' }],
      text: '[Say which host] changed message from [Disk full] to [Disk full on db-1]',
    },
  ],
  otherPolicies: { matched: 0, notMatched: 0 },
};

const Created = Named.extend({ type: z.enum(['alert', 'notification']), enabled: z.boolean() });
const Item = Created.extend({ order: z.int().min(0).meta({ description: 'Its place in this list.' }) });

const done = (result: string) =>
  ({
    query: PolicyScopeQuery,
    success: doneAnswer(result),
    refusals: [404],
  }) satisfies Description;

const listed = (type: 'alert' | 'notification') =>
  ({
    description: 'Those of the team that `teamId` names, or of the account.',
    query: PolicyScopeQuery,
    success: dataAnswer(z.array(Item), [{ ...created, type, order: 0 }]),
    refusals: [404],
  }) satisfies Description;

const RULES: Rules = {
  P19: [
    'Evaluation, an operation of Tocsin, runs the functions that settle a create.',
    'The alert comes through the integration of the key or `integrationId` (a team key: only of its team). An existing one (`alertId`, or `identifier` with `identifierType`) is evaluated as if it were created again. Actions of integrations are not applied.',
    'The answer has the outcome of each policy, the alert as policies change it, when its flow would start, whether it would be dropped, and the open alert whose count it would raise instead; where the key may not see that alert, only that there is one.',
    'Outcomes, with the value of the condition that fails, are those of policies that the key may read, 100 at most, policies that took effect first. For the others the answer has how many matched and how many did not (`otherPolicies`).',
  ],
};

/** Wire facts 5: all policies by version 2. */
export const POLICIES_V2 = resource('Policies, version 2', RULES, {
  'create-policy-v2': {
    ...write,
    ...LARGE_BODY,
    method: 'POST',
    path: '/v2/policies',
    summary: 'Creates a global or team policy',
    description: 'It is of the team that `teamId` names, or of the account.',
    query: PolicyScopeQuery,
    body: { schema: CreatePolicyV2Body, example: body },
    success: createdAnswer(Created, created),
    refusals: [404],
  },
  'list-alert-policies-v2': {
    ...read,
    method: 'GET',
    path: '/v2/policies/alert',
    summary: 'Lists global or team alert policies',
    ...listed('alert'),
  },
  'list-notification-policies-v2': {
    ...read,
    method: 'GET',
    path: '/v2/policies/notification',
    summary: 'Lists global or team notification policies',
    ...listed('notification'),
  },
  'get-policy-v2': {
    ...read,
    method: 'GET',
    path: V2,
    summary: 'Reads a global or team policy',
    query: PolicyScopeQuery,
    success: dataAnswer(PolicyV2, policy),
    refusals: [404],
  },
  'update-policy-v2': {
    ...write,
    ...LARGE_BODY,
    method: 'PUT',
    path: V2,
    summary: 'Replaces a global or team policy',
    description: 'All of it is replaced but `enabled` where it is left out; its type can not be changed.',
    body: { schema: UpdatePolicyV2Body, example: body },
    ...done('Updated'),
  },
  'delete-policy-v2': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: V2,
    summary: 'Deletes a global or team policy',
    ...done('Deleted'),
  },
  'enable-policy-v2': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${V2}/enable`,
    summary: 'Enables a global or team policy',
    ...done('Enabled'),
  },
  'disable-policy-v2': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${V2}/disable`,
    summary: 'Disables a global or team policy',
    ...done('Disabled'),
  },
  'change-policy-order-v2': {
    ...write,
    ...SMALL_BODY,
    method: 'POST',
    path: `${V2}/change-order`,
    summary: 'Moves a global or team policy',
    description: 'A place beyond the end of its list means the last.',
    body: { schema: MovePolicyBody, example: { targetIndex: 0 } },
    ...done('Order Changed'),
  },
  'evaluate-policies': {
    ...read,
    ...MEDIUM_BODY,
    method: 'POST',
    path: '/v2/policies/evaluate',
    summary: 'Evaluates policies for an alert without a change',
    description:
      'The alert is the body of a create, or an existing alert. The answer has the effects of the create now, or at `at`; nothing is written and no user is notified.',
    body: {
      schema: EvaluatePoliciesBody,
      example: { message: 'Disk full', alias: 'disk', details: { host: 'db-1' } },
    },
    success: dataAnswer(Evaluation, evaluation),
    refusals: [404],
  },
});
