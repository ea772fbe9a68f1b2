import { CreateIntegrationActionBody, IntegrationActionsBody } from './resources/integration-actions.ts';
import { AuthenticateIntegrationBody, integrationBody, integrationListQuery } from './resources/integration-bodies.ts';
import { describeJsonSchemas, type ReadSchemas } from './testing/json-schemas.ts';

const texts = (count: number) => Array.from({ length: count }, () => 'a');
const map = (size: number) => Object.fromEntries(texts(size).map((value, index) => [`a${index}`, value]));
const integration = (fields: object) => ({ type: 'API', name: 'Grafana', ...fields });
const action = (fields: object) => ({ type: 'create', name: 'Create', alias: '{{alias}}', ...fields });
const filter = { type: 'match-any-condition', conditions: [{ field: 'subject', operation: 'is-empty' }] };

/** Values that a body or a query takes, and values that it refuses. */
const SCHEMAS: ReadSchemas = {
  integration: [
    integrationBody(['Homegrown']),
    [
      integration({}),
      integration({ type: 'Homegrown', enabled: 'false', ownerTeam: null, assignedTeam: {}, priority: '', url: '' }),
      integration({
        ownerTeam: { id: '', name: 'Ops' },
        customPriority: '',
        tags: texts(20),
        extraProperties: map(1_000),
      }),
      integration({
        recipients: [{ type: 'none' }, { type: 'user', username: 'a' }, { type: 'team', id: 'a' }, { type: 'team' }],
      }),
      integration({ alertActions: ['Create'], alertFilter: filter }),
      { type: 'Email', name: 'Mail', emailUsername: 'ops+db.night_1' },
      { type: 'Webhook', name: 'Hook', url: 'https://example.com/hook', headers: { 'X-Token': 'a\tb' } },
      { type: 'Webhook', name: 'Hook', url: 'HTTP://10.0.0.1:8080', headers: map(50) },
    ],
    [
      {},
      integration({ type: 'Pager' }),
      integration({ name: ' ' }),
      integration({ enabled: 'yes' }),
      integration({ ownerTeam: 'Ops' }),
      integration({ priority: 'P0' }),
      integration({ tags: texts(21) }),
      integration({ extraProperties: map(1_001) }),
      integration({ extraProperties: { a: 1 } }),
      integration({ recipients: [{ type: 'user', email: 'a' }] }),
      integration({ alertActions: ['Explode'] }),
      integration({ emailUsername: 'a@b' }),
      integration({ url: 'ftp://example.com' }),
      integration({ headers: map(51) }),
      integration({ headers: { 'a b': 'c' } }),
      integration({ headers: { a: 'b\nc' } }),
      { type: 'Email', name: 'Mail' },
      { type: 'Email', name: 'Mail', emailUsername: '' },
      { type: 'Webhook', name: 'Hook', url: null },
    ],
  ],
  'list of integrations': [
    integrationListQuery([]),
    [{}, { type: '' }, { type: 'API', teamId: 'a', teamName: 'b' }],
    [{ type: 'Pager' }],
  ],
  'type of a key': [
    AuthenticateIntegrationBody,
    [{ type: 'API' }, { type: 'Pager' }],
    [{}, { type: '' }, { type: null }],
  ],
  action: [
    CreateIntegrationActionBody,
    [
      action({}),
      action({ order: 0, filter, priority: 'P1', tags: texts(20), alertActions: texts(10), appendAttachments: null }),
      action({ filter: null, recipients: [{ type: 'all' }], ignoreTagsFromPayload: 'true' }),
    ],
    [
      { type: 'create', name: 'Create' },
      action({ alias: '' }),
      action({ alias: null }),
      action({ type: 'escalate' }),
      action({ name: '' }),
      action({ order: -1 }),
      action({ filter: { type: 'match-any-condition', conditions: [{ field: 'subject', operation: 'is' }] } }),
      action({ alertActions: texts(11) }),
    ],
  ],
  'set of actions': [
    IntegrationActionsBody,
    [
      {},
      { create: null, close: [], ignore: [{ name: 'a' }], addNote: [{ name: 'a', type: 'addNote', alias: '' }] },
      { create: [{ name: 'a', type: null }] },
    ],
    [
      { create: [{ name: 'a', type: 'close' }] },
      { create: [{}] },
      { create: { name: 'a' } },
      { create: Array.from({ length: 101 }, () => ({ name: 'a' })) },
    ],
  ],
};

describeJsonSchemas(SCHEMAS);
