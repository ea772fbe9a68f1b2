import { describe, expect, it } from '@jest/globals';
import { detailsLength } from '@tocsin/api';
import { ALERT_LIMITS, codePoints, NewAlert, type CreateAlert, type ResponderReference } from '@tocsin/events';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { create } from '../testing/commands-samples.ts';
import { condition, POLICY_CONTEXT, modifies, notifies, rulesOf } from '../testing/policy-rules-samples.ts';
import { applyPolicies } from './apply-policies.ts';
import { AT_ONCE } from './policy-result.ts';
import {
  DELAY_OPTIONS,
  type Delay,
  type Modification,
  type NotificationEffects,
  type Policy,
  type PolicyRecipient,
} from './policy.ts';

const text = fc.string({ unit: anyCodePoint, maxLength: 30 });
const types = fc.constantFrom('user' as const, 'team' as const, 'schedule' as const, 'escalation' as const);
const ids = fc.constantFrom('ops', 'web', 'ada');
const responders: fc.Arbitrary<ResponderReference[]> = fc.array(
  fc.oneof(fc.record({ type: types, id: ids }), fc.record({ type: types, name: ids })),
  { maxLength: 3 },
);
const words = fc.array(text, { maxLength: 12 });
const longText = fc.oneof(
  text,
  fc.nat(20_000).map((length) => 'é'.repeat(length)),
);

const commands: fc.Arbitrary<CreateAlert> = fc
  .record({
    alias: fc.constantFrom('db', 'disk'),
    ownerTeamId: fc.option(fc.constantFrom('ops', 'web'), { nil: undefined }),
    at: fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
    suppressed: fc.option(fc.constant('Integration [API] suppresses notifications'), { nil: undefined }),
    alert: fc.record({
      message: fc.string({ maxLength: 130 }).filter((message) => message.trim() !== ''),
      description: text,
      responders,
      tags: words,
      details: fc.dictionary(text, text),
    }),
  })
  .map(({ alias, ownerTeamId, at, suppressed, alert }) =>
    create(alias, {
      requestId: 'request-1',
      at: at.toISOString(),
      integration: { id: 'integration-1', name: 'API', type: 'API', ...(ownerTeamId !== undefined && { ownerTeamId }) },
      alert: { ...alert, ...(suppressed !== undefined && { suppressed }) },
    }),
  );

const templates = fc.oneof(
  longText,
  fc.constantFrom(
    '{{message}}',
    '{{alias}}',
    '{{description}}{{description}}',
    '{{details.a}}',
    '{{tags}}',
    '{{',
    '{{message.toUpperCase()}}',
  ),
);
const recipients: fc.Arbitrary<PolicyRecipient> = fc.oneof(
  fc.record({ type: types, id: ids }),
  fc.record({ type: fc.constantFrom('all' as const, 'none' as const) }),
);
const modifications: fc.Arbitrary<Partial<Modification>> = fc.record(
  {
    continue: fc.boolean(),
    message: templates,
    alias: templates,
    description: templates,
    entity: templates,
    source: templates,
    ignoreOriginalActions: fc.boolean(),
    ignoreOriginalDetails: fc.boolean(),
    ignoreOriginalRecipients: fc.boolean(),
    ignoreOriginalTeams: fc.boolean(),
    ignoreOriginalTags: fc.boolean(),
    actions: words,
    details: fc.array(fc.tuple(text, longText), { maxLength: 3 }),
    recipients: fc.array(recipients, { maxLength: 3 }),
    tags: words,
    priority: fc.constantFrom('P1', 'P5', undefined),
  },
  { requiredKeys: [] },
);
const durations = fc.record({
  timeAmount: fc.integer({ min: 1, max: 1_000 }),
  timeUnit: fc.constantFrom('seconds', 'minutes', 'days'),
});
const delays: fc.Arbitrary<Delay> = fc.oneof(
  fc.record({ option: fc.constant('for-duration' as const), duration: durations }),
  fc.record({
    option: fc.constantFrom(...DELAY_OPTIONS.filter((option) => option !== 'for-duration')),
    untilHour: fc.nat(23),
    untilMinute: fc.nat(59),
  }),
);
const effects: fc.Arbitrary<Partial<NotificationEffects>> = fc.record(
  {
    suppress: fc.boolean(),
    delay: delays,
    deduplication: fc.record({
      type: fc.constant('frequency-based' as const),
      count: fc.integer({ min: 2, max: 100 }),
      duration: durations,
    }),
    autoClose: fc.record({ duration: durations }),
    autoRestart: fc.record({ duration: durations, maxRepeatCount: fc.nat(20) }),
  },
  { requiredKeys: [] },
);
const common = fc.record({
  enabled: fc.boolean(),
  teamId: fc.option(fc.constantFrom('ops', 'web'), { nil: undefined }),
  filter: fc.record({
    type: fc.constantFrom('match-any-condition' as const, 'match-all-conditions' as const),
    conditions: fc.array(
      fc.record({
        field: fc.constantFrom('message', 'tags', 'teams', 'details', 'none'),
        operation: fc.constantFrom('contains' as const, 'is-empty' as const, 'matches' as const),
        expectedValue: fc.oneof(text, fc.constantFrom('ops', '.*', '(')),
        not: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
  }),
});
const policies: fc.Arbitrary<Policy[]> = fc.array(
  fc.oneof(
    fc.tuple(text, modifications, common).map((given) => modifies(...given)),
    fc.tuple(text, effects, common).map((given) => notifies(...given)),
  ),
  { maxLength: 8 },
);

const apply = (all: readonly Policy[], command: CreateAlert) =>
  applyPolicies(rulesOf(all, {}, 'Europe/Rome'), command, POLICY_CONTEXT);

describe('applying policies, whatever the policies and the alert', () => {
  it('gives the same result for the same input', () => {
    fc.assert(
      fc.property(policies, commands, (all, command) => {
        expect(apply(all, command)).toEqual(apply(all, structuredClone(command)));
      }),
    );
  });

  it('keeps every limit of an alert, and its log is bounded (E8)', () => {
    fc.assert(
      fc.property(policies, commands, (all, command) => {
        const { command: made, entry } = apply(all, command);
        const alert = NewAlert.parse(made.alert);
        for (const field of ['message', 'alias', 'description', 'entity'] as const)
          expect(codePoints(alert[field])).toBeLessThanOrEqual(ALERT_LIMITS[field]);
        for (const field of ['responders', 'actions', 'tags'] as const)
          expect(alert[field].length).toBeLessThanOrEqual(ALERT_LIMITS[field]);
        for (const word of [...alert.tags, ...alert.actions]) expect(codePoints(word)).toBeLessThanOrEqual(50);
        expect(codePoints(made.source)).toBeLessThanOrEqual(ALERT_LIMITS.source);
        expect(detailsLength(alert.details)).toBeLessThanOrEqual(ALERT_LIMITS.details);
        expect(alert.alias).not.toBe('');
        expect(alert.message.trim()).not.toBe('');
        expect(Buffer.byteLength(JSON.stringify(entry ?? ''))).toBeLessThanOrEqual(8_500);
      }),
    );
  });

  it('neither holds nor restarts the flow of a suppressed alert (P7)', () => {
    fc.assert(
      fc.property(policies, commands, (all, command) => {
        const { command: made, flow } = apply([notifies('Quiet', { suppress: true }), ...all], command);
        const isSuppressed = made.alert.suppressed !== undefined || flow.suppressed !== undefined;
        expect([isSuppressed, flow.hold, flow.autoRestart]).toEqual([true, undefined, undefined]);
      }),
    );
  });

  it('ends no delay before the acceptance (P6)', () => {
    fc.assert(
      fc.property(policies, commands, (all, command) => {
        const { hold } = apply(all, command).flow;
        const until = hold?.kind === 'delay' ? hold.until.getTime() : Infinity;
        expect(until).toBeGreaterThan(Date.parse(command.acceptedAt));
      }),
    );
  });

  it('ignores a policy that is disabled', () => {
    const without = ({ command, flow }: ReturnType<typeof apply>) => ({ command, flow });
    fc.assert(
      fc.property(policies, commands, (all, command) => {
        const on = all.filter(({ enabled }) => enabled);
        expect(without(apply(all, command))).toEqual(without(apply(on, command)));
      }),
    );
  });

  it('applies no policy of a team to alerts through an integration of another team (P5)', () => {
    fc.assert(
      fc.property(policies, commands, (all, command) => {
        const { ownerTeamId } = command.integration;
        fc.pre(ownerTeamId !== undefined);
        const own = all.filter(({ teamId }) => teamId === undefined || teamId === ownerTeamId);
        expect(apply(all, command)).toEqual(apply(own, command));
      }),
    );
  });

  it('applies no policy of a team to alerts through an account-wide integration with other responders too (P5)', () => {
    fc.assert(
      fc.property(policies, commands, (all, command) => {
        const named = [...command.alert.responders, { type: 'user', id: 'ada' }, { type: 'team', id: 'ops' }] as const;
        const shared = {
          ...command,
          integration: { id: 'integration-1', name: 'API', type: 'API' },
          alert: { ...command.alert, responders: [...named] },
        };
        const touching = all.filter(({ teamId, effects: { kind } }) => teamId === undefined && kind === 'alert');
        fc.pre(touching.length === 0);
        expect(apply(all, shared)).toEqual(
          apply(
            all.filter(({ teamId }) => teamId === undefined),
            shared,
          ),
        );
      }),
    );
  });

  it('asks no alert policy after the first that matches and is without `continue` (P5)', () => {
    const last = modifies('Last', { continue: false, tags: ['last'] });
    fc.assert(
      fc.property(fc.array(modifications, { maxLength: 5 }), commands, (later, command) => {
        const after = later.map((changes, index) => modifies(`Later ${index}`, changes));
        expect(apply([last, ...after], command).command).toEqual(apply([last], command).command);
      }),
    );
  });

  it('does not depend on the order of the conditions of a policy', () => {
    const shuffled = policies.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.tuple(
          ...all.map((policy) =>
            fc.shuffledSubarray([...policy.filter.set.conditions], { minLength: policy.filter.set.conditions.length }),
          ),
        ),
      ),
    );
    fc.assert(
      fc.property(shuffled, commands, ([all, orders], command) => {
        const other = all.map((policy, index) => {
          const set = { ...policy.filter.set, conditions: [...(orders[index] ?? [])] };
          return { ...policy, filter: { ...policy.filter, set } };
        });
        const { command: made, flow } = apply(all, command);
        expect(apply(other, command)).toMatchObject({ command: made, flow });
      }),
    );
  });
});

describe('the patterns of policies (P3)', () => {
  const dear = { conditions: [condition('description', 'matches', '(a|b|ab)*c{900}')] };
  const command = create('disk', {
    integration: { id: 'integration-1', name: 'API', type: 'API', ownerTeamId: 'ops' },
    alert: { description: 'ab'.repeat(7_500) },
  });

  it('match nothing if they are too expensive together, and the log says so', () => {
    const { flow, entry } = apply([notifies('Dear', { suppress: true }, { filter: dear })], command);
    expect(flow).toEqual(AT_ONCE);
    expect(entry?.log).toContain('[Dear] was not evaluated, its conditions are too expensive');
  });

  it('of the account leave the budget of the team alone', () => {
    const cheap = { conditions: [condition('description', 'matches', '(ab)*')] };
    const spending = Array.from({ length: 200 }, (_, at) =>
      notifies(
        `Spending ${at}`,
        { suppress: true },
        { filter: { conditions: [condition('description', 'matches', `(ab)*c{${at + 1}}`)] } },
      ),
    );
    const team = notifies('Team', { suppress: true }, { filter: cheap, teamId: 'ops' });
    const account = notifies('Account', { suppress: true }, { filter: cheap });
    expect(apply([...spending, account], command).entry?.log).toContain('No policy applies');
    expect(apply([...spending, account, team], command).flow.suppressed).toContain('[Team]');
  });
});

describe('the entry of the log', () => {
  it('names the first ten that changed the alert and counts the others, and names each that decided about the flow', () => {
    const tags = Array.from({ length: 13 }, (_, at) => modifies(`Tag ${at}`, { continue: true, tags: [`t${at}`] }));
    const { entry } = apply([...tags, notifies('Quiet', { suppress: true })], create('disk'));
    expect(entry?.log).toMatch(
      /\[Tag 9\] changed tags .*; \[Quiet\] suppresses notifications: no user is paged; and 3 more\.$/,
    );
    expect(entry?.log).not.toContain('[Tag 10]');
    expect(entry?.decision?.facts).toMatchObject({ appliedCount: 14, skippedCount: 0 });
  });

  it('names the first ten that did not match and counts the others', () => {
    const off = Array.from({ length: 22 }, (_, at) => notifies(`Off ${at}`, { suppress: true }, { enabled: false }));
    const command = create('disk');
    const { entry } = apply(off, command);
    expect(entry?.log).toMatch(
      /^No policy applies\. Not applied: \[Off 0\] is disabled; .*\[Off 9\] is disabled; and 12 more\.$/,
    );
    expect(entry?.decision).toMatchObject({
      decisionId: `policies:${command.requestId}`,
      stage: 'process',
      subject: 'policies',
      outcome: 'skipped',
      facts: { applied: [], appliedCount: 0, skippedCount: 22 },
    });
    expect(entry?.decision?.facts?.['skipped']).toHaveLength(10);
  });
});
