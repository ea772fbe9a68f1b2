/** A JSON object of the API of Opsgenie. */
export type OpsgenieObject = Record<string, unknown>;

/** What an account of Opsgenie holds, as its API shows it. A test changes it as its users would. */
export interface OpsgenieAccount {
  account: OpsgenieObject;
  /** The limits that the API reports. */
  rateLimits: OpsgenieObject[];
  roles: OpsgenieObject[];
  users: OpsgenieObject[];
  /** By the id of the user. */
  contacts: Map<string, OpsgenieObject[]>;
  notificationRules: Map<string, OpsgenieObject[]>;
  teams: OpsgenieObject[];
  /** By the id of the team. */
  routingRules: Map<string, OpsgenieObject[]>;
  teamRoles: Map<string, OpsgenieObject[]>;
  schedules: OpsgenieObject[];
  /** By the id of the schedule. */
  overrides: Map<string, OpsgenieObject[]>;
  /** Who is on call, as periods in hours of a plan of three weeks that begins on 2026-03-02 and repeats itself. */
  onCall: Map<string, { user: string; from: number; until: number }[]>;
  escalations: OpsgenieObject[];
  forwardingRules: OpsgenieObject[];
  integrations: OpsgenieObject[];
  /** By the id of the integration. */
  actions: Map<string, OpsgenieObject>;
  /** With `teamId` where the policy is of a team. */
  policies: OpsgenieObject[];
  deprecatedPolicies: OpsgenieObject[];
  maintenance: OpsgenieObject[];
  heartbeats: OpsgenieObject[];
  savedSearches: OpsgenieObject[];
  services: OpsgenieObject[];
  alerts: OpsgenieObject[];
  /** The status of requests about alerts, by their ids. */
  alertRequests: Map<string, OpsgenieObject>;
  /** By the id of the alert. */
  alertRecipients: Map<string, OpsgenieObject[]>;
  alertLogs: Map<string, OpsgenieObject[]>;
}

/** Secrets that the API of {@link opsgenieAccount} shows: none may leave the process that reads them. */
export const OPSGENIE_SECRETS = [
  'canary-of-a-header-5b1f7c3a',
  'canary-of-an-api-key-9d1e2b4f',
  'canaryOfAPath0198c0de5b1f7c3a',
  'canary-of-a-query-6a8c0e40',
  'canary-of-a-password-77aa01',
] as const;

const [HEADER, API_KEY, PATH, QUERY, PASSWORD] = OPSGENIE_SECRETS;

const idOf = (kind: number, number: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;

const ADA = idOf(1, 1);
const GRACE = idOf(1, 2);
const LINUS = idOf(1, 3);
const BLOCKED = idOf(1, 4);
const OPS = idOf(2, 1);
const DATA = idOf(2, 2);
const OPS_SCHEDULE = idOf(3, 1);
const NIGHTS = idOf(3, 2);
const RETIRED = idOf(3, 3);
const OPS_ESCALATION = idOf(4, 1);

/** An account with one of everything, and with what goes wrong in a real one: see `findings` of the command line. */
export function opsgenieAccount(): OpsgenieAccount {
  return {
    account: { name: 'Example', userCount: '4', plan: { maxUserCount: 10, name: 'Standard', isYearly: true } },
    rateLimits: [
      limitsOf('search', 100_000, 10_000),
      limitsOf('configuration', 100_000, 10_000),
      limitsOf('email', 60, 1),
    ],
    roles: [{ id: idOf(9, 1), name: 'Auditor', extendedRole: 'observer', grantedRights: ['profile-edit'] }],
    ...people(),
    ...teams(),
    ...schedules(),
    ...integrations(),
    ...rules(),
  };
}

const limitsOf = (domain: string, minute: number, second: number): OpsgenieObject => ({
  domain,
  limits: [
    { limit: minute, periodInSeconds: 60 },
    // The API writes numbers as text in places.
    { limit: String(second), periodInSeconds: '1' },
  ],
});

const userOf = (id: string, username: string, fullName: string, over: OpsgenieObject = {}): OpsgenieObject => ({
  ...{ id, username, fullName, blocked: false, verified: true, role: { id: 'User', name: 'User' } },
  ...{ locale: 'en_GB', timeZone: 'Europe/Berlin', skypeUsername: null, tags: null, details: {} },
  ...{ userAddress: { country: '', state: '', city: '', line: '', zipCode: '' }, createdAt: '2019-04-05T10:00:00Z' },
  ...over,
});

const ruleOf = (user: number, contact: OpsgenieObject, over: OpsgenieObject = {}): OpsgenieObject => ({
  ...{ id: idOf(11, user), name: 'New alerts', actionType: 'create-alert', order: 0, enabled: true },
  criteria: { type: 'match-all' },
  steps: [{ id: idOf(12, user), contact, sendAfter: { timeAmount: '0', timeUnit: 'minutes' }, enabled: true }],
  repeat: null,
  ...over,
});

const contactOf = (number: number, method: string, to: string, enabled = true): OpsgenieObject => ({
  ...{ id: idOf(10, number), method, to, applyOrder: 0 },
  status: enabled ? { enabled } : { enabled, disabledReason: 'Needs verification' },
});

function people(): Pick<OpsgenieAccount, 'users' | 'contacts' | 'notificationRules'> {
  const ada = { method: 'email', to: 'ada@example.com' };
  return {
    users: [
      userOf(ADA, 'ada@example.com', 'Ada Lovelace', { role: { id: 'Owner', name: 'Owner' } }),
      userOf(GRACE, 'grace@example.com', 'Grace Hopper', { timeZone: 'America/New_York', locale: 'en_US' }),
      userOf(LINUS, 'linus@example.com', 'Linus', { role: { id: idOf(9, 1), name: 'Auditor' } }),
      userOf(BLOCKED, 'left@example.com', 'A user who left', { blocked: true }),
    ],
    contacts: new Map([
      [ADA, [contactOf(1, 'email', 'ada@example.com'), contactOf(2, 'mobile', 'phone of Ada')]],
      [GRACE, [contactOf(3, 'sms', '1-5550100', false)]],
      [LINUS, [contactOf(4, 'email', 'linus@example.com')]],
    ]),
    notificationRules: new Map([
      [ADA, [ruleOf(1, ada), ruleOf(5, ada, { name: 'Closed', actionType: 'closed-alert' })]],
      [GRACE, [ruleOf(2, { method: 'sms', to: '1-5550100' })]],
      [LINUS, [ruleOf(3, { method: 'email', to: 'linus@example.com' }, { enabled: false })]],
    ]),
  };
}

function teams(): Pick<OpsgenieAccount, 'teams' | 'routingRules' | 'teamRoles'> {
  const all = { type: 'match-all' };
  const routing = (number: number, over: OpsgenieObject): OpsgenieObject => ({
    ...{ id: idOf(13, number), name: '', isDefault: false, order: number, criteria: all, timezone: 'Europe/Berlin' },
    ...over,
  });
  const critical = { field: 'priority', operation: 'equals', expectedValue: 'P1', not: false };
  return {
    teams: [
      {
        ...{ id: OPS, name: 'Ops', description: null, links: { web: 'https://example.app', api: 'https://example' } },
        members: [
          { user: { id: ADA, username: 'ada@example.com' }, role: 'admin' },
          { user: { id: GRACE, username: 'grace@example.com' }, role: 'user' },
        ],
      },
      { id: DATA, name: 'Data', description: 'Pipelines', members: null },
    ],
    routingRules: new Map([
      [
        OPS,
        [
          routing(0, { name: 'All', notify: { type: 'escalation', id: OPS_ESCALATION, name: 'Ops_escalation' } }),
          routing(1, {
            name: 'Critical',
            criteria: { type: 'match-all-conditions', conditions: [critical] },
            notify: { type: 'schedule', id: NIGHTS, name: 'Nights' },
          }),
          routing(2, { isDefault: true, notify: { type: 'escalation', id: OPS_ESCALATION, name: 'Ops_escalation' } }),
        ],
      ],
      [DATA, [routing(3, { isDefault: true, order: 0, notify: { type: 'none' } })]],
    ]),
    teamRoles: new Map([
      [OPS, [{ id: idOf(14, 1), name: 'Deputy', rights: [{ right: 'manage-members', granted: true }] }]],
    ]),
  };
}

const rotationOf = (number: number, ...participants: readonly OpsgenieObject[]): OpsgenieObject => ({
  ...{ id: idOf(15, number), name: 'Rot1', type: 'weekly', length: 1, startDate: '2019-04-01T08:00:00Z' },
  ...{ endDate: null, participants, timeRestriction: null },
});

function schedules(): Pick<OpsgenieAccount, 'schedules' | 'overrides' | 'onCall'> {
  const ada = { type: 'user', id: ADA, username: 'ada@example.com' };
  const grace = { type: 'user', id: GRACE, username: 'grace@example.com' };
  const scheduleOf = (id: string, name: string, over: OpsgenieObject): OpsgenieObject => ({
    ...{ id, name, description: '', timezone: 'Europe/Berlin', enabled: true, ownerTeam: { id: OPS, name: 'Ops' } },
    ...over,
  });
  return {
    schedules: [
      scheduleOf(OPS_SCHEDULE, 'Ops_schedule', { rotations: [rotationOf(1, ada, grace)] }),
      scheduleOf(NIGHTS, 'Nights', { rotations: [rotationOf(2, ada)] }),
      scheduleOf(RETIRED, 'Retired', { enabled: false, rotations: [], ownerTeam: null }),
    ],
    overrides: new Map([
      [
        OPS_SCHEDULE,
        [
          {
            ...{ alias: 'holiday', user: grace, rotations: [] },
            ...{ startDate: '2026-12-24T00:00:00Z', endDate: '2026-12-26T00:00:00Z' },
          },
        ],
      ],
    ]),
    onCall: new Map([
      [OPS_SCHEDULE, [{ user: ADA, from: 0, until: 24 * 30 }]],
      [
        NIGHTS,
        [
          { user: ADA, from: 0, until: 60 },
          { user: ADA, from: 68, until: 24 * 30 },
        ],
      ],
    ]),
  };
}

function integrations(): Pick<OpsgenieAccount, 'integrations' | 'actions'> {
  const [api, webhook, off] = [idOf(5, 1), idOf(5, 2), idOf(5, 3)];
  const common = { enabled: true, ownerTeam: null, _readOnly: ['isAdvanced', 'isGlobal'], isGlobal: true };
  return {
    integrations: [
      {
        ...{ id: api, name: 'Alertmanager', type: 'Prometheus', teamId: OPS, apiKey: API_KEY },
        ...{ ...common, allowWriteAccess: true, responders: [{ type: 'team', id: OPS }] },
      },
      {
        ...{ id: webhook, name: 'Incidents', type: 'Webhook', ...common, alertActions: ['Create', 'Close'] },
        url: `https://user:${PASSWORD}@hooks.example.com/services/${PATH}?token=${QUERY}`,
        headers: { Authorization: `Bearer ${HEADER}` },
        password: PASSWORD,
      },
      { id: off, name: 'Old Nagios', type: 'Nagios', ...common, enabled: false },
    ],
    actions: new Map([
      [
        api,
        {
          create: [
            {
              ...{ type: 'create', name: 'Create', order: 1, alias: '{{alias}}', message: '{{message}}' },
              filter: { conditionMatchType: 'match-all', conditions: null },
            },
          ],
          ...{ close: [], acknowledge: null, addNote: [], ignore: [] },
        },
      ],
    ]),
  };
}

function rules(): Pick<
  OpsgenieAccount,
  | 'escalations'
  | 'forwardingRules'
  | 'policies'
  | 'deprecatedPolicies'
  | 'maintenance'
  | 'heartbeats'
  | 'savedSearches'
  | 'services'
  | 'alerts'
  | 'alertRequests'
  | 'alertRecipients'
  | 'alertLogs'
> {
  const match = { type: 'match-all' };
  const policy = (number: number, over: OpsgenieObject): OpsgenieObject => ({
    ...{ id: idOf(6, number), enabled: true, filter: match, order: number, policyDescription: null },
    ...over,
  });
  return {
    escalations: [
      {
        ...{ id: OPS_ESCALATION, name: 'Ops_escalation', description: '', ownerTeam: { id: OPS, name: 'Ops' } },
        rules: [
          {
            ...{ condition: 'if-not-acked', notifyType: 'default', delay: { timeAmount: '0', timeUnit: 'minutes' } },
            recipient: { type: 'schedule', id: OPS_SCHEDULE, name: 'Ops_schedule' },
          },
        ],
        repeat: null,
      },
    ],
    forwardingRules: [
      {
        ...{ id: idOf(16, 1), alias: '', fromUser: { id: ADA, username: 'ada@example.com' } },
        ...{ toUser: { id: GRACE, username: 'grace@example.com' } },
        ...{ startDate: '2026-12-24T00:00:00Z', endDate: '2026-12-31T00:00:00Z' },
      },
    ],
    policies: [
      policy(1, { type: 'alert', name: 'Add a tag', message: '{{message}}', tags: ['prod'], continue: true }),
      policy(2, { type: 'notification', name: 'Quiet', teamId: OPS, suppress: true }),
      policy(3, { type: 'notification', name: 'Off', teamId: DATA, enabled: false, suppress: true }),
    ],
    deprecatedPolicies: [
      policy(4, { type: 'auto-close', name: 'Close after a day', duration: { timeAmount: 1, timeUnit: 'days' } }),
    ],
    maintenance: [
      {
        ...{ id: idOf(7, 1), status: 'active', description: 'Move of the data centre' },
        time: { type: 'schedule', startDate: '2026-01-01T00:00:00Z', endDate: '2027-06-01T00:00:00Z' },
        rules: [{ entity: { id: idOf(5, 3), type: 'integration' }, state: 'disabled' }],
      },
    ],
    heartbeats: [
      {
        ...{ name: 'nightly backup', description: '', interval: '1', intervalUnit: 'days', enabled: true },
        ...{ expired: false, ownerTeam: { id: OPS, name: 'Ops' }, alertTags: null, alertPriority: 'P3' },
        lastPingTime: '2026-03-01T02:00:00Z',
      },
      { name: 'never pinged', interval: 5, intervalUnit: 'minutes', enabled: false, expired: false },
    ],
    savedSearches: [{ id: idOf(8, 1), name: 'Open P1', query: 'status:open AND priority:P1', owner: { id: ADA } }],
    services: [{ id: idOf(17, 1), name: 'Shop', teamId: OPS, visibility: 'TEAM_MEMBERS' }],
    ...{ alerts: [], alertRequests: new Map(), alertRecipients: new Map(), alertLogs: new Map() },
  };
}

/** Adds so many users, teams and schedules, for figures of large accounts. */
export function growAccount(account: OpsgenieAccount, users: number, teamsAndSchedules: number): void {
  for (let number = 1; number <= users; number += 1) {
    const [id, username] = [idOf(100, number), `user${number}@example.com`];
    account.users.push(userOf(id, username, `User ${number}`));
    account.contacts.set(id, [contactOf(1_000 + number, 'email', username)]);
    account.notificationRules.set(id, [ruleOf(1_000 + number, { method: 'email', to: username })]);
  }
  for (let number = 1; number <= teamsAndSchedules; number += 1) {
    const [team, schedule, user] = [idOf(101, number), idOf(102, number), idOf(100, 1 + (number % Math.max(users, 1)))];
    account.teams.push({ id: team, name: `Team ${number}`, description: '', members: [] });
    account.routingRules.set(team, [
      { id: idOf(103, number), isDefault: true, order: 0, criteria: { type: 'match-all' }, notify: { type: 'none' } },
    ]);
    account.schedules.push({
      ...{ id: schedule, name: `Schedule ${number}`, timezone: 'Europe/Berlin', enabled: true },
      rotations: [rotationOf(1_000 + number, { type: 'user', id: user })],
    });
    account.onCall.set(schedule, [{ user, from: 0, until: 24 * 30 }]);
  }
}
