import { describe, expect, test } from '@jest/globals';
import {
  ACTION_GROUPS,
  ATTACHMENT_LIMITS,
  CONDITION_FIELDS,
  CONDITION_OPERATIONS,
  CONDITION_SET_TYPES,
  CreatePolicyV2Body,
  DELAY_OPTIONS,
  DurationBody,
  IntegrationActionsBody,
  MAIL_CONDITION_FIELDS,
  operation,
  OPERATIONS as API_OPERATIONS,
  TimeRestrictionBody,
  UpdatePolicyV2Body,
} from '@tocsin/api';
import { type AlertWrite, operationOf } from '../src/alerts/alert-write.ts';
import { fieldOptions, FIELDS, MATCH_TYPES, OPERATIONS } from '../src/conditions/conditions-text.ts';
import { DAYS, MAX_STRETCHES, NEW_STRETCH, weeklyRestriction } from '../src/conditions/time-restriction.ts';
import { MAX_FILE_BYTES } from '../src/files/file-fault.ts';
import { actionOf, formOf as formOfAction } from '../src/integrations/action-form.ts';
import { type Action, GROUPS } from '../src/integrations/actions.ts';
import { bodyOf, DELAY_NAMES, formOf, LENGTH_UNITS, type Policy } from '../src/policies/policy-form.ts';

describe('the page of an alert', () => {
  const NAMED: Readonly<Record<AlertWrite['action'], true>> = {
    acknowledge: true,
    actions: true,
    assign: true,
    close: true,
    delete: true,
    description: true,
    details: true,
    escalate: true,
    message: true,
    notes: true,
    priority: true,
    responders: true,
    snooze: true,
    tags: true,
    unacknowledge: true,
  };
  /** A team is added as a responder, too; files have calls of their own. */
  const ELSEWHERE = new Set(['add-responder-team', 'add-attachment', 'delete-attachment']);

  test('It has every write of one alert.', () => {
    const actions = Object.keys(NAMED) as AlertWrite['action'][];
    const asked = actions.flatMap((action) => {
      const { method, path } = operationOf({ id: '{identifier}', action, name: '{actionName}' });
      const ways = action === 'tags' || action === 'details' ? ([method, 'DELETE'] as const) : [method];
      return ways.map((way) => `${way} ${decodeURIComponent(path)}`);
    });
    const writes = API_OPERATIONS.filter(
      ({ id, method, path }) => path.startsWith('/v2/alerts/{identifier}') && method !== 'GET' && !ELSEWHERE.has(id),
    );

    expect(asked.toSorted()).toEqual(writes.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  test('It takes files up to the length that the API takes.', () => {
    expect(MAX_FILE_BYTES).toBe(ATTACHMENT_LIMITS.bytes);
  });
});

describe('the form of conditions', () => {
  test('It has all fields of the API, each of the same kind, and of each kind the same operations.', () => {
    const kinds = Object.fromEntries(Object.entries(FIELDS).map(([name, [kind]]) => [name, kind]));
    const sorted = (operations: Readonly<Record<string, readonly string[]>>) =>
      Object.entries(operations).map(([kind, names]) => [kind, names.toSorted()]);

    expect(kinds).toEqual({ ...CONDITION_FIELDS, ...MAIL_CONDITION_FIELDS });
    expect(fieldOptions('alert').map(({ value }) => value)).toEqual(
      expect.arrayContaining(Object.keys(CONDITION_FIELDS)),
    );
    expect(fieldOptions('alert')).toHaveLength(Object.keys(CONDITION_FIELDS).length);
    expect(sorted(OPERATIONS)).toEqual(sorted(CONDITION_OPERATIONS));
    expect(MATCH_TYPES.toSorted()).toEqual(CONDITION_SET_TYPES.toSorted());
  });
});

describe('the form of an integration action', () => {
  const common = {
    order: 0,
    name: 'Tests',
    filter: { conditionMatchType: 'match-all', conditions: [] },
    alias: '{{alias}}',
    user: '{{user}}',
    note: '{{note}}',
  };
  const CREATE: Action = {
    type: 'create',
    ...common,
    message: '{{message}}',
    description: '{{description}}',
    source: '{{source}}',
    entity: 'db',
    priority: 'P1',
    customPriority: '{{details.severity}}',
    tags: ['db'],
    alertActions: ['restart'],
    extraProperties: { host: '{{source}}' },
    recipients: [{ type: 'all' }],
    responders: [{ type: 'all' }],
    appendAttachments: false,
    ignoreAlertActionsFromPayload: true,
    ignoreRecipientsFromPayload: true,
    ignoreTeamsFromPayload: false,
    ignoreRespondersFromPayload: false,
    ignoreTagsFromPayload: true,
    ignoreExtraPropertiesFromPayload: true,
  };
  /** What the order of the list says, and the second names of other fields. */
  const NOT_IN_ACTION = new Set(['order', 'recipients', 'ignoreRespondersFromPayload']);

  /** The fields that a read of the API has for the actions of a group. */
  function fieldsOfGroup(group: (typeof GROUPS)[number]): readonly string[] {
    const { success } = operation('list-integration-actions');
    if (!('schema' in success)) throw new TypeError('The answer is no JSON.');
    const { $defs = {} } = success.schema.toJSONSchema();
    const { items } = $defs['IntegrationActions']?.properties?.[group] as { items: { properties: object } };
    return Object.keys(items.properties).filter((name) => !NOT_IN_ACTION.has(name));
  }

  test('It has the groups of the API.', () => {
    expect(GROUPS).toEqual(ACTION_GROUPS);
  });

  test.each(GROUPS)('An action of the group %s has no field that the form lacks, and the API takes it.', (group) => {
    const action = group === 'create' ? CREATE : { type: group, ...common };
    const written = actionOf(formOfAction(action), group, action);

    expect(Object.keys(written).toSorted()).toEqual(fieldsOfGroup(group).toSorted());
    expect(IntegrationActionsBody.safeParse({ [group]: [written] }).error).toBeUndefined();
    expect(written).toEqual(
      Object.fromEntries(
        Object.entries(action)
          .filter(([name]) => !NOT_IN_ACTION.has(name))
          .map(([name, value]) => [name, name === 'filter' ? { conditionMatchType: 'match-all' } : value]),
      ),
    );
  });

  test('A flag for the responders of one kind alone stays one of that kind.', () => {
    const [read] = IntegrationActionsBody.parse({ create: [actionOf(formOfAction(CREATE), 'create', CREATE)] }).create;

    expect(read).toMatchObject({ ignoreRecipientsFromPayload: true, ignoreTeamsFromPayload: false });
    expect(read?.ignoreRespondersFromPayload).toBeUndefined();
  });
});

describe('the form of a time restriction', () => {
  test('The API takes as many stretches as the form, and each of its days.', () => {
    const days = DAYS.map((day) => ({ ...NEW_STRETCH, startDay: day, endDay: day }));
    const most = Array.from({ length: MAX_STRETCHES }, (_, index) => days[index % days.length] ?? NEW_STRETCH);

    expect(TimeRestrictionBody.safeParse(weeklyRestriction(most)).success).toBe(true);
    expect(TimeRestrictionBody.safeParse(weeklyRestriction([...most, NEW_STRETCH])).success).toBe(false);
  });
});

const common = {
  id: 'p1',
  name: 'Quiet',
  enabled: true,
  policyDescription: '',
  filter: {
    type: 'match-all-conditions',
    conditions: [{ field: 'priority', operation: 'equals', expectedValue: 'P5', not: false, order: 0 }],
  },
  timeRestrictions: weeklyRestriction([NEW_STRETCH]),
};
const duration = { timeAmount: 30, timeUnit: 'minutes' } as const;

/** Policies with each field of their type. */
const OF_ALL_FIELDS: Readonly<Record<Policy['type'], Policy>> = {
  notification: {
    ...common,
    type: 'notification',
    suppress: false,
    delayAction: { delayOption: 'next-weekday', untilHour: 8, untilMinute: 30 },
    deduplicationAction: { deduplicationActionType: 'value-based', count: 3 },
    autoCloseAction: { duration },
    autoRestartAction: { duration, maxRepeatCount: 5 },
  },
  alert: {
    ...common,
    type: 'alert',
    teamId: 't1',
    message: '{{message}} on {{details.host}}',
    alias: '{{alias}}',
    entity: '{{entity}}',
    source: '{{source}}',
    description: '{{description}}',
    alertDescription: '{{description}}',
    continue: false,
    ignoreOriginalDetails: false,
    ignoreOriginalTags: true,
    ignoreOriginalActions: false,
    ignoreOriginalResponders: false,
    details: { host: 'a' },
    tags: ['db'],
    priority: 'P1',
    actions: [],
    responders: [{ type: 'team', id: 't2' }],
  },
};
const TYPES = ['alert', 'notification'] as const;

/** What a body cannot have, and the second name of `alertDescription`. */
const NOT_IN_FORM = new Set(['id', 'teamId', 'description']);
/** The fields that a read of the API has for a type of policy. */
function fieldsOfType(type: Policy['type']): readonly string[] {
  const { success } = operation('get-policy-v2');
  if (!('schema' in success)) throw new TypeError('The answer is no JSON.');
  const { $defs = {} } = success.schema.toJSONSchema();
  const ofType = ($defs['PolicyV2']?.oneOf as readonly TypeSchema[]).find(
    ({ properties }) => properties['type']?.const === type,
  );
  return Object.keys(ofType?.properties ?? {});
}
interface TypeSchema {
  readonly properties: Readonly<Record<string, { readonly const?: unknown }>>;
}

describe('the form of a policy', () => {
  test.each(TYPES)('A policy of the type %s has no field that the form lacks.', (type) => {
    const policy = OF_ALL_FIELDS[type];
    const names = fieldsOfType(type).filter((name) => !NOT_IN_FORM.has(name));

    expect(names.length).toBeGreaterThan(5);
    expect(Object.keys(bodyOf(formOf(policy), type, policy)).toSorted()).toEqual(names.toSorted());
  });

  test.each(TYPES)('The API takes a policy of the type %s as the form writes it.', (type) => {
    const policy = OF_ALL_FIELDS[type];

    expect(UpdatePolicyV2Body.safeParse(bodyOf(formOf(policy), policy.type, policy)).error).toBeUndefined();
  });

  test('A new policy of each kind needs a name alone.', () => {
    for (const kind of ['alert', 'notification'] as const) {
      const body = bodyOf({ ...formOf(undefined), name: ' Quiet ' }, kind, undefined);
      const missing = bodyOf(formOf(undefined), kind, undefined);

      expect(CreatePolicyV2Body.parse(body)).toMatchObject({ name: 'Quiet', enabled: true, filter: { written: {} } });
      expect(CreatePolicyV2Body.safeParse(missing).error?.issues.map(({ path }) => path)).toEqual([['name']]);
    }
  });

  test('A text that is emptied stays as the alert has it.', () => {
    const policy = OF_ALL_FIELDS.alert;
    const { effects } = CreatePolicyV2Body.parse(bodyOf({ ...formOf(policy), alias: '' }, 'alert', policy));

    expect(effects).toMatchObject({ modify: { alias: '{{alias}}' } });
  });

  test('It offers each option of a delay, each kind of deduplication and each unit of a length.', () => {
    const lengths = LENGTH_UNITS.map((timeUnit) => ({ timeAmount: 90_000_000, timeUnit }));

    expect(Object.keys(DELAY_NAMES)).toEqual(DELAY_OPTIONS);
    expect(lengths.map((length) => DurationBody.safeParse(length).error?.issues[0]?.path)).toEqual([
      ['timeAmount'],
      ['timeAmount'],
      ['timeAmount'],
      ['timeAmount'],
      undefined,
    ]);
  });
});
