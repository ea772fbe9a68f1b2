import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import type { Fields } from './system/policies.ts';
import { useSystem } from './system/system.ts';
import { known, type Resource } from './system/terraform-plan.ts';

/** The requests are those of Terraform and the Go SDK: with the fields that these send empty, twice or for themselves. */
const system = useSystem();
let scenario: Scenario;
let team: { readonly id: string };
let ada: { readonly id: string };

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  ada = await system.api.read(`/v2/users/${scenario.address('ada')}`);
  team = await scenario.team('Ops');
  await system.settle();
});

const minutes = (timeAmount: number) => ({ timeAmount, timeUnit: 'minutes' });
const hours = { startHour: 21, startMin: 15, endHour: 7, endMin: 0 };
const weekdays = {
  type: 'weekday-and-time-of-day',
  restrictions: [
    { startDay: 'sunday', ...hours, endDay: 'monday' },
    { startDay: 'monday', ...hours, startMin: 0, endDay: 'tuesday' },
  ],
  restriction: {},
};
/** Every condition is in place 0, where the configuration names no places. */
const conditions = [
  { field: 'message', not: false, operation: 'contains', expectedValue: 'disk', order: 0 },
  { field: 'extra-properties', not: true, operation: 'equals', expectedValue: 'b2', key: 'rack', order: 0 },
  { field: 'tags', not: false, operation: 'is-empty', order: 0 },
];
const filters = {
  all: { filter: { type: 'match-all' } },
  some: { filter: { type: 'match-any-condition', conditions } },
  sorted: {
    filter: { type: 'match-all-conditions', conditions: conditions.map((each, order) => ({ ...each, order })) },
  },
};

/** As the provider sends an alert policy whose configuration is a name and a message, and `more`. */
const alertPolicy = (more: Fields = {}): Fields => ({
  type: 'alert',
  name: scenario.name('policy'),
  enabled: true,
  policyDescription: '',
  message: 'This is a test message',
  continue: false,
  alias: '{{alias}}',
  description: '{{description}}',
  entity: '{{entity}}',
  source: '{{source}}',
  ignoreOriginalDetails: false,
  ignoreOriginalActions: false,
  ignoreOriginalResponders: false,
  ignoreOriginalTags: false,
  ...more,
});
const notificationPolicy = (more: Fields = {}): Fields => ({
  type: 'notification',
  name: scenario.name('policy'),
  enabled: true,
  policyDescription: 'For the team',
  suppress: false,
  ...filters.all,
  ...more,
});

/**
 * Creates what `first` says, changes it to `second` and back and destroys it, in the calls of the provider, with an empty plan
 * after each; resolves with the status of a read after that.
 */
async function applied(resource: Resource, teamId: string, first: Fields, second: Fields): Promise<number> {
  const query = teamId === '' ? '' : `?teamId=${teamId}`;
  const { id } = await system.api.create(`/v2/policies${query}`, { ...first, TeamId: teamId });
  const path = `/v2/policies/${id}`;
  const planIsEmpty = async (configured: Fields) => {
    const data = await system.api.read<Fields>(path + query);
    expect(data['type']).toBe(configured['type']);
    expect(known(resource, data)).toEqual(known(resource, configured));
  };
  await planIsEmpty(first);
  for (const changed of [second, second, first]) {
    await system.api.expect(200, 'PUT', `${path}?teamId=${teamId}`, { ...changed, TeamId: teamId, Id: id });
    await planIsEmpty(changed);
  }
  await system.api.expect(200, 'DELETE', path + query);
  return (await system.api.request('GET', path + query)).status;
}

describe('opsgenie_alert_policy', () => {
  it('of the account: without a filter, with an empty one, with conditions in no order or in one', async () => {
    for (const filter of Object.values(filters)) {
      const restricted = alertPolicy({ ...filter, timeRestrictions: weekdays, enabled: false });
      expect(await applied('opsgenie_alert_policy', '', alertPolicy(), restricted)).toBe(404);
    }
  });

  it('of a team, with everything that a configuration may say', async () => {
    const responders = [
      { type: 'team', id: team.id, username: '' },
      { type: 'user', id: ada.id, username: '' },
    ];
    const whole = alertPolicy({
      ...filters.some,
      timeRestrictions: { type: 'time-of-day', restriction: hours },
      continue: true,
      alias: 'alias',
      description: 'Test Description',
      entity: 'test',
      source: 'new source',
      ignoreOriginalDetails: true,
      ignoreOriginalActions: true,
      ignoreOriginalResponders: true,
      ignoreOriginalTags: true,
      priority: 'P3',
      responders,
      tags: ['test', 'other'],
      actions: ['test_action'],
    });
    const bare = alertPolicy({ responders: [responders[0]] });
    expect(await applied('opsgenie_alert_policy', team.id, whole, bare)).toBe(404);
  });
});

describe('opsgenie_notification_policy', () => {
  it.each([
    ['a delay until a time of day', { delayAction: { delayOption: 'next-time', untilMinute: 30, untilHour: 7 } }],
    ['a delay until midnight', { delayAction: { delayOption: 'next-sunday', untilMinute: 0, untilHour: 0 } }],
    [
      'a delay of a while',
      { delayAction: { delayOption: 'for-duration', untilMinute: 0, untilHour: 0, duration: minutes(90) } },
    ],
    ['value-based deduplication', { deduplicationAction: { deduplicationActionType: 'value-based', count: 20 } }],
    [
      'frequency-based deduplication',
      {
        deduplicationAction: {
          deduplicationActionType: 'frequency-based',
          duration: { timeAmount: 2, timeUnit: 'hours' },
          count: 2,
        },
      },
    ],
    ['auto-close', { autoCloseAction: { duration: { timeAmount: 1, timeUnit: 'days' } } }],
    ['auto-restart', { autoRestartAction: { duration: minutes(5), maxRepeatCount: 20 } }],
    ['auto-restart that repeats nothing', { autoRestartAction: { duration: minutes(5) } }],
    ['suppression', { suppress: true }],
  ] as const)('with %s, and changed to others and back', async (_, effect) => {
    const others = {
      autoCloseAction: { duration: minutes(60) },
      autoRestartAction: { duration: minutes(1), maxRepeatCount: 1 },
      timeRestrictions: weekdays,
    };
    const [first, second] = [notificationPolicy(effect), notificationPolicy({ ...others, ...filters.sorted })];
    expect(await applied('opsgenie_notification_policy', team.id, first, second)).toBe(404);
    expect(await applied('opsgenie_notification_policy', team.id, second, first)).toBe(404);
  });
});

describe('opsgenie_maintenance', () => {
  const path = '/v1/maintenance';
  interface Window extends Fields {
    readonly id: string;
    readonly status: string;
  }
  const schedule = (startDate: string, endDate: string) => ({ type: 'schedule', startDate, endDate });
  const ofIntegration = async () => {
    const emailUsername = `ops.${team.id}`;
    const { id } = await system.api.create('/v2/integrations', {
      type: 'Email',
      name: scenario.name('Mail'),
      emailUsername,
    });
    return [{ state: 'disabled', entity: { id, type: 'integration' } }];
  };

  /** It reads a list first, and then the one. */
  async function read(id: string): Promise<Window> {
    const windows = await system.api.read<readonly Window[]>(path);
    expect(windows.filter((window) => window.id === id)).toHaveLength(1);
    return system.api.read<Window>(`${path}/${id}`);
  }
  const planIsEmpty = async (id: string, configured: Fields) => {
    expect(known('opsgenie_maintenance', await read(id))).toEqual(known('opsgenie_maintenance', configured));
  };
  async function create(configured: Fields): Promise<string> {
    const { id } = await system.api.create(path, configured);
    await planIsEmpty(id, configured);
    return id;
  }
  /** Resolves with the status of a read after that. */
  async function destroyed(id: string): Promise<number> {
    await system.api.expect(200, 'DELETE', `${path}/${id}`);
    return (await system.api.request('GET', `${path}/${id}`)).status;
  }

  it('that began years ago ends later than it was to, and is destroyed while it lasts', async () => {
    const configured = {
      description: 'Disks',
      time: schedule('2019-06-20T17:45:00Z', '2027-01-02T17:50:00Z'),
      rules: await ofIntegration(),
    };
    const id = await create(configured);
    expect(await read(id)).toMatchObject({ status: 'active' });
    const endDate = '2027-03-02T17:50:00Z';
    await system.api.expect(200, 'POST', `${path}/${id}/change-end-date`, { Id: id, endDate });
    await planIsEmpty(id, { ...configured, time: schedule('2019-06-20T17:45:00Z', endDate) });
    expect(await destroyed(id)).toBe(404);
  });

  it('that is planned is replaced, with a policy beside the integration', async () => {
    const configured = {
      description: 'Disks',
      time: schedule('2035-06-20T17:45:00Z', '2036-01-02T17:50:00Z'),
      rules: await ofIntegration(),
    };
    const id = await create(configured);
    expect(await read(id)).toMatchObject({ status: 'planned' });
    const policy = await system.api.create(`/v2/policies?teamId=${team.id}`, notificationPolicy({ suppress: true }));
    const changed = {
      description: '',
      time: schedule('2035-06-20T17:46:01Z', '2036-01-02T17:50:02Z'),
      rules: [{ state: 'enabled', entity: { id: policy.id, type: 'policy' } }, ...configured.rules],
    };
    for (const next of [changed, changed, configured]) {
      await system.api.expect(200, 'PUT', `${path}/${id}`, { ...next, Id: id });
      await planIsEmpty(id, next);
    }
    expect(await destroyed(id)).toBe(404);
  });

  it.each(['for-5-minutes', 'for-30-minutes', 'for-1-hour', 'indefinitely'])(
    'of type %s has no dates',
    async (type) => {
      expect(await destroyed(await create({ description: 'Now', time: { type }, rules: await ofIntegration() }))).toBe(
        404,
      );
    },
  );
});

describe('the Go SDK', () => {
  it('switches and moves a policy with the fields that it sends for itself, and cancels a window', async () => {
    const query = `?teamId=${team.id}`;
    const ids: string[] = [];
    for (const name of ['a', 'b'])
      ids.push((await system.api.create(`/v2/policies${query}`, notificationPolicy({ name, suppress: true }))).id);
    const own = { id: ids[1], TeamId: team.id, Type: 'notification' };
    for (const verb of ['disable', 'change-order'])
      await system.api.expect(200, 'POST', `/v2/policies/${ids[1] ?? ''}/${verb}${query}`, own);
    expect(await system.api.read(`/v2/policies/notification${query}`)).toMatchObject([
      { id: ids[1], name: 'b', type: 'notification', enabled: false },
      { id: ids[0], name: 'a', type: 'notification', order: 1, enabled: true },
    ]);
    const rules = [{ state: 'disabled', entity: { id: ids[0], type: 'policy' } }];
    const { id } = await system.api.create('/v1/maintenance', { description: '', time: { type: 'for-1-hour' }, rules });
    await system.api.expect(200, 'POST', `/v1/maintenance/${id}/cancel`, { Id: id });
    expect(await system.api.read(`/v1/maintenance/${id}`)).toMatchObject({ status: 'cancelled' });
  });
});
