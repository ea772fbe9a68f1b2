import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { integrationFilterType, integrationKind, type IntegrationKind, integrationType } from './integration-types.ts';

/** Types that clients, Terraform configurations and exports name, one of each kind of tool. */
const TYPES = [
  'API',
  'AmazonSnsOutgoing',
  'GrafanaV2',
  'OEC',
  'Prometheus',
  'SCOM',
  'Solarwinds',
  'Kibana',
  'UptimeRobotEmail',
  'Webhook',
];

describe('a type of integration (P12)', () => {
  it.each(TYPES)('may be %s, in any letter case, and stays as it was written', (type) => {
    for (const spelled of [type, type.toLowerCase(), type.toUpperCase()]) {
      expect(integrationType([]).parse(spelled)).toBe(spelled);
      expect(integrationFilterType([]).parse(spelled)).toBe(spelled);
    }
  });

  it('may be one of the setting, and no other', () => {
    expect(integrationType(['HomeGrown']).parse('homegrown')).toBe('homegrown');
    for (const type of ['HomeGrown', 'Prometheus 2', ''])
      expect(integrationType([]).safeParse(type)).toMatchObject({ success: false });
  });

  it('is one of the 219 that existing clients know, and of seven more', () => {
    const known = z.toJSONSchema(integrationType([])).enum ?? [];
    expect(known).toHaveLength(219 + 7);
    expect(new Set(known.map((type) => String(type).toLowerCase())).size).toBe(known.length);
  });

  it.each<[IntegrationKind, string]>([
    ['email', 'Email'],
    ['email', 'eMail'],
    ['webhook', 'WEBHOOK'],
    ['chat', 'slack'],
    ['chat', 'SlackApp'],
    ['chat', 'Mattermost'],
    ['chat', 'Discord'],
    ['chat', 'MSTeams'],
    ['chat', 'MSTeamsV2'],
    ['chat', 'GoogleChat'],
    ['chat', 'Telegram'],
    ['api', 'Jira'],
    ['api', 'HomeGrown'],
    ['email', 'HomeGrownEmail'],
  ])('makes an integration of kind %s of %s', (kind, type) => {
    expect(integrationKind(type)).toBe(kind);
  });
});
