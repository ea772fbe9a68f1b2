import { z } from 'zod';
import { AlertHistoryQuery, CountAlertsQuery, ExplainAlertQuery, ListAlertsQuery } from '../bodies/alert-reads.ts';
import { EvaluatePoliciesBody } from '../bodies/policy-evaluation.ts';
import { MEDIUM_BODY, resource } from '../operation.ts';
import { dataAnswer } from '../successes.ts';
import {
  Alert,
  AlertExplanation,
  AlertItem,
  AlertLog,
  AlertNote,
  AlertRecipient,
  AlertSimulation,
  HistoryPaging,
  ListPaging,
  RequestStatus,
} from './alert-answers.ts';
import { AlertIdentifierQuery } from './alert-bodies.ts';

const read = { right: 'read', domain: 'alert', owner: 'alert-processor' } as const;
const search = { right: 'read', domain: 'search', owner: 'alert-processor' } as const;
const ALERT = '/v2/alerts/{identifier}';

const ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e20';
const USER = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e21', username: 'ada@example.com' };
const CREATED = '2026-01-31T02:14:09.16Z';
const ACKNOWLEDGED = '2026-01-31T02:16:31.4Z';

const item = {
  id: ID,
  tinyId: '1791',
  alias: 'disk-db-1',
  message: 'Disk of db-1 is nearly full',
  status: 'open',
  acknowledged: true,
  isSeen: true,
  seen: true,
  tags: ['disk', 'production'],
  snoozed: false,
  count: 2,
  lastOccurredAt: '2026-01-31T02:15:40Z',
  createdAt: CREATED,
  updatedAt: ACKNOWLEDGED,
  source: '192.0.2.7',
  owner: 'ada@example.com',
  ownerTeamId: '',
  priority: 'P2',
  teams: [],
  responders: [{ type: 'user', id: USER.id }],
  integration: { id: '5f0f5b0e-8c0c-5d3b-9a52-3c9f4f6f7a10', name: 'Default API', type: 'API' },
  report: { ackTime: 142_240, acknowledgedBy: 'ada@example.com' },
};
const alert = {
  ...item,
  actions: [],
  entity: 'db-1',
  description: '94 % of /var/lib are used.',
  details: { host: 'db-1', used: '94' },
};
const list = 'https://tocsin.example.com/v2/alerts?sort=createdAt&order=desc';
const history = (kind: 'notes' | 'logs') =>
  `https://tocsin.example.com/v2/alerts/${ID}/${kind}?identifierType=id&order=desc&limit=1&direction=next`;

const OF_ALERT =
  'An alias names the open alert: that of the scope of the key first, then the newest one that the key may see. Where there is none, the answer waits up to 2 s for accepted creates with that alias.';

/** What is read of alerts (part 1, 4.1; wire facts 4). */
export const ALERTS = resource({
  'list-alerts': {
    ...search,
    method: 'GET',
    path: '/v2/alerts',
    summary: 'Lists or searches alerts',
    description:
      'Without `query` and `searchIdentifier` all alerts that the key may see. `next` is followed until it is absent.',
    query: ListAlertsQuery,
    success: {
      status: 200,
      schema: z.object({ data: z.array(AlertItem), paging: ListPaging }),
      example: {
        data: [item],
        paging: { first: `${list}&offset=0&limit=20`, last: `${list}&offset=0&limit=20` },
      },
    },
    refusals: [404],
  },
  'count-alerts': {
    ...search,
    method: 'GET',
    path: '/v2/alerts/count',
    summary: 'Counts alerts',
    description: 'Exact up to 100 000, and for every search.',
    query: CountAlertsQuery,
    success: dataAnswer(z.object({ count: z.int().min(0) }), { count: 12 }),
    refusals: [404],
  },
  'get-alert': {
    ...read,
    method: 'GET',
    path: ALERT,
    summary: 'Reads an alert',
    description: OF_ALERT,
    query: AlertIdentifierQuery,
    success: dataAnswer(Alert, alert),
    refusals: [404],
  },
  'get-request-status': {
    ...read,
    method: 'GET',
    path: '/v2/alerts/requests/{requestId}',
    summary: 'Shows the status of an accepted request',
    description:
      'Waits up to 2 s for a fresh request to settle. One that has not settled yet is 404 with the header `X-Opsgenie-Errortype: RequestNotProcessed`: ask again. Kept for 7 days unless set otherwise.',
    params: z.object({ requestId: z.uuid().meta({ description: 'The `requestId` of a 202.' }) }),
    success: dataAnswer(RequestStatus, {
      success: true,
      isSuccess: true,
      action: 'Create',
      status: 'Created alert',
      processedAt: CREATED,
      integrationId: item.integration.id,
      alertId: ID,
      alias: item.alias,
    }),
    mayBePending: true,
    refusals: [404],
  },
  'list-notes': {
    ...read,
    method: 'GET',
    path: `${ALERT}/notes`,
    summary: 'Lists the notes of an alert',
    query: AlertHistoryQuery,
    success: {
      status: 200,
      schema: z.object({ data: z.array(AlertNote), paging: HistoryPaging }),
      example: {
        data: [
          { note: 'Looking at it.', owner: 'ada@example.com', createdAt: ACKNOWLEDGED, offset: '1769825791400_1' },
        ],
        paging: { first: history('notes'), next: `${history('notes')}&offset=1769825791400_1` },
      },
    },
    refusals: [404],
  },
  'list-alert-logs': {
    ...read,
    method: 'GET',
    path: `${ALERT}/logs`,
    summary: 'Lists the log of an alert',
    description: 'The actions of users, the notifications of users, and the reasons.',
    query: AlertHistoryQuery,
    success: {
      status: 200,
      schema: z.object({ data: z.array(AlertLog), paging: HistoryPaging }),
      example: {
        data: [
          {
            log: 'Alert acknowledged via API[Default API]',
            type: 'alertAction',
            owner: 'ada@example.com',
            createdAt: ACKNOWLEDGED,
            offset: '1769825791400_0',
          },
        ],
        paging: { first: history('logs'), next: `${history('logs')}&offset=1769825791400_0` },
      },
    },
    refusals: [404],
  },
  'list-alert-recipients': {
    ...read,
    method: 'GET',
    path: `${ALERT}/recipients`,
    summary: 'Lists the users whom an alert reached',
    description: 'The users whom the alert reached, in the order in which it first did; at most 10 000.',
    query: AlertIdentifierQuery,
    success: dataAnswer(z.array(AlertRecipient), [
      { user: USER, state: 'action', method: 'Acknowledge', createdAt: CREATED, updatedAt: ACKNOWLEDGED },
    ]),
    refusals: [404],
  },
  'simulate-alert': {
    ...search,
    ...MEDIUM_BODY,
    right: 'read-configuration',
    method: 'POST',
    path: '/v2/alerts/simulate',
    summary: 'Simulates who would be notified of an alert, when and how',
    description:
      'The alert is the body of a create, after the actions of its integration, or an existing alert. The answer has what would happen ' +
      'if it were accepted now, or at `at`, and no user acted: in the present configuration, for seven days at most.',
    body: {
      schema: EvaluatePoliciesBody,
      example: { message: 'Disk full', responders: [{ type: 'team', name: 'Ops' }] },
    },
    success: dataAnswer(AlertSimulation, {
      at: CREATED,
      outcome: 'paged',
      alert: { message: 'Disk full', alias: ID, priority: 'P3' },
      messages: [
        {
          at: CREATED,
          user: USER,
          method: 'email',
          actionType: 'create-alert',
          why: 'rule 1 of escalation [Ops_escalation], on call in schedule [Ops_schedule]',
        },
      ],
      steps: [
        {
          at: CREATED,
          subject: 'routing-rule',
          outcome: 'matched',
          text: 'The default routing rule of team [Ops] chose the escalation.',
        },
      ],
      truncated: false,
    }),
    refusals: [404],
  },
  'explain-alert': {
    ...read,
    method: 'GET',
    path: `${ALERT}/explanation`,
    summary: 'Explains who was notified of an alert, and why',
    description:
      'From the records in its log: the effects of the integration and of policies, the skipped rules with the reason, who was on ' +
      'call, the rule and step by which each user was notified, and the answers of providers. With `user`, also why that user was ' +
      'not notified.',
    query: ExplainAlertQuery,
    success: dataAnswer(AlertExplanation, {
      alert: { id: ID, tinyId: '1791', message: item.message },
      users: [{ user: USER, outcome: 'notified', reason: 'The email to ada@example.com was handed over: 250 OK.' }],
      steps: [
        {
          at: CREATED,
          stage: 'route',
          subject: 'page',
          outcome: 'paged',
          text: 'Paged ada@example.com: rule 1 of escalation [Ops].',
          facts: { userId: USER.id, username: USER.username },
        },
      ],
      truncated: false,
    }),
    refusals: [404],
  },
});
