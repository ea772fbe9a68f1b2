import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { changesBetween, createBody, faultsOf, formOf, newForm, refusedFields, replacementBody } from './form.ts';
import type { Integration } from './queries.ts';

const team = { id: 'web', name: 'Web' };
const responders = [
  { type: 'team', ...team },
  { type: 'user', id: 'u1', username: 'ada@example.com' },
] as const;
const integration: Integration = {
  id: '1',
  name: 'Scripts',
  type: 'API',
  enabled: true,
  ownerTeam: team,
  behavesAs: 'api',
  isGlobal: false,
  isAdvanced: false,
  _readOnly: ['behavesAs', 'isAdvanced', 'isGlobal'],
  allowReadAccess: true,
  allowWriteAccess: true,
  allowConfigurationAccess: false,
  suppressNotifications: false,
  keepSamples: true,
  tags: ['shop'],
  extraProperties: { region: 'eu' },
  recipients: responders,
  responders,
  ignoreRecipientsFromPayload: false,
  ignoreTeamsFromPayload: false,
  ignoreRespondersFromPayload: false,
  ignoreTagsFromPayload: true,
  ignoreExtraPropertiesFromPayload: false,
  sendAlertActions: false,
  alertActions: [],
  alertFilter: { conditionMatchType: 'match-all', conditions: [] },
};

describe('the body of a new integration', () => {
  test('It belongs to the team, to which its alerts go.', () => {
    expect(createBody({ ...newForm('web'), name: ' Scripts ', mayConfigure: 'yes' })).toEqual({
      type: 'API',
      name: 'Scripts',
      ownerTeam: { id: 'web' },
      responders: [{ type: 'team', id: 'web' }],
      allowReadAccess: true,
      allowWriteAccess: true,
      allowConfigurationAccess: true,
      keepSamples: true,
    });
  });

  test('A key that only sends reads, changes and configures nothing.', () => {
    const form = { ...newForm(''), name: 'Kuma', onlySends: 'yes', mayConfigure: 'yes', keepsSamples: '' };
    expect(createBody(form)).toEqual({
      type: 'API',
      name: 'Kuma',
      allowReadAccess: false,
      allowWriteAccess: false,
      allowConfigurationAccess: false,
      keepSamples: false,
    });
  });

  test('One of the account has no team, and one of mail the name of its address.', () => {
    expect(createBody({ ...newForm(''), name: 'Mail', type: 'Email', emailUsername: 'ops' })).toEqual({
      type: 'Email',
      name: 'Mail',
      emailUsername: 'ops',
    });
  });
});

describe('the form of a chat', () => {
  const chat = { ...newForm(''), name: 'Chat', type: 'SlackApp' };

  test('It asks for a channel and a token, and of Mattermost for the server.', () => {
    expect(Object.keys(faultsOf(chat))).toEqual(['channel', 'token']);
    expect(Object.keys(faultsOf({ ...chat, type: 'Mattermost' }))).toEqual(['channel', 'token', 'url']);
  });

  test('Its body has them without blanks around, and no server of Slack.', () => {
    const url = 'https://chat.example.com';
    const filled = {
      ...chat,
      channel: ' C1 ',
      token: 'xoxb-1',
      thread: 'state',
      signingSecret: 's ',
      appToken: ' xapp-1',
      commandToken: ' c',
      url,
    };
    const body = { name: 'Chat', channel: 'C1', token: 'xoxb-1', thread: 'state' };
    expect(createBody(filled)).toEqual({
      type: 'SlackApp',
      ...body,
      mention: 'none',
      signingSecret: 's',
      appToken: 'xapp-1',
    });
    expect(createBody({ ...filled, type: 'Mattermost' })).toEqual({
      type: 'Mattermost',
      ...body,
      url,
      mention: 'none',
      commandToken: 'c',
    });
    expect(createBody({ ...filled, type: 'Telegram' })).toEqual({ type: 'Telegram', ...body });
  });

  const entry = {
    schedule: { id: 's1', name: 'Nights: Rome' },
    topic: true,
    announce: false,
    userGroup: 'S0123456789',
  };

  test('It has a line for each schedule of which the channel shows who is on call, and its body what the lines say.', () => {
    const filled = {
      ...chat,
      channel: 'C1',
      token: 'x',
      onCall: '\n Nights: Rome: Topic, S0123456789\nWeb:announce\n',
    };
    expect(faultsOf(filled)).toEqual({});
    expect(createBody(filled)).toMatchObject({
      onCall: [
        { ...entry, schedule: { name: 'Nights: Rome' } },
        { schedule: { name: 'Web' }, topic: false, announce: true },
      ],
    });
    expect(createBody({ ...filled, type: 'Telegram' })).not.toHaveProperty('onCall');
    for (const onCall of ['Web', 'Web:', ': topic', 'Web: loud', 'Web: topic, S01, S02'])
      expect(Object.keys(faultsOf({ ...filled, onCall }))).toEqual(['onCall']);
  });

  test('Who is on call stays as it is unless a person changes its lines, and known schedules keep their ids.', () => {
    const slack = { ...integration, type: 'SlackApp', channel: 'C1', token: 'x', onCall: [entry] };
    const form = formOf(slack);
    expect(form.onCall).toBe('Nights: Rome: topic, S0123456789');
    expect(replacementBody({ ...form, name: 'New' }, slack, slack)).toMatchObject({ onCall: [entry] });
    const changed = { ...form, onCall: `${form.onCall}, announce` };
    expect(replacementBody(changed, slack, slack)).toMatchObject({
      onCall: [{ ...entry, schedule: { id: 's1' }, announce: true }],
    });
    expect(replacementBody({ ...form, onCall: '' }, slack, slack)).toMatchObject({ onCall: [] });
  });

  test('Of one that is posted to by a webhook it asks for the URL, and its body has no channel and no token.', () => {
    const discord = { ...chat, type: 'Discord' };
    expect(Object.keys(faultsOf(discord))).toEqual(['url']);
    const url = 'https://discord.com/api/webhooks/1/secret';
    expect(createBody({ ...discord, url: ` ${url} `, channel: 'left over' })).toEqual({
      type: 'Discord',
      name: 'Chat',
      url,
      thread: 'all',
    });
  });

  test('A change has the field that was changed, and the others as they are.', () => {
    const posting = { ...integration, type: 'SlackApp', channel: 'C1', token: 'xoxb-1', thread: 'all' } as const;
    const body = replacementBody({ ...formOf(posting), channel: 'C2' }, posting, posting);
    expect(body).toMatchObject({ channel: 'C2', token: 'xoxb-1', thread: 'all' });
  });
});

describe('the body that replaces an integration', () => {
  const form = formOf(integration);

  test('It has what was changed, and all else as it is now, with what another person changed meanwhile.', () => {
    const now = { ...integration, tags: ['shop', 'new'] };
    const body = replacementBody({ ...form, name: 'Tools' }, integration, now);

    expect(body).toMatchObject({ name: 'Tools', ownerTeam: team, responders, tags: ['shop', 'new'] });
    expect(body).toMatchObject({ ignoreTagsFromPayload: true, allowConfigurationAccess: false, enabled: true });
    for (const field of ['id', '_readOnly', 'behavesAs', 'isAdvanced', 'isGlobal', 'recipients', 'emailAddress'])
      expect(body).not.toHaveProperty(field);
  });

  test('Whether its last requests are kept stays, until a person changes it.', () => {
    const secret = { ...integration, keepSamples: false };
    expect(replacementBody({ ...formOf(secret), name: 'Tools' }, secret, secret)).toMatchObject({ keepSamples: false });
    expect(replacementBody({ ...form, keepsSamples: '' }, integration, integration)).toMatchObject({
      keepSamples: false,
      allowReadAccess: true,
    });
  });

  test('It keeps the rights of its key until a person changes them.', () => {
    const reader = { ...integration, allowWriteAccess: false };
    expect(replacementBody({ ...formOf(reader), name: 'Tools' }, reader, reader)).toMatchObject({
      allowReadAccess: true,
      allowWriteAccess: false,
    });
    const sends = { allowReadAccess: false, allowWriteAccess: false, allowConfigurationAccess: false };
    const sender = { ...integration, ...sends };
    expect(formOf(sender).onlySends).toBe('yes');
    expect(replacementBody({ ...form, onlySends: 'yes' }, integration, integration)).toMatchObject(sends);
    expect(replacementBody({ ...formOf(sender), onlySends: '' }, sender, sender)).toMatchObject({
      allowReadAccess: true,
      allowWriteAccess: true,
    });
  });

  test('With another team its alerts go to that team in place of the one before.', () => {
    const assigned = { ...integration, assignedTeam: team };
    const body = replacementBody({ ...form, ownerTeam: 'sre' }, assigned, assigned);

    expect(body).toMatchObject({
      ownerTeam: { id: 'sre' },
      assignedTeam: { id: 'sre' },
      responders: [{ type: 'team', id: 'sre' }, responders[1]],
    });
  });

  test('Without a team they go to the other recipients.', () => {
    const body = replacementBody({ ...form, ownerTeam: '' }, integration, integration);

    expect(body).toMatchObject({ ownerTeam: undefined, assignedTeam: undefined, responders: [responders[1]] });
  });

  test('One of the account gets a team, to which its alerts go besides.', () => {
    const { ownerTeam: _none, ...account } = { ...integration, responders: [responders[1]] };
    const body = replacementBody({ ...form, ownerTeam: 'sre' }, account, account);

    expect(body).toMatchObject({ ownerTeam: { id: 'sre' }, responders: [{ type: 'team', id: 'sre' }, responders[1]] });
    expect(body).toHaveProperty('assignedTeam', undefined);
  });
});

describe('the form of an integration', () => {
  test('A name and, of mail, an address are asked for before it is sent.', () => {
    expect(faultsOf(newForm(''))).toEqual({ name: 'Type a name.' });
    expect(faultsOf({ ...newForm(''), name: 'Mail', type: 'Email' })).toEqual({
      emailUsername: 'Type the part of the address before the @.',
    });
  });

  test('A refusal stands at its field.', () => {
    const refused = (status: number, message: string, fields = {}) =>
      refusedFields(new CallError({ status, message, fields }));

    expect(refused(409, 'Integration with name [A] already exists.')).toEqual({
      name: 'Integration with name [A] already exists.',
    });
    expect(Object.keys(refused(409, 'Integration with emailUsername [ops] already exists.'))).toEqual([
      'emailUsername',
    ]);
    expect(Object.keys(refused(404, 'Team does not exist with id: 1'))).toEqual(['ownerTeam']);
    expect(refused(422, 'No', { emailUsername: 'should be short' })).toEqual({
      emailUsername: 'Address before the @ should be short.',
    });
    expect(refused(503, 'Unavailable')).toEqual({});
  });

  test('What another person changed of it is named.', () => {
    expect(changesBetween(integration, { ...integration, tags: [] })).toEqual([]);
    expect(changesBetween(integration, { ...integration, name: 'Tools', enabled: false })).toEqual([
      'Its name is “Tools” now. Before: “Scripts”.',
      'It is disabled now. Before: enabled.',
    ]);
  });
});
