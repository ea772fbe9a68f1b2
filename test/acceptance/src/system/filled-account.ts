import type { Api } from './api.ts';

interface Named {
  readonly id: string;
}

/** Ids of things of a filled account, by names of the test. */
type Ids = Readonly<Record<string, string>>;

const minutes = (timeAmount: number) => ({ timeAmount, timeUnit: 'minutes' });
const user = (id = '') => ({ type: 'user', id });
const all = (...conditions: readonly object[]) => ({ type: 'match-all-conditions', conditions });
const urgent = { field: 'priority', operation: 'equals', expectedValue: 'P1' };
const NIGHT = { type: 'time-of-day', restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 30 } };
const WEEK = {
  type: 'weekday-and-time-of-day',
  restrictions: [
    { startDay: 'monday', startHour: 8, startMin: 0, endDay: 'friday', endHour: 18, endMin: 30 },
    { startDay: 'sunday', startHour: 0, startMin: 0, endDay: 'sunday', endHour: 12, endMin: 0 },
  ],
};
const START = '2024-01-01T08:00:00Z';
const LATER = { startDate: '2031-02-01T08:10:00Z', endDate: '2031-02-08T08:20:00Z' };

/** Fills an account with each kind of thing that is imported, and each variant of its fields. `domain` is that of its users. */
export async function fillAccount(api: Api, domain: string): Promise<Ids> {
  const people = await addPeople(api, domain);
  const teams = await addTeams(api, people);
  const duties = await addDuties(api, { ...people, ...teams });
  const ids = { ...people, ...teams, ...duties };
  await addRoutes(api, ids);
  const integrations = await addIntegrations(api, ids);
  await addPolicies(api, { ...ids, ...integrations });
  await addRest(api, { ...ids, ...integrations });
  return { ...ids, ...integrations };
}

const idOf = async (created: Promise<Named>): Promise<string> => (await created).id;

async function addPeople(api: Api, domain: string): Promise<Ids> {
  const role = await idOf(
    api.create('/v2/roles', {
      ...{ name: 'Auditor', extendedRole: 'observer' },
      ...{ grantedRights: ['alert-view', 'profile-edit'], disallowedRights: ['alert-delete'] },
    }),
  );
  const create = (name: string, body: object): Promise<string> =>
    idOf(
      api.create('/v2/users', {
        ...{ username: `${name}@${domain}`, fullName: `${name} of ${domain}`, invitationDisabled: true },
        ...{ role: { name: 'user' }, ...body },
      }),
    );
  const ada = await create('ada', {
    ...{ role: { name: 'Admin' }, timeZone: 'Europe/Berlin', locale: 'de_DE', skypeUsername: 'ada.skype' },
    userAddress: { country: 'DE', state: 'BE', city: 'Berlin', line: 'Street 1', zipCode: '10115' },
    ...{ tags: ['on-site', 'ops'], details: { floor: ['3', '4'], desk: ['b'] }, mutedUntil: '2031-01-01T00:00:00Z' },
  });
  const grace = await create('grace', { role: { id: role }, timeZone: 'America/New_York', locale: 'en_US' });
  const alan = await create('alan', {});
  await addContactsAndRules(api, ada, `ada@${domain}`);
  return { role, ada, grace, alan };
}

async function addContactsAndRules(api: Api, ada: string, username: string): Promise<void> {
  const contacts = `/v2/users/${ada}/contacts`;
  const second = await idOf(api.create(contacts, { method: 'email', to: `second.${username}` }));
  for (const method of ['sms', 'voice']) await api.create(contacts, { method, to: '49-3012345678' });
  await api.expect(200, 'POST', `${contacts}/${second}/disable`);
  const step = (method: string, to: string, after: number, enabled = true) => ({
    ...{ contact: { method, to }, sendAfter: minutes(after), enabled },
  });
  const rules = `/v2/users/${ada}/notification-rules`;
  const rule = await idOf(
    api.create(rules, {
      ...{ name: 'Urgent at night', actionType: 'create-alert', enabled: true, order: 0, timeRestriction: NIGHT },
      criteria: {
        type: 'match-any-condition',
        conditions: [urgent, { field: 'details', key: 'region', not: true, operation: 'equals', expectedValue: 'eu' }],
      },
      steps: [step('email', username, 0), step('sms', '49-3012345678', 5), step('voice', '49-3012345678', 90, false)],
      repeat: { loopAfter: 15, enabled: true },
    }),
  );
  await api.create(rules, {
    ...{ name: 'Closed', actionType: 'closed-alert', enabled: false, criteria: all(urgent), timeRestriction: WEEK },
    steps: [step('email', username, 0)],
  });
  await api.create(rules, {
    ...{ name: 'Before the shift', actionType: 'schedule-start', enabled: true },
    ...{ notificationTime: ['just-before', '1-day-ago'], steps: [step('email', username, 0)] },
  });
  await api.expect(200, 'POST', `${rules}/${rule}/disable`);
}

async function addTeams(api: Api, { ada = '', alan = '', grace = '' }: Ids): Promise<Ids> {
  const ops = await idOf(
    api.create('/v2/teams', {
      ...{ name: 'Ops', description: 'Keeps it running' },
      members: [{ user: { id: ada }, role: 'admin' }, { user: { id: grace }, role: 'user' }, { user: { id: alan } }],
    }),
  );
  await api.create(`/v2/teams/${ops}/roles`, {
    ...{
      name: 'Planner',
      rights: [
        { right: 'edit-schedules', granted: true },
        { right: 'x', granted: false },
      ],
    },
  });
  const data = await idOf(api.create('/v2/teams', { name: 'Data' }));
  return { ops, data };
}

async function addDuties(api: Api, { ada, alan, grace, ops }: Ids): Promise<Ids> {
  const nights = await idOf(
    api.create('/v2/schedules', {
      ...{ name: 'Nights', description: 'By night', timezone: 'Asia/Kathmandu', ownerTeam: { id: ops } },
      rotations: [
        {
          ...{ name: 'Weeks', type: 'weekly', startDate: START, timeRestriction: NIGHT },
          participants: [user(ada), user(grace)],
        },
        {
          ...{ type: 'daily', length: 2, startDate: START, timeRestriction: WEEK },
          participants: [user(alan), { type: 'none' }],
        },
        {
          ...{ name: 'Hours', type: 'hourly', length: 12, startDate: START, endDate: '2032-01-01T00:30:00Z' },
          participants: [{ type: 'team', id: ops }],
        },
      ],
    }),
  );
  const [first] = await api.read<readonly Named[]>(`/v2/schedules/${nights}/rotations`);
  const overrides = `/v2/schedules/${nights}/overrides`;
  await api.create(overrides, { alias: 'of all', user: user(alan), ...LATER });
  await api.create(overrides, { alias: 'of none', user: { type: 'none' }, ...LATER, rotations: [{ id: first?.id }] });
  await idOf(api.create('/v2/schedules', { name: 'Off', timezone: 'UTC', enabled: false }));
  const rules = [
    ...['default', 'next', 'previous'].map((notifyType) => ({
      notifyType,
      recipient: { type: 'schedule', id: nights },
    })),
    ...['default', 'users', 'admins', 'all', 'random'].map((notifyType) => ({
      notifyType,
      recipient: { type: 'team', id: ops },
    })),
    { notifyType: 'default', recipient: user(ada) },
  ].map((rule, at) => ({ ...rule, delay: minutes(at), condition: at % 2 === 0 ? 'if-not-acked' : 'if-not-closed' }));
  const everyone = await idOf(
    api.create('/v2/escalations', {
      ...{ name: 'Everyone', description: 'All ways', ownerTeam: { id: ops }, rules },
      repeat: { waitInterval: 30, count: 3, resetRecipientStates: true, closeAlertAfterAll: true },
    }),
  );
  const plain = await idOf(
    api.create('/v2/escalations', { name: 'Plain', rules: [{ recipient: user(alan), delay: minutes(0) }] }),
  );
  const chained = await idOf(
    api.create('/v2/schedules', {
      ...{ name: 'Chained', timezone: 'Europe/Berlin' },
      rotations: [{ type: 'weekly', startDate: START, participants: [{ type: 'escalation', id: plain }] }],
    }),
  );
  await api.create('/v2/forwarding-rules', { alias: 'away', fromUser: { id: ada }, toUser: { id: grace }, ...LATER });
  await api.create('/v2/forwarding-rules', { fromUser: { id: grace }, toUser: { id: alan }, ...LATER });
  return { nights, everyone, plain, chained };
}

async function addRoutes(api: Api, { chained, everyone, nights, ops }: Ids): Promise<void> {
  const rules = `/v2/teams/${ops}/routing-rules`;
  const older = {
    conditionMatchType: 'Match Any Condition',
    conditions: [{ field: 'Message', isNot: true, operation: 'Starts With', expectedValue: 'Disk' }],
  };
  await api.create(rules, {
    ...{ name: 'Urgent', timezone: 'America/New_York', timeRestriction: NIGHT, criteria: older },
    notify: { type: 'schedule', id: nights },
  });
  await api.create(rules, {
    ...{ name: 'Backups', order: 0, criteria: all(urgent), timeRestriction: WEEK },
    notify: { type: 'none' },
  });
  await api.create(rules, { name: '', criteria: all(urgent), notify: { type: 'schedule', id: chained } });
  const found = await api.read<readonly { readonly id: string; readonly isDefault: boolean }[]>(rules);
  const last = found.find(({ isDefault }) => isDefault);
  await api.expect(200, 'PATCH', `${rules}/${last?.id ?? ''}`, { notify: { type: 'escalation', id: everyone } });
}

async function addIntegrations(api: Api, { ada, everyone, nights, ops }: Ids): Promise<Ids> {
  const content = {
    ...{ tags: ['a', '{{source}}'], extraProperties: { region: '{{details.region}}', plain: 'b' } },
    ...{ responders: [user(ada), { type: 'schedule', id: nights }], ignoreTagsFromPayload: true },
  };
  const api1 = await idOf(
    api.create('/v2/integrations', {
      ...{
        type: 'API',
        name: 'Everything',
        ownerTeam: { id: ops },
        assignedTeam: { id: ops },
        priority: 'P2',
        ...content,
      },
      ...{ allowReadAccess: false, allowConfigurationAccess: false, suppressNotifications: true, keepSamples: false },
      ...{ ignoreExtraPropertiesFromPayload: true, ignoreRespondersFromPayload: true },
    }),
  );
  const filter = all({ field: 'message', operation: 'starts-with', expectedValue: 'Test' });
  const texts = { alias: '{{alias}}-x', user: 'robot', note: 'by {{user}}' };
  await api.expect(200, 'PUT', `/v2/integrations/${api1}/actions`, {
    ignore: [{ name: 'Ignore tests', ...texts, filter }],
    create: [
      {
        ...{ name: 'Urgent', ...texts, ...content, filter, source: 's', message: 'm', description: 'd', entity: 'e' },
        ...{ priority: 'P1', alertActions: ['restart'], ignoreAlertActionsFromPayload: true, appendAttachments: false },
      },
      { name: 'Rest' },
    ],
    close: [{ name: 'Close', alias: '{{alias}}', filter }],
    acknowledge: [{ name: 'Acknowledge', alias: '{{alias}}', filter }],
    addNote: [{ name: 'Note', alias: '{{alias}}', filter }],
  });
  const hook = await idOf(
    api.create('/v2/integrations', {
      ...{
        type: 'Webhook',
        name: 'Hook',
        url: 'https://hooks.example.com/services/canaryOfAPath0198c0de?token=canary-of-a-query',
      },
      ...{ headers: { Authorization: 'Bearer canary-of-a-header' }, sendAlertActions: true, alertFilter: all(urgent) },
      ...{ alertActions: ['Create', 'Close'], addAlertDetails: true, addAlertDescription: false, enabled: false },
    }),
  );
  const mail = await idOf(
    api.create('/v2/integrations', {
      type: 'Email',
      name: 'Mail',
      emailUsername: 'alerts',
      responders: [{ type: 'escalation', id: everyone }],
    }),
  );
  await api.create('/v2/integrations', { type: 'Prometheus', name: 'Alertmanager', responders: [{ type: 'all' }] });
  return { api1, hook, mail };
}

async function addPolicies(api: Api, { ada, ops }: Ids): Promise<void> {
  const alert = (name: string, fields: object, teamId?: string): Promise<Named> =>
    api.create(`/v2/policies${teamId === undefined ? '' : `?teamId=${teamId}`}`, {
      type: 'alert',
      name,
      message: '{{message}}',
      ...fields,
    });
  await alert('Tag it', {
    ...{
      message: '{{message}} on {{entity}}',
      alertDescription: 'd',
      alias: 'a',
      entity: 'e',
      source: 's',
      continue: true,
    },
    ...{ tags: ['prod'], details: { region: 'eu' }, priority: 'P2', actions: ['restart'], responders: [user(ada)] },
    ...{
      filter: all(urgent),
      timeRestrictions: WEEK,
      policyDescription: 'Tags',
      ignoreOriginalTags: true,
      ignoreOriginalDetails: true,
    },
    ...{ ignoreOriginalActions: true, ignoreOriginalResponders: true },
  });
  await alert('Off', { enabled: false });
  await alert('Of the team', { filter: {} }, ops);
  const notification = (name: string, fields: object, teamId?: string): Promise<Named> =>
    api.create(`/v2/policies${teamId === undefined ? '' : `?teamId=${teamId}`}`, {
      type: 'notification',
      name,
      ...fields,
    });
  const hour = { timeAmount: 1, timeUnit: 'hours' };
  await notification('Suppress', { suppress: true, filter: all(urgent), timeRestrictions: NIGHT });
  await notification('Delay', { delayAction: { delayOption: 'next-monday', untilHour: 8, untilMinute: 30 } });
  await notification('Wait', { delayAction: { delayOption: 'for-duration', duration: hour } });
  await notification('Count', { deduplicationAction: { deduplicationActionType: 'value-based', count: 5 } }, ops);
  await notification('Often', {
    deduplicationAction: {
      deduplicationActionType: 'frequency-based',
      count: 3,
      duration: { timeAmount: 90, timeUnit: 'seconds' },
    },
    ...{
      autoCloseAction: { duration: { timeAmount: 2, timeUnit: 'days' } },
      autoRestartAction: { duration: hour, maxRepeatCount: 4 },
    },
  });
  await api.create('/v1/policies', { type: 'auto-close', name: 'Close by version 1', enabled: true, duration: hour });
  await api.create('/v1/policies', {
    type: 'modify',
    name: 'Modify by version 1',
    enabled: false,
    message: '{{message}}',
  });
}

async function addRest(api: Api, { ada, api1, ops }: Ids): Promise<void> {
  const [policy] = await api.read<readonly Named[]>('/v2/policies/alert');
  await api.create('/v1/maintenance', {
    ...{
      description: 'Move',
      time: { type: 'schedule', startDate: '2031-03-01T00:00:00Z', endDate: '2031-03-02T00:00:00Z' },
    },
    rules: [
      { entity: { type: 'integration', id: api1 }, state: 'disabled' },
      { entity: { type: 'policy', id: policy?.id }, state: 'enabled' },
    ],
  });
  await api.create('/v1/maintenance', {
    time: { type: 'indefinitely' },
    rules: [{ entity: { type: 'integration', id: api1 } }],
  });
  await api.create('/v2/heartbeats', {
    ...{
      name: 'nightly backup',
      description: 'd',
      interval: 25,
      intervalUnit: 'hours',
      enabled: true,
      ownerTeam: { id: ops },
    },
    ...{ alertMessage: 'No backup', alertTags: ['backup', 'night'], alertPriority: 'P2' },
  });
  await api.create('/v2/heartbeats', { name: 'plain/é', interval: 1, intervalUnit: 'minutes' });
  await api.create('/v2/alerts/saved-searches', {
    ...{
      name: 'Open and urgent',
      query: 'status:open AND priority:P1',
      owner: { id: ada },
      teams: [{ id: ops }],
      description: 'd',
    },
  });
}
