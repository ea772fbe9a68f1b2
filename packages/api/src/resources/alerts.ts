import { z } from 'zod';
import { AlertHistoryQuery, CountAlertsQuery, ExplainAlertQuery, ListAlertsQuery } from '../bodies/alert-reads.ts';
import { SimulateAlertBody } from '../bodies/alert-simulation.ts';
import { MEDIUM_BODY, resource, type Rules } from '../operation.ts';
import { dataAnswer } from '../successes.ts';
import {
  Alert,
  AlertExplanation,
  AlertItem,
  AlertLog,
  AlertNextPage,
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

const RULES: Rules = {
  A8: [
    'Statuses of requests: at most 2000 reads wait at a time, 1500 of one key; others are answered at once.',
    '`REQUEST_STATUS_RETENTION_DAYS` sets how long a status can be read.',
    'The status is kept for 15 days at least, a day longer than Kafka keeps commands, so that a command that is read again settles once.',
    'A command that was accepted more than 14 days ago settles as failed and changes nothing. So does a write that reaches Kafka over a minute after its caller got 503 ([reasons](subjects/alerts.md#old-and-late-commands)).',
    'A command that could not be processed counts as failed until its dead letter is [redriven](how-to/redrive-dead-letters.md).',
  ],
  A11: [
    'Search has its own parser (`packages/rules`) and limits: 50 levels, 1.4 s. A refusal has the place, what was expected there and, for an unknown field, the known field with the most similar name.',
    'Bare words, `message:` and `description:` compare words without regard to case, several of them where they follow each other. Every other field compares the whole value as written.',
    'A description is searched up to its 501st different word. Details are found by key among the first 500, by value among all.',
    '`AND`, `OR` and `NOT` may be in lower case. Only `not` before a plain word is refused, and the refusal has the right form, because it may be a word of a text. `field in (a, b)` and `field not in (a, b)` are understood.',
    '`*` ends a word, or follows closing quotes; inside quotes it is a star.',
    'Dates are days, minutes or seconds in UTC. A field that can be null is null when it is empty.',
    'Search terms are stored with the alert ([0015](decisions/0015-search-terms-are-stored-with-the-alert.md)).',
    'Status, owner, priority, tags, entity, details, responders, words and the time of creation are found by an index, alias and source by their words, the other fields by reading the alerts that the rest of the search finds.',
    'A search is counted exactly, or refused when that takes more than 2 s.',
    'Lists, searches and counts have four database connections of their own in each process. A request that waits for one for more than 1.5 s is answered 503.',
  ],
  A16: [
    'An alias belongs to a scope, the owner team of the key that opened the alert or the account ([reasons](subjects/alerts.md#aliases)). A create raises the count only of the open alert of its own scope. Any other operation by alias, and a read, is about the open alert of its own scope, else about the newest open one that the key may see.',
    'A read by alias right after the 202 of a create finds its alert. Where no open alert that the key may see has the alias, the read waits until the commands with this alias that Kafka has by then are settled, 2 s at most, and only then is answered 404. Where no command waits, no read waits ([reasons](decisions/0086-reads-and-due-work-wait-for-accepted-commands.md)).',
    'That holds for every operation that is 404 without an alert: the alert, its recipients, notes, log, explanation and attachments, and evaluations and simulations of it. Only alerts that exist have an id or a tiny id that a caller knows, so reads by these do not wait.',
    'While Kafka is unavailable, and where 2000 reads, or 1500 of one key, already wait, the answer is 404 at once: reads do not depend on Kafka. A read by an alias that a policy gave the alert does not wait.',
  ],
  A17: [
    'States of the users whom the flow of an alert has reached:',
    '`notactive` while no message was handed over, `active` once one was (`method`: the last one), `action` once the user changed the alert under their user name (`method`: the last action, such as `Acknowledge`). This holds until the flow reaches the user again.',
    'Ids and names are those of that time.',
  ],
  A18: [
    'Simulation is an operation of Tocsin.',
    'It takes the same body as `POST /v2/policies/evaluate`, and `escalation` to try a change of one before it is saved (`id`, with `rules` and `repeat` as its PATCH takes them; a recipient who does not exist: 404). It runs the functions that settle commands, and writes nothing ([reasons](subjects/alerts.md#simulation)).',
    '`outcome` is `paged`, `no-recipient`, `dropped` or `repeated`, with the `reason` of the last three. `tocsin simulate` prints it.',
  ],
  A19: [
    "Explanation is an operation of Tocsin, made only from the records in the alert's log (`services/alert-processor/src/explain/explanation.ts`). `tocsin explain` prints it.",
    "It names the action of the integration (`matchedAction` of the command), policies, skipped routing rules with the condition that failed, escalation rules, who was on call by which rotation, override and forwarding, the user's rule and step, the provider's answer, and the actions of users.",
    'With `user` it has only the steps that led to this user; where the flow did not reach the user, it has the reason and all steps of the flow.',
    "Its steps are in the order of time, and the result of a user's page never stands before that page, although the clocks of services differ.",
    'It reads the first 2 000 entries or about 2 MB at most, then says `truncated`, and leaves the addresses of contacts out. Of a truncated log a user whom no record names has the outcome `incomplete`, not `not-paged`.',
  ],
  A21: [
    'The next page is an operation of Tocsin. Scheduling computes it from the rules that have not fired, with the users who are on call then by the present configuration; notifier has the messages that wait and the steps that start again. It is the earliest of these, and of the starts of the flow: at the end of a snooze or of the delay of a policy, and by a policy that restarts it.',
    'At a start of the flow the state is `starts`: users are paged at once, or later where the first rule has a delay. The end of a delay starts nothing where the alert is acknowledged (P16), and no start pages a user where the alert is suppressed.',
    'The state is `unknown` where a service does not answer, and while a responder, or a user or team whom a rule leads to, is still looked up because directory did not answer: once found, users may be paged at once.',
    'It holds if no user acts. A repeat that resets the recipients takes an acknowledgement back (S9), so its pages are counted too. Where a rule picks a member of a team at random, it names no user.',
    'Keys of a team are refused, because the flow may lead to rules and users of another team.',
  ],
};

/** The reads of alerts (part 1, 4.1; wire facts 4). */
export const ALERTS = resource('Reads of alerts', RULES, {
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
    params: z.object({
      requestId: z
        .string()
        .regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?::[1-9]\d{0,2})?$/i)
        .meta({ description: 'The `requestId` of a 202, or of an item of a request of a tool.' }),
    }),
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
      'if it were accepted now, or at `at`, and no user acted: in the present configuration, for seven days at most. With `escalation`, ' +
      'the escalation of that id has these rules and this repetition instead of its own.',
    body: {
      schema: SimulateAlertBody,
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
      users: [{ user: USER, outcome: 'notified', reason: 'The mail to ada@example.com was handed over: 250 OK.' }],
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
  'get-next-page': {
    ...read,
    // By the present configuration, as a simulation; an explanation has only what the log records.
    right: 'read-configuration',
    teamKeys: 'refused',
    method: 'GET',
    path: `${ALERT}/next-page`,
    summary: 'Shows when an alert next pages users, and whom',
    description: 'If no user acts, by the present configuration.',
    query: AlertIdentifierQuery,
    success: dataAnswer(AlertNextPage, {
      state: 'due',
      at: ACKNOWLEDGED,
      users: [USER],
      text: 'To ada@example.com: rule 2 of escalation [Ops].',
    }),
    refusals: [404],
  },
});
