import { describe, expect, it } from '@jest/globals';
import { ALERT_LIMITS, codePoints, type CreateAlert, type NewAlert } from '@tocsin/events';
import { create } from '../testing/commands-samples.ts';
import { POLICY_CONTEXT, modifies, rulesOf } from '../testing/policy-rules-samples.ts';
import { applyPolicies } from './apply-policies.ts';
import type { Modification } from './policy.ts';

const sent = (alert: Partial<NewAlert> = {}, rest: Partial<CreateAlert> = {}): CreateAlert => ({
  ...create('Disk/WEB-1', { alert: { ...FULL, ...alert } }),
  ...rest,
});

const FULL: Partial<NewAlert> = {
  message: '  Disk full  ',
  description: 'on web-1',
  entity: 'web-1',
  actions: ['Restart'],
  tags: ['disk'],
  details: { region: 'eu', host: 'web-1' },
  responders: [
    { type: 'team', name: 'Ops' },
    { type: 'user', id: 'ada' },
    { type: 'schedule', id: 'nights' },
    { type: 'escalation', id: 'all' },
  ],
};

function after(changes: Partial<Modification>, command = sent()) {
  const { command: made, entry } = applyPolicies(rulesOf([modifies('Tidy', changes)]), command, POLICY_CONTEXT);
  return { alert: made.alert, source: made.source, log: entry?.log ?? '', command: made };
}

describe('a modify policy (part 1, 2.8)', () => {
  it('changes only the fields that it names, and logs them', () => {
    const command = sent();
    const { command: made, log } = after({}, command);
    expect(made).toEqual(command);
    expect(log).toBe('Policies: [Tidy] changed nothing.');
  });

  it.each([
    ['message', '{{message.trim().toUpperCase()}}', 'DISK FULL'],
    ['alias', '{{alias.toLowerCase().replace("/", "-")}}', 'disk-web-1'],
    ['description', '{{source}}: {{description}}', '10.0.0.7: on web-1'],
    ['entity', '{{entity.extract(/(\\w+)-/)}} in {{details.region}}', 'web in eu'],
  ] as const)('fills in %s (P4)', (field, template, expected) => {
    expect(after({ [field]: template }).alert[field]).toBe(expected);
  });

  it('keeps a part of a template that is no expression as text, except in the alias, and logs it (P4)', () => {
    const { alert, log } = after({ message: '{{message.trim()}} {{x', alias: '{{alias.shout()}}', tags: ['{{'] });
    expect(alert).toMatchObject({ message: 'Disk full {{x', alias: 'Disk/WEB-1', tags: ['disk', '{{'] });
    for (const said of ['message: [{{x]', 'alias: [{{alias.shout()}}]', 'tags: [{{]'])
      expect(log).toContain(`${said} of its template is not understood.`);
  });

  it('fills in the source (P4)', () => {
    expect(after({ source: '{{entity.substring(0, 3)}}' }).source).toBe('web');
  });

  it('fills in tags, actions and the values of details, and adds no empty tag or action (P4)', () => {
    const { alert } = after({
      tags: ['{{details.region.toUpperCase()}}', '{{details.none}}'],
      actions: ['Restart {{entity}}', '{{details.none}}'],
      details: [
        ['why', '{{message.trim()}}'],
        ['{{alias}}', ''],
      ],
    });
    expect(alert).toMatchObject({
      tags: ['disk', 'EU'],
      actions: ['Restart', 'Restart web-1'],
      details: { region: 'eu', why: 'Disk full', '{{alias}}': '' },
    });
  });

  it('offers templates the responders of the alert, its sender and its note (P4)', () => {
    const template = '{{user}}|{{note}}|{{teams}}|{{recipients}}|{{tags}}|{{priority}}';
    const { alert } = after({ message: template }, sent({}, { note: 'see wiki' }));
    expect(alert.message).toBe('Alert API|see wiki|Ops|ADA, NIGHTS, ALL|disk|P3');
  });

  it.each([
    ['a message', { message: '{{details.none}} ' }, { message: '  Disk full  ' }],
    ['an alias', { alias: '{{details.none}}' }, { alias: undefined }],
    ['a description', { description: '{{details.none}}' }, { description: '' }],
    ['an entity', { entity: '' }, { entity: '' }],
  ])('that leaves %s empty', (_, changes, expected) => {
    const command = sent();
    const { alert } = after(changes, command);
    expect(alert).toMatchObject('alias' in expected ? { alias: command.alert.alertId } : expected);
  });

  it('that leaves the source empty keeps the source', () => {
    expect(after({ source: '{{details.none}}' }).source).toBe('10.0.0.7');
  });

  it('adds tags, actions and details to those of the alert, each once; its details go before those of the alert', () => {
    const { alert } = after({
      tags: ['disk', 'new'],
      actions: ['Page'],
      details: [
        ['region', 'us'],
        ['$a.b', 'c'],
      ],
    });
    expect(alert).toMatchObject({
      tags: ['disk', 'new'],
      actions: ['Restart', 'Page'],
      details: { region: 'us', host: 'web-1', '$a.b': 'c' },
    });
  });

  it('replaces them if it ignores the original ones', () => {
    const { alert } = after({
      ignoreOriginalTags: true,
      ignoreOriginalActions: true,
      ignoreOriginalDetails: true,
      tags: ['new'],
      details: [['a', 'b']],
    });
    expect(alert).toMatchObject({ tags: ['new'], actions: [], details: { a: 'b' } });
  });

  it.each([
    ['recipients', { ignoreOriginalRecipients: true }, ['team']],
    ['teams', { ignoreOriginalTeams: true }, ['user', 'schedule', 'escalation']],
    ['recipients and teams', { ignoreOriginalRecipients: true, ignoreOriginalTeams: true }, []],
  ])('drops the original %s', (_, changes, types) => {
    expect(after(changes).alert.responders.map(({ type }) => type)).toEqual(types);
  });

  it('adds recipients, each once, however the alert names them', () => {
    const recipients = [
      { type: 'team', id: 'id-of-Ops' },
      { type: 'user', id: 'ada' },
      { type: 'user', id: 'eve' },
    ] as const;
    const { alert } = after({ recipients });
    expect(alert.responders.map(({ type, id }) => `${type} ${id ?? ''}`)).toEqual([
      'team id-of-Ops',
      'user ada',
      'schedule nights',
      'escalation all',
      'user eve',
    ]);
  });

  it('changes nothing by adding responders that the alert has already, by id or by name', () => {
    const recipients = [
      { type: 'team', id: 'id-of-Ops' },
      { type: 'schedule', id: 'nights' },
    ] as const;
    expect(after({ recipients }).log).toBe('Policies: [Tidy] changed nothing.');
  });

  it('adds every user for all, and no user for none', () => {
    const withoutResponders = { responders: [] };
    expect(after({ recipients: [{ type: 'all' }] }, sent(withoutResponders)).alert.responders).toEqual([
      { type: 'user', id: 'ada' },
      { type: 'user', id: 'bob' },
    ]);
    expect(after({ recipients: [{ type: 'none' }] }, sent(withoutResponders)).alert.responders).toEqual([]);
  });

  it('sets the priority, or leaves it', () => {
    expect(after({ priority: 'P1' }).alert.priority).toBe('P1');
    expect(after({}, sent({ priority: 'P5' })).alert.priority).toBe('P5');
  });

  it('logs once which fields it changed, from what to what', () => {
    expect(after({ message: '{{message.trim()}}', priority: 'P1', tags: ['new'] }).log).toBe(
      'Policies: [Tidy] changed message from [  Disk full  ] to [Disk full], priority from [P3] to [P1], tags from [disk] to [disk, new].',
    );
  });

  it('leaves the identifier under which the create was sent, so that writes by it stay in order (P15)', () => {
    const command = sent();
    expect(after({ alias: 'other' }, command).command).toMatchObject({ identifier: command.identifier });
  });
});

describe('the limits of an alert after a modify policy (E8)', () => {
  it.each(['message', 'alias', 'description', 'entity', 'source'] as const)('cut %s at its length', (field) => {
    const max = ALERT_LIMITS[field];
    const result = (length: number) => {
      const { alert, source, log } = after({ [field]: '€'.repeat(length) });
      return { length: codePoints(field === 'source' ? source : alert[field]), said: log.includes('was cut') };
    };
    expect(result(max)).toEqual({ length: max, said: false });
    expect(result(max + 1)).toEqual({ length: max, said: true });
  });

  it.each([
    ['actions', { actions: Array.from({ length: 10 }, (_, at) => `a${at}`) }, 'actions: 1 of 11 items were left out.'],
    ['tags', { tags: Array.from({ length: 20 }, (_, at) => `t${at}`) }, 'tags: 1 of 21 items were left out.'],
    ['details', { details: [['long', 'x'.repeat(8_000)]] as const }, 'details: [long] was left out'],
  ])('keep %s that fit, and the log says what was left out', (_, changes, said) => {
    expect(after(changes).log).toContain(said);
  });

  it('keep fields unchanged that are over the budget of the scope, and log it (P3)', () => {
    const dear = `{{description${'.substring(0)'.repeat(20)}}}`.repeat(4);
    const changes = {
      description: dear,
      tags: ['new', dear],
      actions: [dear],
      details: [
        ['b', dear],
        ['c', 'x'],
      ] as const,
    };
    const command = sent({ description: '\u{1F600}'.repeat(15_000) });
    const { alert, log } = after({ ...changes, message: 'Still changed' }, command);
    const { description, tags, actions, details } = command.alert;
    expect(alert).toMatchObject({ message: 'Still changed', description, tags: [...tags, 'new'], actions });
    expect(alert.details).toEqual({ ...details, c: 'x' });
    for (const said of [
      'description: stays as it was, its template is too expensive.',
      'tags: 1 were left out, their templates are too expensive.',
      'actions: 1 were left out',
      'details: 1 were left out',
    ])
      expect(log).toContain(said);
  });

  it('keep the details if the budget has no room to add one (P3)', () => {
    const details = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`k${at}`, '']));
    const rules = rulesOf(
      Array.from({ length: 60 }, (_, at) => modifies(`M${at}`, { continue: true, details: [[`new${at}`, 'x']] })),
    );
    const made = applyPolicies(rules, sent({ details }), POLICY_CONTEXT).command.alert.details;
    expect(Object.keys(made)).toContain('new0');
    expect(Object.keys(made)).not.toContain('new59');
  });

  it('keep fifty responders, those of the alert first', () => {
    const everyone = () => Array.from({ length: 60 }, (_, at) => `user-${at}`);
    const rules = rulesOf([modifies('All', { recipients: [{ type: 'all' }] })]);
    const { command, entry } = applyPolicies(rules, sent(), { ...POLICY_CONTEXT, everyone });
    expect(command.alert.responders).toHaveLength(50);
    expect(command.alert.responders.slice(0, 4).map(({ type }) => type)).toEqual([
      'team',
      'user',
      'schedule',
      'escalation',
    ]);
    expect(entry?.log).toContain('responders: 14 of 64 items were left out.');
  });

  it('read only as many of all users as fit, and log how many more there are', () => {
    const looked: string[] = [];
    const users = Array.from({ length: 10_000 }, (_, at) => `user-${at}`);
    const everyone = () =>
      new Proxy(users, {
        get: (target, key) => {
          if (typeof key === 'string' && /^\d+$/.test(key)) looked.push(key);
          return Reflect.get(target, key) as unknown;
        },
      });
    const rules = rulesOf([modifies('All', { recipients: [{ type: 'all' }] })]);
    const { command, entry } = applyPolicies(rules, sent(), { ...POLICY_CONTEXT, everyone });
    expect(command.alert.responders).toHaveLength(50);
    expect(new Set(looked).size).toBeLessThanOrEqual(100);
    expect(entry?.log).toContain('responders: 9954 of 10004 items were left out.');
  });
});
