import { z } from 'zod';
import { AuthenticateIntegrationBody, integrationBody, integrationListQuery } from '@tocsin/contracts';
import {
  CreatedIntegration,
  Integration,
  IntegrationItem,
  RotatedKey,
  WrittenIntegration,
} from '../answers/integrations.ts';
import { area, type Description } from '../description.ts';
import { codedAnswer } from '../successes.ts';

const ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e40';
const team = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e13', name: 'Database' };
const item = { id: ID, name: 'Prometheus of the databases', enabled: true, type: 'Prometheus', teamId: team.id };
const responder = { type: 'schedule', name: 'Database nights' };
const body = {
  type: item.type,
  name: item.name,
  ownerTeam: { name: team.name },
  responders: [responder],
  tags: ['database'],
};
const found = { ...responder, id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14' };
const integration = {
  id: ID,
  name: item.name,
  type: item.type,
  enabled: true,
  ownerTeam: team,
  isGlobal: false,
  isAdvanced: false,
  _readOnly: ['isAdvanced', 'isGlobal'],
  allowWriteAccess: true,
  allowConfigurationAccess: false,
  suppressNotifications: false,
  tags: ['database'],
  extraProperties: {},
  recipients: [found],
  responders: [found],
  ignoreRecipientsFromPayload: false,
  ignoreTeamsFromPayload: false,
  ignoreRespondersFromPayload: false,
  ignoreTagsFromPayload: false,
  ignoreExtraPropertiesFromPayload: false,
  sendAlertActions: false,
  alertActions: [],
  alertFilter: { conditionMatchType: 'match-all', conditions: [] },
};
const key = '7b1f0a52-6d2b-4e0f-9d3f-2f6f3c1f5a22';

/** Further types than these are those of a setting (P12): the description knows none of them. */
const Body = integrationBody([]);
const ListQuery = integrationListQuery([]);

const switching = (enabled: boolean, description: string): Description => ({
  description,
  success: codedAnswer(200, { data: IntegrationItem }, { data: { ...item, enabled } }),
  refusals: [404],
});
const enable = switching(true, 'Its key works again.');
const disable = switching(false, 'Once this is answered, its key is refused everywhere.');

const authenticate: Description = {
  description: 'Whether the key of the request is that of an integration of `type`; another type is 422.',
  body: { schema: AuthenticateIntegrationBody, example: { type: 'API' } },
  success: codedAnswer(
    200,
    { result: z.string().regex(/^Integration of type \[[^]+\] is valid\.$/) },
    { result: 'Integration of type [API] is valid.' },
  ),
};

/** Part 1, 4.2; wire facts 5. */
export const INTEGRATIONS = area({
  'list-integrations': {
    description: 'By creation. The key of a team sees the integrations of its team, and may not filter by team.',
    query: ListQuery,
    success: codedAnswer(200, { data: z.array(IntegrationItem) }, { data: [item] }),
  },
  'create-integration': {
    description:
      'The key is shown only in this answer. An integration of type Webhook posts actions on alerts to `url`, signed with a secret that is derived from the key: the actions in `alertActions`, where `sendAlertActions` is true and `alertFilter` matches.',
    body: { schema: Body, example: body },
    success: codedAnswer(201, { data: CreatedIntegration }, { data: { ...item, apiKey: key } }),
    refusals: [404, 409],
  },
  'get-integration': {
    success: codedAnswer(200, { data: Integration }, { data: integration }),
    refusals: [404],
  },
  'update-integration': {
    description:
      'Fields that the body leaves out get their defaults; key and actions stay. The type cannot be changed.',
    body: { schema: Body, example: body },
    success: codedAnswer(200, { data: WrittenIntegration }, { data: item }),
    refusals: [404, 409],
  },
  'delete-integration': {
    description: 'Once this is answered, its key is refused everywhere.',
    success: codedAnswer(200, { result: z.literal('Deleted successful') }, { result: 'Deleted successful' }),
    refusals: [404],
  },
  'enable-integration': enable,
  'enable-integration-by-put': enable,
  'enable-integration-by-patch': enable,
  'disable-integration': disable,
  'disable-integration-by-put': disable,
  'disable-integration-by-patch': disable,
  'authenticate-integration': authenticate,
  'authenticate-integration-by-put': authenticate,
  'authenticate-integration-by-patch': authenticate,
  'rotate-integration-key': {
    description: 'The new key is shown only in this answer; the previous one is valid until `previousKeyValidUntil`.',
    success: codedAnswer(
      200,
      { data: RotatedKey },
      { data: { ...item, apiKey: key, previousKeyValidUntil: '2026-01-31T08:00:00Z' } },
    ),
    refusals: [404],
  },
});
