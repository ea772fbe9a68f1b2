import { describe, expect, it } from '@jest/globals';
import {
  ACTION_GROUPS,
  ALERT_LIMITS,
  codePoints,
  type ActionGroup,
  type ConditionSet,
  type IntegrationActionBody,
  type NewAlert,
} from '@tocsin/contracts';
import { compileConditions } from '@tocsin/rules';
import fc from 'fast-check';
import { evaluate } from './evaluate.ts';
import { actionOf, arranged, DEFAULT_ACTIONS, type ActionGroups } from './integration-action.ts';
import type { Recipient } from './recipient.ts';
import type { ResponderNames, Rules, SentAlert } from './sent-alert.ts';

const alert: NewAlert = {
  ...{ alertId: 'id-1', alias: 'cpu', message: 'CPU high', description: 'd', entity: 'e', priority: 'P3' },
  ...{ responders: [], visibleTo: [], actions: ['ping'], tags: ['prod'], details: { host: 'db-1' } },
};
const sent: SentAlert = { alert, alias: 'cpu', source: '192.0.2.7', user: '', note: 'first', teamKey: false };
const names: ResponderNames = {
  nameOf: (_, id) => (id === 'team-1' ? 'Ops' : undefined),
  idOf: (_, name) => (name === 'Ops' ? 'team-1' : undefined),
  everyone: () => ['user-1', 'user-2'],
};
const OPS: Recipient = { type: 'team', target: { id: 'team-1', name: 'Ops' } };
const ADA: Recipient = { type: 'user', target: { id: 'user-1', name: 'ada' } };

const where = (field: string, expectedValue: string): IntegrationActionBody['filter'] => {
  const conditions = [{ field, not: false, operation: 'contains' as const, expectedValue }];
  return { set: { type: 'match-all-conditions', conditions }, written: {} };
};
const rulesOf = (actions: ActionGroups, changes: Partial<Rules> = {}): Rules => ({
  ...{ name: 'Probe', actions, recipients: [], suppressNotifications: false },
  ...{ ignoreRecipients: false, ignoreTeams: false, ignoreResponders: false },
  ...changes,
});
const groups = (...bodies: readonly IntegrationActionBody[]): ActionGroups => {
  const of = (type: ActionGroup) => bodies.filter((body) => body.type === type).map((body) => actionOf(body, [], 0));
  const [ignore, create, close] = [of('ignore'), of('create'), of('close')];
  return arranged({ ignore, create, close, acknowledge: of('acknowledge'), addNote: of('addNote') });
};
const made = (body: Partial<IntegrationActionBody>, recipients: readonly Recipient[] = [], changes = {}, from = sent) =>
  evaluate(
    rulesOf({ ...DEFAULT_ACTIONS, create: [actionOf({ type: 'create', name: 'A', ...body }, recipients, 0)] }, changes),
    from,
    names,
  );

describe('the actions of an integration (P1)', () => {
  it('of a new one take what was sent as it is', () => {
    expect(evaluate(rulesOf(DEFAULT_ACTIONS), sent, names)).toEqual({
      ...{ kind: 'create', alert, alias: 'cpu', user: '', source: '192.0.2.7', note: 'first' },
    });
    expect(
      evaluate(rulesOf(DEFAULT_ACTIONS), { ...sent, alias: '', alert: { ...alert, alias: 'id-1' } }, names),
    ).toEqual(expect.objectContaining({ alias: '', alert: { ...alert, alias: 'id-1' } }));
  });

  it('drop what an ignore action holds for, and what no action holds for, naming the rule (A8)', () => {
    const ignoring = groups(
      { type: 'ignore', name: 'Tests', filter: where('message', 'CPU') },
      { type: 'create', name: 'C' },
    );
    expect(evaluate(rulesOf(ignoring), sent, names)).toEqual({
      ...{ kind: 'dropped', rule: 'Ignored by action [Tests] of integration [Probe].' },
    });
    const closing = groups({ type: 'close', name: 'C', filter: where('message', 'recovered') });
    expect(evaluate(rulesOf(closing), sent, names)).toEqual({
      ...{ kind: 'dropped', rule: 'No action of integration [Probe] matches.' },
    });
  });

  it.each([
    ['close', 'close', 'first'],
    ['acknowledge', 'acknowledge', 'first'],
    ['addNote', 'add-note', 'first'],
  ] as const)('of group %s order %s of the alert of their alias', (type, kind, note) => {
    const actions = groups({ type, name: 'A', alias: 'x-{{alias}}', user: 'robot' });
    expect(evaluate(rulesOf(actions), sent, names)).toEqual({ kind, alias: 'x-cpu', user: 'robot', note });
    const nameless = groups({ type, name: 'A' });
    expect(evaluate(rulesOf(nameless), { ...sent, alias: '' }, names)).toMatchObject({ kind: 'dropped' });
  });

  it('that add a note say the message where there is no note', () => {
    const actions = groups({ type: 'addNote', name: 'A' });
    expect(evaluate(rulesOf(actions), { ...sent, note: '' }, names)).toMatchObject({ note: 'CPU high' });
  });

  it('are tried group after group and by order, the default last, the first that holds alone deciding', () => {
    const body = fc.record({
      type: fc.constantFrom(...ACTION_GROUPS),
      order: fc.nat(5),
      word: fc.constantFrom('CPU', 'high', 'low', 'disk'),
    });
    fc.assert(
      fc.property(fc.array(body, { maxLength: 12 }), (list) => {
        const bodies = list.map(({ type, order, word }, index): IntegrationActionBody => {
          return { type, order, name: `${type} ${index}`, alias: `to-${index}`, filter: where('message', word) };
        });
        const expected = ACTION_GROUPS.flatMap((type) =>
          bodies.filter((each) => each.type === type).sort((a, b) => (a.order ?? 0) - (b.order ?? 0)),
        ).find(({ filter }) => compileConditions((filter?.set ?? {}) as ConditionSet)({ message: 'CPU high' }));
        const decided = (): object => {
          if (bodies.length === 0) return { kind: 'create', alias: 'cpu' };
          if (expected === undefined) return { kind: 'dropped', rule: 'No action of integration [Probe] matches.' };
          if (expected.type !== 'ignore') return { alias: expected.alias };
          return { kind: 'dropped', rule: `Ignored by action [${expected.name}] of integration [Probe].` };
        };
        expect(evaluate(rulesOf(groups(...bodies)), sent, names)).toMatchObject(decided());
      }),
    );
  });
});

describe('a create action', () => {
  it('fills in every template and takes over what it does not ignore', () => {
    const outcome = made({
      ...{
        alias: '{{entity}}-{{details.host}}',
        message: '{{message.toUpperCase()}}',
        description: '{{tags}} {{note}}',
      },
      ...{
        entity: '{{source}}',
        source: 'probe',
        user: '{{alias}}',
        note: '{{unknown}}',
        customPriority: '{{details.none}}',
      },
      ...{ tags: ['{{entity}}', 'prod'], alertActions: ['restart'], extraProperties: { region: '{{details.host}}' } },
    });
    expect(outcome).toMatchObject({
      ...{ alias: 'e-db-1', user: 'cpu', source: 'probe', note: '' },
      alert: {
        ...{ alias: 'e-db-1', message: 'CPU HIGH', description: 'prod first', entity: '192.0.2.7', priority: 'P3' },
        ...{ tags: ['prod', 'e'], actions: ['ping', 'restart'], details: { host: 'db-1', region: 'db-1' } },
      },
    });
  });

  it('drops of the payload what it ignores', () => {
    const flags = {
      ...{ ignoreTagsFromPayload: true, ignoreAlertActionsFromPayload: true, ignoreExtraPropertiesFromPayload: true },
    };
    expect(made(flags)).toMatchObject({ alert: { tags: [], actions: [], details: {} } });
  });

  it.each([
    [{ priority: 'P1' as const }, {}, 'P1'],
    [{ customPriority: '{{details.p}}', priority: 'P2' as const }, { p: 'P5' }, 'P5'],
    [{ customPriority: '{{details.p}}', priority: 'P2' as const }, { p: 'high' }, 'P2'],
    [{ customPriority: '{{details.p}}' }, {}, 'P3'],
  ])('%j on %j gives priority %s', (body, details, priority) => {
    expect(made(body, [], {}, { ...sent, alert: { ...alert, details } })).toMatchObject({ alert: { priority } });
  });

  it('keeps the message that was sent where its own is blank', () => {
    expect(made({ message: '{{unknown}} ' })).toMatchObject({ alert: { message: 'CPU high' } });
  });

  it('never makes an alert over a limit, and says what it cut (P4, E8)', () => {
    const word = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.repeat(40).replaceAll('{', ''));
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
  const named = (...responders: NewAlert['responders']): SentAlert => ({ ...sent, alert: { ...alert, responders } });
  const PAYLOAD = named({ type: 'team', name: 'Ops' }, { type: 'user', id: 'user-9' });
  const user = { type: 'user', id: 'user-1' };
  const team = { type: 'team', id: 'team-1' };

  it.each([
    ['of the integration where the payload names none', [], {}, [ADA], sent, [user]],
    ['of the payload alone where it names some', [], {}, [ADA], PAYLOAD, PAYLOAD.alert.responders],
    ['of the integration where its flag drops', [], { ignoreRecipients: true }, [ADA], PAYLOAD, [team, user]],
    ['of nobody else where both are dropped', [], { ignoreResponders: true }, [], PAYLOAD, []],
    ['of teams dropped', [], { ignoreTeams: true }, [], PAYLOAD, [{ type: 'user', id: 'user-9' }]],
    [
      'of the action beside the payload, each once',
      [OPS, ADA],
      {},
      [],
      PAYLOAD,
      [team, { type: 'user', id: 'user-9' }, user],
    ],
    ['none is nobody', [], {}, [{ type: 'none', target: undefined }], sent, []],
    ['all is every user', [], {}, [{ type: 'all', target: undefined }], sent, [user, { type: 'user', id: 'user-2' }]],
  ] as const)('%s', (_, action, flags, integration, from, expected) => {
    expect(made({}, action, { ...flags, recipients: integration }, from)).toMatchObject({
      alert: { responders: expected },
    });
  });

  it('leave the alert of a team key to its team (K4)', () => {
    const from = { ...named({ type: 'team', id: 'team-7' }), teamKey: true };
    expect(made({}, [ADA], { recipients: [ADA], ignoreTeams: true }, from)).toMatchObject({
      alert: { responders: [{ type: 'team', id: 'team-7' }] },
    });
  });

  it('are found by filters under id and name (P3)', () => {
    for (const word of ['Ops', 'team-1'])
      expect(made({ filter: where('teams', word) }, [], {}, PAYLOAD)).toMatchObject({ kind: 'create' });
    expect(made({ filter: where('recipients', 'user-9') }, [], {}, PAYLOAD)).toMatchObject({ kind: 'create' });
  });

  it('are told nothing where the integration suppresses notifications; the log says so, teams and users still see it', () => {
    expect(made({}, [], { suppressNotifications: true }, PAYLOAD)).toMatchObject({
      alert: {
        responders: [],
        visibleTo: PAYLOAD.alert.responders,
        cut: ['Integration [Probe] suppresses notifications: nobody is told.'],
      },
    });
  });
});

describe('50 actions', () => {
  it('are evaluated within 100 microseconds', () => {
    const bodies = Array.from({ length: 50 }, (_, n): IntegrationActionBody => {
      return { type: 'create', name: `A${n}`, order: n, filter: where('message', n === 49 ? 'CPU' : `none ${n}`) };
    });
    const rules = rulesOf(groups(...bodies));
    const rounds = 100;
    // The best of many: what else the machine does meanwhile is not what is measured.
    const microseconds = Array.from({ length: 100 }, () => {
      const started = performance.now();
      for (let round = 0; round < rounds; round += 1) evaluate(rules, sent, names);
      return ((performance.now() - started) * 1_000) / rounds;
    });
    expect(Math.min(...microseconds)).toBeLessThan(100);
  });
});
