import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

/** The requests are those of Terraform and the Go SDK: with the fields that these send empty, twice or for themselves. */
const system = useSystem({ EMAIL_DOMAIN: 'alerts.example.com' });
let scenario: Scenario;
let team: { readonly id: string };
let ada: string;

type Fields = Readonly<Record<string, unknown>>;
interface Created {
  readonly id: string;
  readonly apiKey: string;
}

const read = (path: string) => system.api.read<Fields>(path);
const put = (path: string, body: unknown) => system.api.expect(200, 'PUT', path, body);

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  ada = (await system.api.read<{ id: string }>(`/v2/users/${scenario.address('ada')}`)).id;
  team = await scenario.team('Ops');
});

/** As the provider creates one: then it is enabled, whatever it is. */
async function created(fields: Fields): Promise<Created & { readonly path: string }> {
  const made = await system.api.create<Created>('/v2/integrations', fields);
  const path = `/v2/integrations/${made.id}`;
  await system.api.expect(200, 'POST', `${path}/enable`, { Id: made.id });
  return { ...made, path };
}

/** The whole of what was read but for what it says is read-only, with changes: as the SDK updates. */
async function updated(path: string, changes: Fields): Promise<Fields> {
  const { _readOnly, ...data } = await read(path);
  const names = _readOnly as readonly string[];
  const sent = Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)));
  const nothing = { url: '', emailUsername: '', headers: null, addAlertDetails: null, addAlertDescription: null };
  await put(path, { ...nothing, assignedTeam: null, ownerTeam: null, ...sent, ...changes });
  return read(path);
}

describe('an API integration', () => {
  it('is made with as little as a name and a type, read, updated whole, and gone after its delete at once', async () => {
    const { path, apiKey } = await created({
      name: scenario.name('[api] {1} `x` 🔔'),
      type: 'API',
      allowWriteAccess: true,
    });
    expect(apiKey).toEqual(expect.any(String));
    const before = await read(path);
    expect(before).toMatchObject({
      name: scenario.name('[api] {1} `x` 🔔'),
      type: 'API',
      enabled: true,
      responders: [],
      allowWriteAccess: true,
      suppressNotifications: false,
      ignoreRespondersFromPayload: false,
    });
    expect(await updated(path, {})).toEqual(before);
    expect(await updated(path, { enabled: false, suppressNotifications: true })).toEqual({
      ...before,
      enabled: false,
      suppressNotifications: true,
    });
    await system.api.expect(200, 'DELETE', path);
    expect((await system.api.request('GET', path)).status).toBe(404);
  });

  it('of a team with responders keeps both, sent twice and with empty names', async () => {
    const responders = [
      { type: 'user', id: ada, name: '', username: '' },
      { type: 'team', id: team.id, name: '', username: '' },
    ];
    const { path } = await created({
      name: scenario.name('Prometheus'),
      type: 'Prometheus',
      ownerTeam: { id: team.id },
      responders,
      ignoreRespondersFromPayload: true,
    });
    const before = await read(path);
    expect(before).toMatchObject({
      ownerTeam: { id: team.id, name: scenario.name('Ops') },
      isGlobal: false,
      ignoreRespondersFromPayload: true,
      responders: [
        { type: 'user', id: ada, username: scenario.address('ada') },
        { type: 'team', id: team.id, name: scenario.name('Ops') },
      ],
    });
    expect(await updated(path, { responders, recipients: responders, Id: before['id'] })).toEqual(before);
    const { responders: none } = await updated(path, { responders: [], recipients: responders });
    expect(none).toEqual([]);
  });

  it('keeps what the description of the API says an integration may say of its alerts', async () => {
    const said = {
      priority: 'P2',
      customPriority: '{{details.priority}}',
      tags: ['a', '{{entity}}'],
      extraProperties: { 'team.name': '{{source}}' },
      assignedTeam: { id: team.id, name: scenario.name('Ops') },
      ignoreTagsFromPayload: true,
      ignoreExtraPropertiesFromPayload: true,
    };
    const { path } = await created({ name: scenario.name('Said'), type: 'Datadog', ...said });
    const before = await read(path);
    expect(before).toMatchObject(said);
    expect(await updated(path, {})).toEqual(before);
  });
});

describe('an e-mail integration', () => {
  it('is made, read and updated with its user name', async () => {
    const emailUsername = `ops.${scenario.name('x').replaceAll(/\W/g, '-')}`;
    const { path, ...made } = await created({
      name: scenario.name('Mail'),
      type: 'Email',
      emailUsername,
      responders: [],
    });
    expect(made).toMatchObject({ emailAddress: `${emailUsername}@alerts.example.com` });
    const before = await read(path);
    expect(before).toMatchObject({ emailUsername, enabled: true });
    expect(await updated(path, { emailUsername })).toEqual(before);
    const other = `${emailUsername}-2`;
    expect(await updated(path, { emailUsername: other })).toMatchObject({ emailUsername: other });
  });
});

describe('the actions of an integration', () => {
  const templates = { user: '{{user}}', note: '{{note}}', alias: '{{alias}}' };
  const condition = { field: 'extra_properties_key_prefix-TEST_KEY', not: false, operation: 'contains' };
  const filter = {
    conditionMatchType: 'match-any-condition',
    conditions: [
      { ...condition, expectedValue: 'test', order: 0 },
      { field: 'priority', not: true, operation: 'equals', expectedValue: 'P1', order: 1 },
    ],
  };
  const all = { filter: { conditionMatchType: 'match-all', conditions: [] } };

  it('are replaced as Terraform sends them, come back as they were, and are emptied by empty groups', async () => {
    const { path } = await created({ name: scenario.name('Actions'), type: 'API' });
    const action = (type: string, name: string, fields: Fields = {}) => ({ type, name, order: 1, ...fields });
    const create = action('create', 'Make', {
      ...templates,
      filter,
      source: '{{source}}',
      message: '{{message}}',
      description: '{{description}}',
      entity: '{{entity}}',
      appendAttachments: true,
      alertActions: ['Check'],
      tags: ['x'],
      extraProperties: { env: 'test' },
      customPriority: '{{message.substring(0,2)}}',
      ignoreAlertActionsFromPayload: false,
      ignoreTagsFromPayload: true,
      ignoreTeamsFromPayload: false,
      ignoreRespondersFromPayload: false,
      ignoreExtraPropertiesFromPayload: true,
      responders: [{ type: 'team', id: team.id }],
    });
    const sent = {
      Id: 'x',
      create: [create],
      close: [action('close', 'End', { ...templates, ...all })],
      acknowledge: [action('acknowledge', 'Seen', { ...templates, filter: {} })],
      addNote: [action('addNote', 'Say', { ...templates, priority: '', customPriority: '' })],
      ignore: [action('ignore', 'Drop', { filter })],
    };
    await put(`${path}/actions`, sent);
    const before = await read(`${path}/actions`);
    expect(before).toMatchObject({
      close: sent.close,
      _parent: { id: path.split('/').at(-1), type: 'API' },
      create: [{ ...create, responders: [{ type: 'team', id: team.id, name: scenario.name('Ops') }] }],
      acknowledge: [{ name: 'Seen', ...all }],
      addNote: [{ name: 'Say', ...all }],
      ignore: sent.ignore,
    });
    await put(`${path}/actions`, before);
    expect(await read(`${path}/actions`)).toEqual(before);
    await put(`${path}/actions`, { create: [], close: [], acknowledge: [], addNote: [], ignore: [] });
    expect(await read(`${path}/actions`)).toMatchObject({ create: [{ name: 'Create Alert' }], ignore: [] });
  });

  it('are added one by one as the Go SDK sends them, in the older spelling of filters', async () => {
    const { path } = await created({ name: scenario.name('Added'), type: 'API' });
    const older = {
      conditionMatchType: 'Match All Conditions',
      conditions: [{ field: 'Extra Properties', isNot: false, operation: 'Is Empty', expectedValue: '' }],
    };
    const action = { Id: 'x', type: 'close', name: 'End', alias: '{{alias}}', filter: older };
    const { body } = await system.api.expect(201, 'POST', `${path}/actions`, action);
    expect(body).toMatchObject({ code: 201, data: { close: [{ name: 'End', filter: older }] } });
  });
});
