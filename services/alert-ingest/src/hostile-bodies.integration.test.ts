import { beforeAll, describe, expect, it } from '@jest/globals';
import { matchOperation, OPERATIONS } from '@tocsin/api';
import { AlertCommand, ALERT_LIMITS, codePoints } from '@tocsin/events';
import { hostileBody, nested } from '@tocsin/testkit';
import fc from 'fast-check';
import { created, openFurnishedService } from './testing/integrations-fixture.ts';
import { ACCOUNT, type TestService } from './testing/app-fixture.ts';

/** How often each write is tried. */
const TRIES = 40;

/** A write with a body that is in order. */
interface Write {
  readonly method: 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly body: object;
}

const responders = [
  { type: 'team', id: 'team-1', name: 'Ops' },
  { type: 'user', username: 'ada@example.com' },
  { type: 'all' },
];
const filter = {
  conditionMatchType: 'Match Any Condition',
  conditions: [
    { field: 'message', isNot: true, operation: 'Matches', expectedValue: '(a|b)+c', order: 1 },
    { field: 'extra-properties', key: 'load', not: false, operation: 'greater-than', expectedValue: '5' },
  ],
};
const flags = Object.fromEntries(
  ['Recipients', 'Teams', 'Responders', 'Tags', 'ExtraProperties'].map((what) => [`ignore${what}FromPayload`, true]),
);
const content = {
  priority: 'P2',
  customPriority: '{{details.p}}',
  tags: ['{{entity}}'],
  extraProperties: { a: '{{source}}' },
  ...flags,
  responders,
};
const integration = {
  type: 'API',
  name: 'Hostile',
  enabled: true,
  ownerTeam: { name: 'Ops' },
  assignedTeam: { id: 'team-1' },
  ...content,
  allowReadAccess: true,
  allowWriteAccess: true,
  allowConfigurationAccess: 'true',
  suppressNotifications: false,
  keepSamples: true,
  sendAlertActions: true,
  alertActions: ['Create'],
  alertFilter: filter,
  emailUsername: 'ops',
  url: 'https://example.com/',
  headers: { 'X-A': 'b' },
  addAlertDetails: true,
  addAlertDescription: false,
};
const end = { name: 'End', alias: '{{alias}}', order: 1, user: '{{user}}', note: '{{note}}', filter };
const make = {
  ...end,
  name: 'Make',
  source: '{{source}}',
  message: '{{message.toUpperCase()}}',
  description: '{{tags}}',
  ...content,
  entity: '{{details.host}}',
  appendAttachments: false,
  alertActions: ['{{source}}'],
  ignoreAlertActionsFromPayload: false,
};
const alert = {
  message: 'm',
  alias: 'a',
  description: 'd',
  entity: 'e',
  source: 's',
  priority: 'P1',
  user: 'u',
  note: 'n',
  responders: responders.slice(0, 2),
  teams: [{ name: 'Ops' }],
  visibleTo: [{ type: 'team', id: 'team-2' }],
  actions: ['x'],
  tags: ['t'],
  details: { load: '7', host: 'db-1' },
};
const actor = { user: 'u', source: 's', note: 'n' };
/** The fields of each command besides its actor. */
const ORDERS: Readonly<Record<string, object>> = {
  acknowledge: {},
  unacknowledge: {},
  close: {},
  notes: {},
  'actions/Ping': {},
  snooze: { endTime: '2026-01-02T00:00:00Z' },
  escalate: { escalation: { name: 'E' } },
  assign: { owner: { username: 'ada@example.com' } },
  responders: { responder: responders[0] },
  teams: { team: { name: 'Ops' } },
  tags: { tags: ['t'] },
  details: { details: { a: 'b' } },
};
/** The fields that removals read from a body where their query lacks them (E5). */
const REMOVALS: Readonly<Record<string, object>> = {
  '/v2/alerts/a': {},
  '/v2/alerts/a/tags': { tags: ['t'] },
  '/v2/alerts/a/details': { keys: ['a'] },
};
const CHANGES: Readonly<Record<string, object>> = {
  message: { message: 'm' },
  description: { description: 'd' },
  priority: { priority: 'P1' },
};

let service: TestService;
let id: string;
let writes: readonly Write[];

beforeAll(async () => {
  service = await openFurnishedService();
  id = (await created(service, { name: 'Kept' })).id;
  const { id: judging } = await created(service, { name: 'Judging' });
  const of = '/v2/alerts/a';
  const switches = ['enable', 'disable'].map((verb) => `/v2/integrations/${id}/${verb}`);
  const asking = [...switches, '/v2/integrations/authenticate'];
  writes = [
    { method: 'post', path: '/v2/alerts', body: alert },
    ...Object.entries(ORDERS).map(([verb, asked]): Write => {
      return { method: 'post', path: `${of}/${verb}`, body: { ...actor, ...asked } };
    }),
    ...Object.entries(CHANGES).map(([what, asked]): Write => {
      return { method: 'put', path: `${of}/${what}`, body: { ...actor, ...asked } };
    }),
    ...Object.entries(REMOVALS).map(([path, asked]): Write => ({
      method: 'delete',
      path,
      body: { ...actor, ...asked },
    })),
    { method: 'post', path: '/v2/integrations', body: integration },
    { method: 'put', path: `/v2/integrations/${id}`, body: { ...integration, name: 'Kept' } },
    ...(['post', 'put', 'patch'] as const).flatMap((method) =>
      asking.map((path): Write => ({ method, path, body: { type: 'API' } })),
    ),
    { method: 'post', path: `/v2/integrations/${id}/rotate-key`, body: {} },
    { method: 'post', path: `/v2/integrations/${judging}/actions`, body: { ...make, type: 'create' } },
    {
      method: 'put',
      path: `/v2/integrations/${id}/actions`,
      body: { ignore: [end], create: [make], close: [end], acknowledge: [end], addNote: [end] },
    },
    {
      method: 'post',
      path: `/v2/integrations/${id}/try`,
      body: {
        payload: { message: 'm', tags: ['t'] },
        headers: { a: 'b' },
        query: { a: 'b' },
        actions: { close: [end] },
      },
    },
    {
      method: 'put',
      path: '/v2/imports/integrations/4f8fad5b-d9cb-469f-a165-70867728950e',
      body: { ...integration, name: 'Imported', actions: { create: [make], close: [end] } },
    },
    { method: 'put', path: `/v2/imports/keys/${id}`, body: { apiKey: '5f8fad5b-d9cb-469f-a165-70867728950e' } },
    ...HOOKS,
  ];
});

/** A body that is no object at all is for `@tocsin/http` to judge. */
const hostile = (body: object) => hostileBody(body).filter((sent) => typeof sent === 'object' && sent !== null);

/** A request that the preset `alertmanager` reads, of two items. */
const sentByTool = {
  version: '4',
  groupKey: '{}',
  receiver: 'tocsin',
  status: 'firing',
  alerts: ['firing', 'resolved'].map((status) => ({
    status,
    labels: { alertname: 'DiskFull', severity: 'critical' },
    annotations: { summary: 'Disk full' },
    fingerprint: 'f1',
  })),
};

const event = {
  event_action: 'resolve',
  dedup_key: 'disk',
  payload: { summary: 'Disk full', source: 'db-1', severity: 'info', custom_details: { free: '2 %' } },
};

/** The requests of tools. They have no fields to refuse but those of an event (Q7): any JSON within the bounds is taken (Q1). */
const HOOKS: readonly Write[] = [
  ...(['post', 'put'] as const).flatMap((method) =>
    ['/hooks/-', '/hooks/-/alertmanager'].map((path): Write => ({ method, path, body: sentByTool })),
  ),
  { method: 'post', path: '/v1/json/prometheus', body: sentByTool },
  { method: 'post', path: '/v2/enqueue', body: event },
];

const UNDERSTOOD = [200, 201, 202];
const REFUSED = [400, 404, 409, 413, 422];
const ANSWERS_TO_TOOLS = [200, 202, 400, 413, 422];

/** What is published of a request that is refused: of a tool's an alert that says so (Q4), else nothing. */
const publishedIfRefused = (write: Write): readonly object[] =>
  HOOKS.includes(write)
    ? [{ kind: 'create', identifier: { value: expect.stringMatching(/^webhook:[^:]+:(unreadable|too-large)$/) } }]
    : [];

async function tryOut(write: Write, sent: unknown): Promise<void> {
  const publishedBefore = service.publisher.published.length;
  const { status, body } = await service.call(write.method, write.path, sent as object);
  expect(HOOKS.includes(write) ? ANSWERS_TO_TOOLS : [...UNDERSTOOD, ...REFUSED]).toContain(status);
  if (!UNDERSTOOD.includes(status)) {
    expect(typeof body['message']).toBe('string');
    const published = service.publisher.published.slice(publishedBefore).map(({ message }) => message);
    expect(published).toMatchObject(publishedIfRefused(write));
    const { errors = {} } = body as { errors?: Readonly<Record<string, unknown>> };
    expect(Object.values(errors).filter((reason) => typeof reason !== 'string')).toEqual([]);
  }
}

/** With any actions of the integration, an alert through it becomes a command within every limit. */
async function judged(integrationId: string): Promise<void> {
  const { status } = await service.call('post', '/v2/alerts', alert, { ...ACCOUNT, integrationId });
  expect(status).toBe(202);
  const command = AlertCommand.parse(service.publisher.published.at(-1)?.message);
  if (command.kind !== 'create') return;
  expect(codePoints(command.alert.message)).toBeLessThanOrEqual(ALERT_LIMITS.message);
  expect(command.alert.tags.length).toBeLessThanOrEqual(ALERT_LIMITS.tags);
  expect(command.alert.responders.length).toBeLessThanOrEqual(ALERT_LIMITS.responders);
}

/** The answer to a GET can be written back and changes nothing (E10). */
async function writtenBack(path: string): Promise<void> {
  const read = async () => (await service.call('get', path)).body['data'] as object;
  const before = await read();
  expect([path, (await service.call('put', path, before)).status]).toEqual([path, 200]);
  expect(await read()).toEqual(before);
}

describe('whatever stands in a body', () => {
  it('is understood or refused by its field, and of what is refused nothing is published but the alert about a tool', async () => {
    for (const write of writes)
      await fc.assert(
        fc.asyncProperty(hostile(write.body), (sent) => tryOut(write, sent)),
        { numRuns: TRIES },
      );
    for (const command of service.publisher.published) AlertCommand.parse(command.message);
  });

  it('of an integration and its actions leaves one whose alerts are in order, and which can be written back', async () => {
    for (const write of writes.filter(({ path }) => /^\/v2\/integrations\/[^/]+(\/actions)?$/.test(path)))
      await fc.assert(
        fc.asyncProperty(hostile(write.body), async (sent) => {
          const { status } = await service.call(write.method, write.path, sent);
          if (!UNDERSTOOD.includes(status)) return;
          const [, , , integrationId = ''] = write.path.split('/');
          if (integrationId === 'authenticate') return;
          await judged(integrationId);
          await writtenBack(`/v2/integrations/${integrationId}`);
          await writtenBack(`/v2/integrations/${integrationId}/actions`);
        }),
        { numRuns: TRIES },
      );
  });

  it('is refused however deep it goes', async () => {
    for (const { method, path, body } of writes.filter((write) => !/(able|rotate-key)$/.test(write.path)))
      for (const field of Object.keys(body).slice(0, 3))
        expect((await service.call(method, path, { [field]: nested(1_000) })).status).toBe(
          path === '/v2/enqueue' ? 400 : 422,
        );
  });

  it('is tried for every operation that takes a body', () => {
    const taking = OPERATIONS.filter(
      ({ owner, method, path }) =>
        owner === 'alert-ingest' && (method === 'DELETE' ? path.startsWith('/v2/alerts') : method !== 'GET'),
    );
    const tried = writes.map(({ method, path }) => {
      const match = matchOperation(method.toUpperCase(), path);
      return match.outcome === 'matched' ? match.operation.id : path;
    });
    expect(tried.toSorted()).toEqual(taking.map(({ id: operation }) => operation).toSorted());
  });
});
