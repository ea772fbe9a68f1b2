import { describe, expect, it } from '@jest/globals';
import { CreatePolicyBody, CreatePolicyV2Body } from '../resources/policy-bodies.ts';
import { alert, modify, NO_CHANGE, problems } from '../testing/policy-bodies.ts';

describe('both bodies of a modify policy', () => {
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
    'take a template as %s, also one of which a part is no expression: an evaluation says so (P4)',
    (field) => {
      for (const [, schema, body] of ofAlerts) {
        for (const template of ['{{alias.toLowerCase()}}', '{{alias.shout()}}'])
          expect(schema.parse(body({ [field]: template })).effects).toHaveProperty(['modify', field], template);
      }
    },
  );

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
    [{ type: 'team', email: 'ops@example.com' }, '', 'id or name should be provided'],
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

  it('take 1000 details (E14) and as many recipients as an alert keeps, and no more (A10)', () => {
    const details = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`d${at}`, 'x']));
    const users = (count: number) => Array.from({ length: count }, (_, at) => ({ type: 'user', id: `u${at}` }));
    const refused = (field: string, most: number) => [[field, `should have at most ${most} items`]];
    for (const [, schema, body] of ofAlerts) {
      expect(problems(schema, body({ details: details(1_000) }))).toEqual([]);
      expect(problems(schema, body({ details: details(1_001) }))).toEqual(refused('details', 1_000));
    }
    expect(problems(CreatePolicyBody, modify({ recipients: users(50) }))).toEqual([]);
    expect(problems(CreatePolicyBody, modify({ recipients: users(51) }))).toEqual(refused('recipients', 50));
    expect(problems(CreatePolicyV2Body, alert({ responders: users(50) }))).toEqual([]);
    expect(problems(CreatePolicyV2Body, alert({ responders: users(51) }))).toEqual(refused('responders', 50));
  });
});
