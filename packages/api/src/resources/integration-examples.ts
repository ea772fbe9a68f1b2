/** The common parts of the examples of integrations. */
const ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e40';
const team = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e13', name: 'Database' };
export const item = { id: ID, name: 'Prometheus of the databases', enabled: true, type: 'Prometheus', teamId: team.id };
const responder = { type: 'schedule', name: 'Database nights' };
export const body = {
  type: item.type,
  name: item.name,
  ownerTeam: { name: team.name },
  responders: [responder],
  tags: ['database'],
};
const found = { ...responder, id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14' };
export const integration = {
  id: ID,
  name: item.name,
  type: item.type,
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
export const key = '7b1f0a52-6d2b-4e0f-9d3f-2f6f3c1f5a22';
