import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { MATCH_ALL } from '../messages/conditions.ts';
import {
  CreatePolicyBody,
  CreatePolicyV2Body,
  MovePolicyBody,
  policiesTakeTooLong,
  POLICY_V1_TYPES,
  UpdatePolicyBody,
  UpdatePolicyV2Body,
} from './policies.ts';
import { DELAY_OPTIONS } from './policy-effects.ts';

const problems = (schema: z.ZodType, body: unknown) =>
  schema.safeParse(body).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];

const v1 = (type: string, fields: object = {}) => ({ type, name: 'p', enabled: true, ...fields });
const modify = (fields: object = {}) => v1('modify', { message: 'm', ...fields });
const alert = (fields: object = {}) => ({ type: 'alert', name: 'p', message: 'm', ...fields });
const notification = (fields: object = {}) => ({ type: 'notification', name: 'p', ...fields });

const hour = { timeAmount: 1, timeUnit: 'hours' };
const DEDUPLICATION = { deduplicationActionType: 'value-based', count: 2 };
const DELAY = { delayOption: 'next-time', untilHour: 8, untilMinute: 30 };
const RESTRICTION = {
  type: 'time-of-day',
  restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 15 },
};

/** A body of each type of version 1, and of each kind of version 2, with nothing that may be left out. */
const LEAST_V1 = {
  'auto-restart-notifications': v1('auto-restart-notifications', { duration: hour, maxRepeatCount: 3 }),
  'auto-close': v1('auto-close', { duration: hour }),
  'notification-suppress': v1('notification-suppress'),
  'notification-deduplication': v1('notification-deduplication', DEDUPLICATION),
  'notification-delay': v1('notification-delay', DELAY),
  modify: modify(),
} as const;
const NO_EFFECT = {
  kind: 'notification',
  suppress: false,
  delay: undefined,
  deduplication: undefined,
  autoClose: undefined,
  autoRestart: undefined,
};
const NO_CHANGE = {
  continue: false,
  message: 'm',
  alias: '{{alias}}',
  description: '{{description}}',
  entity: '{{entity}}',
  source: '{{source}}',
  ignoreOriginalActions: false,
  ignoreOriginalDetails: false,
  ignoreOriginalRecipients: false,
  ignoreOriginalTeams: false,
  ignoreOriginalTags: false,
  actions: [],
  details: [],
  recipients: [],
  tags: [],
  priority: undefined,
};
const COMMON = {
  name: 'p',
  enabled: true,
  description: '',
  filter: { set: MATCH_ALL, written: {} },
  timeRestriction: undefined,
};

describe('the body of a policy by version 1', () => {
  it.each([
    ['auto-restart-notifications', { ...NO_EFFECT, autoRestart: { duration: hour, maxRepeatCount: 3 } }],
    ['auto-close', { ...NO_EFFECT, autoClose: { duration: hour } }],
    ['notification-suppress', { ...NO_EFFECT, suppress: true }],
    ['notification-deduplication', { ...NO_EFFECT, deduplication: { type: 'value-based', count: 2 } }],
    ['notification-delay', { ...NO_EFFECT, delay: { option: 'next-time', untilHour: 8, untilMinute: 30 } }],
    ['modify', { kind: 'alert', modify: NO_CHANGE }],
  ] as const)('of type %s is that effect, in any letter case', (type, effects) => {
    expect(CreatePolicyBody.parse(LEAST_V1[type])).toEqual({ ...COMMON, effects });
    expect(UpdatePolicyBody.parse({ ...LEAST_V1[type], type: ` ${type.toUpperCase()} ` })).toEqual({
      ...COMMON,
      effects,
    });
  });

  it.each(['notification-renotify', 'alert', '', undefined, 7])('refuses the type %s, naming it (P17)', (type) => {
    const message = `should be one of [ ${POLICY_V1_TYPES.join(', ')} ]`;
    expect(problems(CreatePolicyBody, { ...modify(), type })).toEqual([['type', message]]);
  });

  it.each([null, undefined, [], 'modify', 7])('refuses %j, which is no object', (body) => {
    expect(problems(CreatePolicyBody, body)).toEqual([['', 'should be an object']]);
    expect(problems(CreatePolicyV2Body, body)).toEqual([['', 'should be an object']]);
  });

  it.each([
    ['name', 'Name can not be empty.', POLICY_V1_TYPES],
    ['enabled', 'should be true or false', POLICY_V1_TYPES],
    ['message', 'Message can not be empty.', ['modify']],
    ['duration', 'should be an object with timeAmount and timeUnit', ['auto-close', 'auto-restart-notifications']],
    ['deduplicationActionType', 'should be provided', ['notification-deduplication']],
    ['count', 'should be a whole number from 2 to 100', ['notification-deduplication']],
    ['delayOption', `should be one of [ ${DELAY_OPTIONS.join(', ')} ]`, ['notification-delay']],
  ] as const)('needs %s', (field, message, types) => {
    for (const type of types) {
      const body = { ...LEAST_V1[type], [field]: undefined };
      expect([type, problems(CreatePolicyBody, body)]).toEqual([type, [[field, message]]]);
    }
  });

  it.each([
    [{ timeRestrictions: RESTRICTION }, 'timeRestriction', RESTRICTION],
    [{ timeRestriction: RESTRICTION }, 'timeRestriction', RESTRICTION],
    [{ timeRestrictions: {} }, 'timeRestriction', undefined],
    [{ policyDescription: 'why' }, 'description', 'why'],
    [{ policyDescription: null }, 'description', ''],
    [{ enabled: 'False' }, 'enabled', false],
  ])('reads %j, of every type', (fields, name, expected) => {
    for (const type of POLICY_V1_TYPES)
      expect(CreatePolicyBody.parse({ ...LEAST_V1[type], ...fields })).toHaveProperty([name], expected);
  });

  it('leaves out when 0 what clients leave out: maxRepeatCount, untilHour and untilMinute', () => {
    const restart = CreatePolicyBody.parse(v1('auto-restart-notifications', { duration: hour }));
    expect(restart.effects).toHaveProperty('autoRestart.maxRepeatCount', 0);
    const delay = CreatePolicyBody.parse(v1('notification-delay', { delayOption: 'next-monday' }));
    expect(delay.effects).toHaveProperty('delay', { option: 'next-monday', untilHour: 0, untilMinute: 0 });
  });

  it('takes alertActions and actions for the same, the documented name first', () => {
    const actionsOf = (fields: object) => CreatePolicyBody.parse(modify(fields)).effects;
    expect(actionsOf({ alertActions: ['a'] })).toHaveProperty('modify.actions', ['a']);
    expect(actionsOf({ actions: ['b'] })).toHaveProperty('modify.actions', ['b']);
    expect(actionsOf({ alertActions: ['a'], actions: ['b'] })).toHaveProperty('modify.actions', ['a']);
  });

  it.each([
    ['continue', 'continue'],
    ['ignoreOriginalAlertActions', 'ignoreOriginalActions'],
    ['ignoreOriginalDetails', 'ignoreOriginalDetails'],
    ['ignoreOriginalRecipients', 'ignoreOriginalRecipients'],
    ['ignoreOriginalTags', 'ignoreOriginalTags'],
    ['ignoreOriginalTeams', 'ignoreOriginalTeams'],
  ])('reads the flag %s by itself, and refuses what is none', (field, name) => {
    const { effects } = CreatePolicyBody.parse(modify({ [field]: 'true' }));
    expect(effects).toEqual({ kind: 'alert', modify: { ...NO_CHANGE, [name]: true } });
    expect(problems(CreatePolicyBody, modify({ [field]: 'yes' }))).toEqual([[field, 'should be true or false']]);
  });
});

describe('the body of a policy by version 2', () => {
  it('of an alert policy is its modification, enabled unless told', () => {
    expect(CreatePolicyV2Body.parse(alert())).toEqual({ ...COMMON, effects: { kind: 'alert', modify: NO_CHANGE } });
    expect(CreatePolicyV2Body.parse(alert({ type: 'ALERT', enabled: 'false' }))).toHaveProperty('enabled', false);
  });

  it('of a notification policy is any of its effects, or none', () => {
    expect(CreatePolicyV2Body.parse(notification())).toEqual({ ...COMMON, effects: NO_EFFECT });
    const all = {
      suppress: 'true',
      delayAction: DELAY,
      deduplicationAction: DEDUPLICATION,
      autoCloseAction: { duration: hour },
      autoRestartAction: { duration: hour },
    };
    expect(CreatePolicyV2Body.parse(notification(all)).effects).toEqual({
      kind: 'notification',
      suppress: true,
      delay: { option: 'next-time', untilHour: 8, untilMinute: 30 },
      deduplication: { type: 'value-based', count: 2 },
      autoClose: { duration: hour },
      autoRestart: { duration: hour, maxRepeatCount: 0 },
    });
  });

  it('leaves enabled as it is where a PUT does not say', () => {
    expect(UpdatePolicyV2Body.parse(alert({ enabled: null })).enabled).toBeUndefined();
    expect(UpdatePolicyV2Body.parse(notification({ enabled: true })).enabled).toBe(true);
  });

  it.each(['notification-renotify', 'modify', undefined, null])('refuses the type %s, naming it', (type) => {
    const refused = [['type', 'should be one of [ alert, notification ]']];
    expect(problems(CreatePolicyV2Body, { ...alert(), type })).toEqual(refused);
    expect(problems(UpdatePolicyV2Body, { ...alert(), type })).toEqual(refused);
  });

  it.each([
    [{ deduplicationAction: DEDUPLICATION }],
    [{ deduplicationActionAction: DEDUPLICATION }],
    [{ deduplicationActionAction: { deduplicationType: 'Value-Based', count: 2 } }],
  ])('reads %j as one deduplication: clients differ in the names (wire facts 5)', (fields) => {
    const { effects } = CreatePolicyV2Body.parse(notification(fields));
    expect(effects).toHaveProperty('deduplication', { type: 'value-based', count: 2 });
  });

  it('takes alertDescription and description for the template, policyDescription for its own text', () => {
    const read = (fields: object) => {
      const { description, effects } = CreatePolicyV2Body.parse(alert(fields));
      return [description, effects.kind === 'alert' && effects.modify.description];
    };
    expect(read({ description: 'd' })).toEqual(['', 'd']);
    expect(read({ alertDescription: 'a', description: 'd', policyDescription: 'p' })).toEqual(['p', 'a']);
  });

  it('lets ignoreOriginalResponders stand for the two flags of version 1', () => {
    const { effects } = CreatePolicyV2Body.parse(alert({ ignoreOriginalResponders: 'TRUE' }));
    const both = { ignoreOriginalRecipients: true, ignoreOriginalTeams: true };
    expect(effects).toEqual({ kind: 'alert', modify: { ...NO_CHANGE, ...both } });
  });

  it.each(['continue', 'ignoreOriginalActions', 'ignoreOriginalDetails', 'ignoreOriginalTags'])(
    'reads the flag %s by itself, and refuses what is none',
    (field) => {
      const { effects } = CreatePolicyV2Body.parse(alert({ [field]: 'true' }));
      expect(effects).toEqual({ kind: 'alert', modify: { ...NO_CHANGE, [field]: true } });
      expect(problems(CreatePolicyV2Body, alert({ [field]: 1 }))).toEqual([[field, 'should be true or false']]);
    },
  );

  it.each([
    ['suppress', 'no', 'suppress', 'should be true or false'],
    ['delayAction', 'next-time', 'delayAction', 'should be an object'],
    ['delayAction', { delayOption: 'for-duration' }, 'delayAction.duration', 'should be provided'],
    ['deduplicationAction', [], 'deduplicationAction', 'should be an object'],
    ['deduplicationAction', { count: 2 }, 'deduplicationAction.deduplicationActionType', 'should be provided'],
    ['autoCloseAction', {}, 'autoCloseAction.duration', 'should be an object with timeAmount and timeUnit'],
    ['autoRestartAction', {}, 'autoRestartAction.duration', 'should be an object with timeAmount and timeUnit'],
  ])('refuses as %s %j', (field, value, path, message) => {
    expect(problems(CreatePolicyV2Body, notification({ [field]: value }))).toEqual([[path, message]]);
  });
});

describe('both bodies of a policy', () => {
  const ofAlerts = [
    ['version 1', CreatePolicyBody, modify],
    ['version 2', CreatePolicyV2Body, alert],
  ] as const;

  it.each([
    ['name', 'n', 512],
    ['policyDescription', 'd', 512],
    ['message', 'm', 1_000],
    ['alias', 'a', 512],
    ['description', 'd', 15_000],
    ['entity', 'e', 512],
    ['source', 's', 100],
  ])('take as %s so many code points, and no more', (field, letter, max) => {
    for (const [version, schema, body] of ofAlerts) {
      const longest = '😀'.repeat(max - 1) + letter;
      expect([version, problems(schema, body({ [field]: longest }))]).toEqual([version, []]);
      const refused = [[field, `should be at most ${max} characters`]];
      expect([version, problems(schema, body({ [field]: `${longest}x` }))]).toEqual([version, refused]);
    }
  });

  it.each([
    ['tags', 20, 1_000],
    ['actions', 10, 50],
  ])('take as %s so many, and no more', (field, most, longest) => {
    for (const [, schema, body] of ofAlerts) {
      const list = (count: number, length: number) =>
        body({ [field]: Array.from({ length: count }, () => 'x'.repeat(length)) });
      expect(problems(schema, list(most, longest))).toEqual([]);
      expect(problems(schema, list(most + 1, 1))).toEqual([[field, `should have at most ${most} items`]]);
      expect(problems(schema, list(1, longest + 1))).toEqual([
        [`${field}.0`, `should be at most ${longest} characters`],
      ]);
    }
  });

  it.each(['message', 'alias', 'description', 'entity', 'source'])(
    'take a template as %s, and no broken one (P4)',
    (field) => {
      for (const [, schema, body] of ofAlerts) {
        expect(schema.parse(body({ [field]: '{{alias.toLowerCase()}}' })).effects).toHaveProperty(
          ['modify', field],
          '{{alias.toLowerCase()}}',
        );
        expect(problems(schema, body({ [field]: '{{alias.shout()}}' }))).toEqual([
          [field, 'should be a template such as {{message}} or {{details.host.toLowerCase()}}'],
        ]);
      }
    },
  );

  it.each([
    ['tags', ['{{']],
    ['actions', ['{{']],
    ['details', { a: '{{' }],
  ])('refuse broken templates as %s', (field, broken) => {
    for (const [, schema, body] of ofAlerts)
      expect(problems(schema, body({ [field]: broken }))).toEqual([[field, 'should be templates such as {{message}}']]);
  });

  it('take blank templates for none', () => {
    const blank = { alias: '', description: '', entity: '', source: null };
    for (const [, schema, body] of ofAlerts)
      expect(schema.parse(body(blank)).effects).toEqual({ kind: 'alert', modify: NO_CHANGE });
  });

  it.each([
    [
      { b: 'x', a: 1 },
      [
        ['b', 'x'],
        ['a', '1'],
      ],
    ],
    [
      [
        { key: 'b', value: 'x' },
        { key: 'a', value: true },
      ],
      [
        ['b', 'x'],
        ['a', 'true'],
      ],
    ],
    [
      ['x', 'y'],
      [
        ['0', 'x'],
        ['1', 'y'],
      ],
    ],
    [
      { '0': 'x', '1': 'y' },
      [
        ['0', 'x'],
        ['1', 'y'],
      ],
    ],
    [{ 'a.b': 'x', $c: null }, [['a.b', 'x']]],
    [[{ key: 'a', value: null }], []],
    [null, []],
  ])('read the details %j', (details, expected) => {
    for (const [, schema, body] of ofAlerts)
      expect(schema.parse(body({ details })).effects).toHaveProperty('modify.details', expected);
  });

  it.each([
    ['a=b', 'details', 'should be a map of strings'],
    [[['a']], 'details.0', 'should be a string'],
    [{ a: {} }, 'details.a', 'should be a string'],
    [
      JSON.parse('{"__proto__":"x"}') as unknown,
      'details',
      'should have no name that is __proto__ or holds a NUL character',
    ],
    [{ a: 'x'.repeat(1_001) }, 'details.a', 'should be at most 1000 characters'],
  ])('refuse %j as details', (details, path, message) => {
    for (const [, schema, body] of ofAlerts) expect(problems(schema, body({ details }))).toEqual([[path, message]]);
  });

  it('read recipients of every kind by id, name or user name', () => {
    const recipients = [
      { type: 'User', username: 'ann@example.com', id: '' },
      { type: 'team', id: 't1', name: 'Ops', username: '' },
      { type: 'escalation', name: 'Night' },
      { type: 'schedule', id: 's1' },
      { type: 'ALL', id: 'ignored' },
      { type: 'none' },
    ];
    const expected = [
      { type: 'user', id: undefined, name: 'ann@example.com' },
      { type: 'team', id: 't1', name: 'Ops' },
      { type: 'escalation', id: undefined, name: 'Night' },
      { type: 'schedule', id: 's1', name: undefined },
      { type: 'all' },
      { type: 'none' },
    ];
    expect(CreatePolicyBody.parse(modify({ recipients })).effects).toHaveProperty('modify.recipients', expected);
    expect(CreatePolicyV2Body.parse(alert({ responders: recipients })).effects).toHaveProperty(
      'modify.recipients',
      expected,
    );
  });

  it.each([
    [{ type: 'role', id: 'r' }, '.type', 'should be one of [ user, escalation, schedule, team, all, none ]'],
    [{ type: 'team' }, '', 'id or name should be provided'],
    ['Ops', '', 'should be an object with type and id or name'],
  ])('refuse %j as a recipient', (recipient, path, message) => {
    expect(problems(CreatePolicyBody, modify({ recipients: [recipient] }))).toEqual([[`recipients.0${path}`, message]]);
    expect(problems(CreatePolicyV2Body, alert({ responders: [recipient] }))).toEqual([
      [`responders.0${path}`, message],
    ]);
  });

  it.each(['P1', 'P2', 'P3', 'P4', 'p5'])('read the priority %s, and none where it is empty', (priority) => {
    for (const [, schema, body] of ofAlerts) {
      expect(schema.parse(body({ priority })).effects).toHaveProperty('modify.priority', priority.toUpperCase());
      expect(schema.parse(body({ priority: '' })).effects).toHaveProperty('modify.priority', undefined);
      const refused = [['priority', 'should be one of [ P1, P2, P3, P4, P5 ]']];
      expect(problems(schema, body({ priority: 'P6' }))).toEqual(refused);
    }
  });

  const ofFlow = [
    ['version 1', CreatePolicyBody, '', (action: string, fields: object) => v1(V1_TYPE_OF[action] ?? '', fields)],
    ['version 2', CreatePolicyV2Body, '.', (action: string, fields: object) => notification({ [action]: fields })],
  ] as const;
  const V1_TYPE_OF: Readonly<Record<string, string>> = {
    delayAction: 'notification-delay',
    deduplicationAction: 'notification-deduplication',
    autoCloseAction: 'auto-close',
    autoRestartAction: 'auto-restart-notifications',
  };

  it.each([
    ['delayAction', DELAY, 'untilHour', [0, 23], [-1, 24, 7.5, '8'], 'should be a whole number from 0 to 23'],
    ['delayAction', DELAY, 'untilMinute', [0, 59], [-1, 60], 'should be a whole number from 0 to 59'],
    [
      'deduplicationAction',
      DEDUPLICATION,
      'count',
      [2, 100],
      [0, 1, 101, 2.5],
      'should be a whole number from 2 to 100',
    ],
    [
      'autoRestartAction',
      { duration: hour },
      'maxRepeatCount',
      [0, 20],
      [-1, 21],
      'should be a whole number from 0 to 20',
    ],
    [
      'delayAction',
      DELAY,
      'delayOption',
      [...DELAY_OPTIONS.slice(1), 'Next-Monday'],
      ['next-month', '', 5],
      `should be one of [ ${DELAY_OPTIONS.join(', ')} ]`,
    ],
    [
      'deduplicationAction',
      { ...DEDUPLICATION, duration: hour },
      'deduplicationActionType',
      ['value-based', 'frequency-based', 'Frequency-Based'],
      ['count-based', ''],
      'should be one of [ value-based, frequency-based ]',
    ],
  ])('of %s %j take as %s any of %j and none of %j', (action, fields, field, good, bad, message) => {
    for (const [version, schema, separator, bodyOf] of ofFlow) {
      const path = separator === '' ? field : `${action}.${field}`;
      for (const value of good)
        expect([version, value, problems(schema, bodyOf(action, { ...fields, [field]: value }))]).toEqual([
          version,
          value,
          [],
        ]);
      for (const value of bad)
        expect([version, value, problems(schema, bodyOf(action, { ...fields, [field]: value }))]).toEqual([
          version,
          value,
          [[path, message]],
        ]);
    }
  });

  it.each([
    ['delayAction', { delayOption: 'For-Duration' }, 'delay', { option: 'for-duration', duration: hour }],
    [
      'deduplicationAction',
      { deduplicationActionType: 'frequency-based', count: 2 },
      'deduplication',
      { type: 'frequency-based', count: 2, duration: hour },
    ],
    ['autoCloseAction', {}, 'autoClose', { duration: hour }],
  ])('of %s %j need a duration, in any unit', (action, fields, effect, expected) => {
    for (const [, schema, separator, bodyOf] of ofFlow) {
      expect(schema.parse(bodyOf(action, { ...fields, duration: hour })).effects).toHaveProperty(effect, expected);
      const path = separator === '' ? 'duration' : `${action}.duration`;
      expect(problems(schema, bodyOf(action, fields)).map(([place]) => place)).toEqual([path]);
      const wrong = { ...fields, duration: { timeAmount: 0, timeUnit: 'hours' } };
      expect(problems(schema, bodyOf(action, wrong))).toEqual([
        [`${path}.timeAmount`, 'should be a whole number of at least 1'],
      ]);
    }
  });

  it('keep no duration where none has an effect', () => {
    for (const [, schema, , bodyOf] of ofFlow) {
      const delayed = schema.parse(bodyOf('delayAction', { ...DELAY, duration: hour }));
      expect(delayed.effects).toHaveProperty('delay', { option: 'next-time', untilHour: 8, untilMinute: 30 });
      const deduplicated = schema.parse(bodyOf('deduplicationAction', { ...DEDUPLICATION, duration: hour }));
      expect(deduplicated.effects).toHaveProperty('deduplication', { type: 'value-based', count: 2 });
    }
  });

  const schemas = [
    [CreatePolicyBody, LEAST_V1['notification-suppress']],
    [UpdatePolicyV2Body, notification()],
  ] as const;

  it('keep conditions with their orders, and their places where these have none', () => {
    const condition = { field: 'message', operation: 'contains', expectedValue: 'x' };
    const filter = {
      type: 'match-any-condition',
      conditions: [{ ...condition, order: 5 }, condition, { ...condition, order: 0 }],
    };
    for (const [schema, least] of schemas) {
      const read = schema.parse({ ...least, filter }).filter;
      expect(read.written.conditions?.map(({ order }) => order)).toEqual([5, 1, 0]);
      expect(read.set.conditions.map(({ order }) => order)).toEqual([5, 1, 0]);
      expect(schema.parse({ ...least, filter: read.written }).filter).toEqual(read);
    }
  });

  it('take an empty filter for match-all, and none for none (E12)', () => {
    for (const [schema, least] of schemas) {
      expect(schema.parse({ ...least, filter: {} }).filter).toEqual({ set: MATCH_ALL, written: { type: 'match-all' } });
      expect(schema.parse({ ...least, filter: null }).filter).toEqual({ set: MATCH_ALL, written: {} });
    }
  });

  it.each([
    ['filter', { type: 'match-all-conditions' }, 'filter.conditions', 'Conditions can not be empty.'],
    ['filter', 'all', 'filter', 'should be an object with type and conditions'],
    [
      'timeRestrictions',
      { type: 'daily' },
      'timeRestrictions.type',
      'should be one of [ time-of-day, weekday-and-time-of-day ]',
    ],
    ['policyDescription', 5, 'policyDescription', 'should be a string'],
  ])('refuse as %s %j', (field, value, path, message) => {
    for (const [schema, least] of schemas)
      expect(problems(schema, { ...least, [field]: value })).toEqual([[path, message]]);
  });
});

describe('the patterns of a policy', () => {
  const matching = (expectedValue: string, times = 1) => ({
    type: 'match-all-conditions',
    conditions: Array.from({ length: times }, () => ({ field: 'message', operation: 'matches', expectedValue })),
  });
  /** Each of the two is within the bound alone. */
  const filter = matching('([a-z]+[0-9]+){40}', 8);
  const message = '{{description.extract(/([a-z]+[0-9]+){10}/)}}';

  it('are refused where they do not compile, each by its field', () => {
    const broken = {
      filter: matching('('),
      message: '{{message.extract(/(/)}}',
      tags: ['x', '{{message.extract(/a/, 2)}}'],
      actions: ['{{message.extract(/(/)}}'],
      details: { host: '{{message.extract(/(/)}}' },
    };
    const fields = (schema: z.ZodType, body: unknown) => problems(schema, body).map(([path]) => path);
    const others = ['filter.conditions.0.expectedValue', 'message'];
    expect(fields(CreatePolicyBody, modify(broken))).toEqual([...others, 'alertActions.0', 'tags.1', 'details.host']);
    expect(fields(CreatePolicyV2Body, alert(broken))).toEqual([...others, 'actions.0', 'tags.1', 'details.host']);
  });

  it('count together, those of the filter and those of templates', () => {
    expect(problems(CreatePolicyBody, modify({ filter }))).toEqual([]);
    expect(problems(CreatePolicyBody, modify({ message }))).toEqual([]);
    const refusal = 'takes too long, with the patterns before it: use fewer or plainer patterns';
    expect(problems(CreatePolicyBody, modify({ filter, message }))).toEqual([['message', refusal]]);
    expect(problems(UpdatePolicyV2Body, alert({ filter, message }))).toEqual([['message', refusal]]);
  });

  it('of several policies count together', () => {
    const filtering = CreatePolicyBody.parse(v1('notification-suppress', { filter }));
    const modifying = CreatePolicyBody.parse(modify({ message }));
    expect(policiesTakeTooLong([filtering])).toBe(false);
    expect(policiesTakeTooLong([modifying])).toBe(false);
    expect(policiesTakeTooLong([filtering, modifying])).toBe(true);
  });
});

describe('the body that moves a policy', () => {
  it('counts places from 0, which clients leave out (P8)', () => {
    expect(MovePolicyBody.parse({})).toEqual({ targetIndex: 0 });
    expect(MovePolicyBody.parse({ targetIndex: 7, Type: 'alert' })).toEqual({ targetIndex: 7 });
    expect(problems(MovePolicyBody, { targetIndex: -1 })).toEqual([
      ['targetIndex', 'should be a whole number of at least 0'],
    ]);
  });
});
