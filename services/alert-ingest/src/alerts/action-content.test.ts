import { describe, expect, it } from '@jest/globals';
import { ALERT_LIMITS, codePoints, type NewAlert } from '@tocsin/events';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { ALERT, made, SENT, TO_ADA, TO_OPS, where } from '../testing/evaluation.ts';
import { type IntegrationContent, NO_CONTENT, type Recipient } from '../integrations/content.ts';
import type { SentAlert } from './sent-alert.ts';

describe('a create action', () => {
  it('fills in every template and takes over what it does not ignore', () => {
    const outcome = made({
      alias: '{{entity}}-{{details.host}}',
      message: '{{message.toUpperCase()}}',
      description: '{{tags}} {{note}}',
      entity: '{{source}}',
      source: 'probe',
      user: '{{alias}}',
      note: '{{unknown}}',
      customPriority: '{{details.none}}',
      tags: ['{{entity}}', 'prod'],
      alertActions: ['restart'],
      extraProperties: { region: '{{details.host}}' },
    });
    expect(outcome).toMatchObject({
      alias: 'e-db-1',
      user: 'cpu',
      source: 'probe',
      note: '',
      alert: {
        alias: 'e-db-1',
        message: 'CPU HIGH',
        description: 'prod first',
        entity: '192.0.2.7',
        priority: 'P3',
        tags: ['prod', 'e'],
        actions: ['ping', 'restart'],
        details: { host: 'db-1', region: 'db-1' },
      },
    });
  });

  it('drops of the payload what it ignores', () => {
    const flags = {
      ignoreTagsFromPayload: true,
      ignoreAlertActionsFromPayload: true,
      ignoreExtraPropertiesFromPayload: true,
    };
    expect(made(flags)).toMatchObject({ alert: { tags: [], actions: [], details: {} } });
  });

  it.each([
    [{ priority: 'P1' as const }, {}, 'P1'],
    [{ customPriority: '{{details.p}}', priority: 'P2' as const }, { p: 'P5' }, 'P5'],
    [{ customPriority: '{{details.p}}', priority: 'P2' as const }, { p: 'high' }, 'P2'],
    [{ customPriority: '{{details.p}}' }, {}, 'P3'],
  ])('%j on %j gives priority %s', (body, details, priority) => {
    expect(made(body, [], {}, { ...SENT, alert: { ...ALERT, details } })).toMatchObject({ alert: { priority } });
  });

  it('extracts a priority, and where it comes out as none says so and falls back to the default (P4)', () => {
    const body = { customPriority: '{{message.extract(/^\\[(\\S+)\\].*$/, 1)}}' };
    const from = (message: string) => ({ ...SENT, alert: { ...ALERT, message } });
    const remarks = ['customPriority of action [A] came out as [urgent], which is no priority.'];
    expect(made(body, [], {}, from('[P1] disk'))).toMatchObject({ alert: { priority: 'P1' } });
    expect(made(body, [], {}, from('[P1] disk'))).not.toHaveProperty('alert.remarks');
    expect(made(body, [], {}, from('[urgent] disk'))).toMatchObject({ alert: { priority: 'P3', remarks } });
    const nothing = ['customPriority of action [A] came out as [], which is no priority.'];
    const unknown = { customPriority: '{{condition_name.extract(/^\\[(\\S+)\\].*$/, 1)}}' };
    expect(made(unknown)).toMatchObject({ alert: { priority: 'P3', remarks: nothing } });
  });

  it('keeps a part of a template that is no expression as text, and the log says which (P4)', () => {
    const body = {
      message: '{{message}} {{condition_name.extract(/^\\[(\\S+)\\].*$/, 1)}',
      tags: ['{{entity}}', '{{x.shout()}}'],
      extraProperties: { host: '{{' },
    };
    expect(made(body)).toMatchObject({
      alert: {
        message: 'CPU high {{condition_name.extract(/^\\[(\\S+)\\].*$/, 1)}',
        tags: ['prod', 'e', '{{x.shout()}}'],
        details: { host: '{{' },
        remarks: [
          'message: [{{condition_name.extract(/^\\[(\\S+)\\].*$/, 1)}] of its template is not understood.',
          'tags: [{{x.shout()}}] of its template is not understood.',
          'details.host: [{{] of its template is not understood.',
        ],
      },
    });
  });

  it('keeps the alias that was sent where a part of its own is no expression: alerts would be one by it (A1)', () => {
    const broken = { alias: '{{message.shout()}}' };
    const remarks = ['alias: [{{message.shout()}}] of its template is not understood.'];
    expect(made(broken)).toMatchObject({ alias: 'cpu', alert: { alias: 'cpu', remarks } });
    const nameless = { ...SENT, alias: '', alert: { ...ALERT, alias: 'id-1' } };
    expect(made(broken, [], {}, nameless)).toMatchObject({ alias: '', alert: { alias: 'id-1', remarks } });
  });

  it('reads what its sender sent, by _payload (P4)', () => {
    const payload = {
      message: 'CPU high',
      check: { 'host.name': 'db-1', values: [97.5, 'x', {}], up: false },
      list: [{ a: 'b' }],
    };
    const description =
      '{{_payload.check.host.name.toUpperCase()}} {{_payload.check.values}} {{_payload.check.up}} {{_payload.list[0].a}}' +
      '{{_payload.none.x}}{{_payload.list}}{{_payload.constructor}}';
    expect(made({ description }, [], {}, { ...SENT, payload })).toMatchObject({
      alert: { description: 'DB-1 97.5, x, {} false b{"a":"b"}' },
    });
    expect(made({ description: '[{{_payload.check}}]' })).toMatchObject({ alert: { description: '[]' } });
  });

  it('keeps the message that was SENT where its own is blank', () => {
    expect(made({ message: '{{unknown}} ' })).toMatchObject({ alert: { message: 'CPU high' } });
  });

  it('never makes an alert over a limit, and says what it cut (P4, E8)', () => {
    const word = fc.string({ unit: anyCodePoint, maxLength: 20 }).map((text) => text.repeat(40).replaceAll('{', ''));
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 30 }), (text, tags) => {
        const body = { alias: text, message: text, entity: text, source: text, user: text, description: text, tags };
        const outcome = made({ ...body, extraProperties: { [text]: text.repeat(20) } });
        if (outcome.kind !== 'create') throw new Error('no alert');
        const made_ = outcome.alert;
        expect(codePoints(made_.message)).toBeLessThanOrEqual(ALERT_LIMITS.message);
        expect(codePoints(made_.alias)).toBeLessThanOrEqual(ALERT_LIMITS.alias);
        expect(codePoints(outcome.user)).toBeLessThanOrEqual(ALERT_LIMITS.user);
        expect(made_.tags.length).toBeLessThanOrEqual(ALERT_LIMITS.tags);
        expect(made_.tags.every((tag) => codePoints(tag) <= ALERT_LIMITS.tagLength)).toBe(true);
        expect(made_.message.trim()).not.toBe('');
      }),
    );
  });
});

describe('recipients (P11)', () => {
  const named = (...responders: NewAlert['responders']): SentAlert => ({ ...SENT, alert: { ...ALERT, responders } });
  const PAYLOAD = named({ type: 'team', name: 'Ops' }, { type: 'user', id: 'user-9' });
  const user = { type: 'user', id: 'user-1' };
  const team = { type: 'team', id: 'team-1' };

  it.each([
    ['of the integration where the payload names none', [], {}, [TO_ADA], SENT, [user]],
    ['of the payload alone where it names some', [], {}, [TO_ADA], PAYLOAD, PAYLOAD.alert.responders],
    ['of the integration where its flag drops', [], { ignoreRecipients: true }, [TO_ADA], PAYLOAD, [team, user]],
    ['of no other where both are dropped', [], { ignoreResponders: true }, [], PAYLOAD, []],
    ['of teams dropped', [], { ignoreTeams: true }, [], PAYLOAD, [{ type: 'user', id: 'user-9' }]],
    [
      'of the action beside the payload, each once',
      [TO_OPS, TO_ADA],
      {},
      [],
      PAYLOAD,
      [team, { type: 'user', id: 'user-9' }, user],
    ],
    ['none is no recipient', [], {}, [{ type: 'none', target: undefined }], SENT, []],
    ['all is every user', [], {}, [{ type: 'all', target: undefined }], SENT, [user, { type: 'user', id: 'user-2' }]],
  ] as const)('%s', (_, action, flags, integration, from, expected) => {
    expect(made({}, action, { ...flags, recipients: integration }, from)).toMatchObject({
      alert: { responders: expected },
    });
  });

  it('leave the alert of a team key to its team (K4)', () => {
    const from = { ...named({ type: 'team', id: 'team-7' }), teamKey: true };
    expect(made({}, [TO_ADA], { recipients: [TO_ADA], ignoreTeams: true }, from)).toMatchObject({
      alert: { responders: [{ type: 'team', id: 'team-7' }] },
    });
  });

  it('beyond 50 are left out, of the integration and of the action alike, which the log says', () => {
    const many = Array.from({ length: 60 }, (_, index): Recipient => {
      return { type: 'user', target: { id: `user-${index}`, name: `u${index}` } };
    });
    for (const outcome of [made({}, [], { recipients: many }), made({}, many)])
      expect(outcome).toMatchObject({
        alert: { responders: { length: 50 }, remarks: ['responders: 10 of 60 items were left out.'] },
      });
  });

  it('are found by filters under id and name (P3)', () => {
    for (const word of ['Ops', 'team-1'])
      expect(made({ filter: where('teams', word) }, [], {}, PAYLOAD)).toMatchObject({ kind: 'create' });
    expect(made({ filter: where('recipients', 'user-9') }, [], {}, PAYLOAD)).toMatchObject({ kind: 'create' });
  });

  it('are there and get nothing where the integration suppresses notifications; the alert says why', () => {
    expect(made({}, [], { suppressNotifications: true }, PAYLOAD)).toMatchObject({
      alert: {
        responders: PAYLOAD.alert.responders,
        visibleTo: PAYLOAD.alert.visibleTo,
        suppressed: 'Integration [Probe] suppresses notifications',
      },
    });
    expect(made({}, [], {}, PAYLOAD)).not.toHaveProperty('alert.suppressed');
  });
});

describe('what the integration says itself (wire facts 5; P1)', () => {
  const said = (content: Partial<IntegrationContent>, body = {}, from = SENT) =>
    made(body, [], { content: { ...NO_CONTENT, ...content } }, from);
  const urgent: SentAlert = { ...SENT, prioritized: true, alert: { ...ALERT, priority: 'P4' } };

  it.each([
    ['is that of the integration where nothing else has one', { priority: 'P1' as const }, {}, SENT, 'P1'],
    ['is that of the payload before the one of the integration', { priority: 'P1' as const }, {}, urgent, 'P4'],
    ['is that of the action before both', { priority: 'P1' as const }, { priority: 'P2' as const }, urgent, 'P2'],
    ['is what its template gives', { priority: 'P1' as const, customPriority: 'p{{details.n}}' }, {}, SENT, 'P5'],
    [
      'is the fixed one where its template gives none',
      { priority: 'P1' as const, customPriority: 'x' },
      {},
      SENT,
      'P1',
    ],
    ['is P3 where its template gives none', { customPriority: '{{details.none}}' }, {}, SENT, 'P3'],
  ])('the priority %s', (_, content, body, from, priority) => {
    const alert = { ...from.alert, details: { n: '5' } };
    expect(said(content, body, { ...from, alert })).toMatchObject({ alert: { priority } });
  });

  it('adds its tags to those of the payload and the action, each once', () => {
    const outcome = said({ tags: ['prod', '{{entity}}', 'all'] }, { tags: ['own'] });
    expect(outcome).toMatchObject({ alert: { tags: ['prod', 'own', 'e', 'all'] } });
  });

  it('adds the properties that neither the payload nor the action has', () => {
    const extraProperties = [
      ['host', 'integration'],
      ['region', 'integration'],
      ['by', '{{details.host}}'],
    ] as const;
    const outcome = said({ extraProperties }, { extraProperties: { region: 'action' } });
    expect(outcome).toMatchObject({ alert: { details: { host: 'db-1', region: 'action', by: 'db-1' } } });
  });

  it('drops tags and details of the payload, those alone', () => {
    const body = { tags: ['own'], extraProperties: { k: 'v' } };
    expect(said({ ignoreTags: true }, body)).toMatchObject({
      alert: { tags: ['own'], details: { host: 'db-1', k: 'v' } },
    });
    expect(said({ ignoreExtraProperties: true }, body)).toMatchObject({
      alert: { tags: ['prod', 'own'], actions: ['ping'], details: { k: 'v' } },
    });
  });

  it('gives its alerts to the assigned team and its recipients, as P11 says', () => {
    const content = { ...NO_CONTENT, assignedTeam: { id: 'team-1', name: 'Ops' } };
    const changes = { content, recipients: [TO_ADA, TO_OPS] };
    const both = [
      { type: 'team', id: 'team-1' },
      { type: 'user', id: 'user-1' },
    ];
    expect(made({}, [], changes)).toMatchObject({ alert: { responders: both } });
    const named: SentAlert = { ...SENT, alert: { ...ALERT, responders: [{ type: 'user', id: 'user-9' }] } };
    expect(made({}, [], changes, named)).toMatchObject({ alert: { responders: named.alert.responders } });
    expect(made({}, [], { ...changes, ignoreRecipients: true }, named)).toMatchObject({ alert: { responders: both } });
    expect(made({}, [], changes, { ...named, teamKey: true })).toMatchObject({
      alert: { responders: named.alert.responders },
    });
  });

  it('never makes an alert over a limit, and says what was cut (E8)', () => {
    const alert = { ...ALERT, tags: Array.from({ length: 20 }, (_, index) => `t${index}`) };
    const content = { tags: ['x'.repeat(60), 'y'], extraProperties: [['k', 'v'.repeat(1_000)]] as const };
    const details = { pad: 'x'.repeat(7_997) };
    expect(said(content, {}, { ...SENT, alert: { ...alert, details } })).toMatchObject({
      alert: {
        tags: alert.tags,
        details,
        remarks: ['tags: 2 of 22 items were left out.', 'details: [k] was left out, over 8000 characters.'],
      },
    });
  });
});
