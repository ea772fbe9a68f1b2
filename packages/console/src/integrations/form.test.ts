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
  allowWriteAccess: true,
  allowConfigurationAccess: false,
  suppressNotifications: false,
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
      allowConfigurationAccess: true,
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
    expect(refused(503, 'Away')).toEqual({});
  });

  test('What another person changed of it is named.', () => {
    expect(changesBetween(integration, { ...integration, tags: [] })).toEqual([]);
    expect(changesBetween(integration, { ...integration, name: 'Tools', enabled: false })).toEqual([
      'Its name is “Tools” now. Before: “Scripts”.',
      'It is disabled now. Before: enabled.',
    ]);
  });
});
