import { describe, expect, test } from '@jest/globals';
import { factsOf, foundIntegrations, keptReason, kindOf, lostBy, rowNote } from './integration.ts';
import type { Integration, ListedIntegration } from './queries.ts';

const listed: readonly ListedIntegration[] = [
  { id: '1', name: 'Zabbix of the shop', enabled: true, type: 'Zabbix', teamId: 'web' },
  { id: '2', name: 'Alertmanager', enabled: false, type: 'Prometheus', teamId: 'gone' },
  { id: '3', name: 'Scripts', enabled: true, type: 'API' },
];
const teams = [{ id: 'web', name: 'Web' }];
const found = (text: string) => foundIntegrations(listed, teams, text);

describe('the list of integrations', () => {
  test('It is by name, and is searched by name, type and team.', () => {
    const names = (text: string) => found(text).map(({ name }) => name);

    expect(names('')).toEqual(['Alertmanager', 'Scripts', 'Zabbix of the shop']);
    expect(names(' prom')).toEqual(['Alertmanager']);
    expect(names('WEB')).toEqual(['Zabbix of the shop']);
    expect(names('nothing')).toEqual([]);
  });

  test('A line has the type, the team and whether it is disabled.', () => {
    expect(found('').map(rowNote)).toEqual(['Prometheus · team gone · disabled', 'API · no team', 'Zabbix · team Web']);
  });
});

const integration: Integration = {
  id: '3',
  name: 'Scripts',
  type: 'API',
  enabled: true,
  behavesAs: 'api',
  isGlobal: true,
  isAdvanced: false,
  _readOnly: ['behavesAs', 'isAdvanced', 'isGlobal'],
  allowReadAccess: true,
  allowWriteAccess: true,
  allowConfigurationAccess: false,
  suppressNotifications: false,
  keepSamples: true,
  tags: [],
  extraProperties: {},
  recipients: [],
  responders: [],
  ignoreRecipientsFromPayload: false,
  ignoreTeamsFromPayload: false,
  ignoreRespondersFromPayload: false,
  ignoreTagsFromPayload: false,
  ignoreExtraPropertiesFromPayload: false,
  sendAlertActions: false,
  alertActions: [],
  alertFilter: { conditionMatchType: 'match-all', conditions: [] },
};

describe('the facts of an integration', () => {
  test('They name its state, type, team, rights and recipients.', () => {
    expect(factsOf(integration)).toEqual([
      ['State', 'enabled'],
      ['Type', 'API'],
      ['Team', 'none: it is of the account'],
      ['Its key may', 'read and change alerts'],
      ['Its alerts also go to', 'no one else'],
    ]);
  });

  test('They name what it adds to its alerts.', () => {
    const facts = factsOf({
      ...integration,
      enabled: false,
      ownerTeam: { id: 'web', name: 'Web' },
      allowWriteAccess: false,
      allowConfigurationAccess: true,
      recipients: [
        { type: 'schedule', id: '4', name: 'Nights' },
        { type: 'user', id: '5', username: 'ada@example.com' },
      ],
      priority: 'P2',
      tags: ['shop', 'eu'],
      suppressNotifications: true,
    });

    expect(facts).toEqual([
      ['State', 'disabled: its key is refused'],
      ['Type', 'API'],
      ['Team', 'Web'],
      ['Its key may', 'read alerts and configuration'],
      ['Its alerts also go to', 'schedule Nights, ada@example.com'],
      ['Priority where none is given', 'P2'],
      ['Tags of its alerts', 'shop, eu'],
      ['Notifications', 'none: its alerts notify no user'],
    ]);
  });

  test('They say that its last requests are not kept.', () => {
    expect(factsOf({ ...integration, keepSamples: false })).toContainEqual(['Its last requests', 'are not kept']);
  });

  test('They name what its key may do.', () => {
    const rights = (read: boolean, write: boolean, configure = false) =>
      new Map(
        factsOf({
          ...integration,
          ...{ allowReadAccess: read, allowWriteAccess: write, allowConfigurationAccess: configure },
        }),
      ).get('Its key may');
    expect(rights(false, false, true)).toBe('send requests of tools, and read nothing');
    expect(rights(true, false)).toBe('read alerts');
    expect(rights(false, true)).toBe('change alerts');
    expect(rights(true, true, true)).toBe('read and change alerts and configuration');
  });

  test('Of a tool they say that alerts come from it, and that nothing goes to it.', () => {
    const note = 'Jira: alerts come in by its key, and nothing is sent to this tool';
    expect(factsOf({ ...integration, type: 'Jira' })).toContainEqual(['Type', note]);
    expect(factsOf(integration)).toContainEqual(['Type', 'API']);
  });

  test('Those of a webhook name its URL and what it posts, and those of mail its address.', () => {
    const url = 'https://chat.example.com/*****';
    const webhook = { ...integration, type: 'webhook', url };

    expect(kindOf('webhook')).toBe('webhook');
    expect(kindOf('UptimeRobotEmail')).toBe('mail');
    expect(factsOf({ ...integration, type: 'SlackApp', channel: 'C1' })).toContainEqual(['Posts in', 'C1']);
    expect(factsOf({ ...integration, type: 'Slack' })).toContainEqual(['Posts in', 'no channel: it posts nothing']);
    const discord = 'https://discord.com/api/webhooks/1/secret';
    expect(factsOf({ ...integration, type: 'Discord', url: discord })).toContainEqual([
      'Posts to',
      'a webhook of discord.com',
    ]);
    expect(factsOf(webhook)).toContainEqual(['Posted', 'nothing: no action is chosen']);
    expect(factsOf({ ...webhook, sendAlertActions: true, alertActions: ['Create', 'Close'] })).toEqual(
      expect.arrayContaining([
        ['Posts to', url],
        ['Posted', 'Create, Close'],
      ]),
    );
    const mail = factsOf({ ...integration, type: 'Email', emailAddress: 'ops@example.com' });
    expect(mail).toContainEqual(['Address', 'ops@example.com']);
    expect(mail.map(([name]) => name)).not.toContain('Its key may');
  });
});

describe('an integration that is disabled or deleted', () => {
  test('What stops is said by its type.', () => {
    expect(lostBy('disable', integration)[0]).toContain('refused at once until it is enabled again');
    expect(lostBy('delete', integration)[0]).toContain('refused at once: tools');
    expect(lostBy('delete', { ...integration, type: 'Email', emailAddress: 'ops@example.com' })).toEqual([
      'Mail to ops@example.com is refused at once, and creates no alert.',
    ]);
    expect(lostBy('disable', { ...integration, type: 'Webhook' })[0]).toContain('It posts nothing');
  });

  test('That of the first start stays.', () => {
    expect(keptReason({ id: '5f0f5b0e-8c0c-5d3b-9a52-3c9f4f6f7a10' })).toContain('first start');
    expect(keptReason(integration)).toBeUndefined();
  });
});
