import { describe, expect, it, jest } from '@jest/globals';
import type { CreateAlert } from '@tocsin/events';
import { create } from '../testing/commands-samples.ts';
import { aMaintenance, disabledIntegration, policyRule } from '../testing/maintenance-samples.ts';
import { condition, POLICY_CONTEXT, modifies, notifies, rulesOf } from '../testing/policy-rules-samples.ts';
import { applyInSteps, applyPolicies } from './apply-policies.ts';
import { AT_ONCE, type FlowPlan } from './policy-result.ts';
import type { Policy } from './policy.ts';

const WINDOW = { startsAt: new Date('2026-01-05T07:00:00.000Z'), endsAt: new Date('2026-01-05T09:00:00.000Z') };
const apply = (policies: readonly Policy[], command: CreateAlert = create('disk')) =>
  applyPolicies(rulesOf(policies), command, POLICY_CONTEXT);
const flowOf = (policies: readonly Policy[], command?: CreateAlert): FlowPlan => apply(policies, command).flow;

const minutes = (timeAmount: number) => ({ timeAmount, timeUnit: 'minutes' }) as const;
const suppress = { suppress: true };
const delay = { delay: { option: 'for-duration', duration: minutes(10) } } as const;
const deduplication = { deduplication: { type: 'value-based', count: 3 } } as const;
const autoClose = { autoClose: { duration: minutes(60) } };
const autoRestart = { autoRestart: { duration: minutes(5), maxRepeatCount: 4 } };
const suppressedBy = (label: string) => `Policy ${label} suppresses notifications`;

const teamKey = (ownerTeamId?: string) => ({
  integration: { id: 'integration-1', name: 'API', type: 'API', ...(ownerTeamId !== undefined && { ownerTeamId }) },
});

describe('a create without policies', () => {
  it('does not change it, starts its flow at once and logs nothing', () => {
    const command = create('disk');
    expect(apply([], command)).toEqual({ command, flow: AT_ONCE, entry: undefined });
  });

  it('does not change a dropped create with any policies', () => {
    const command = create('disk', { dropped: 'Ignored by action [Noise] of integration [API].' });
    const policies = [modifies('Tidy', { message: 'changed' }), notifies('Quiet', suppress)];
    expect(apply(policies, command)).toEqual({ command, flow: AT_ONCE, entry: undefined });
  });
});

describe('the policies, applied in steps,', () => {
  it('lets the event loop run after each kind of policies of the account and of the team, with the same result', () => {
    const rules = rulesOf([modifies('Tidy', { message: 'changed' }), notifies('Quiet', suppress)]);
    const steps = applyInSteps(rules, create('disk'), POLICY_CONTEXT);
    const rests: unknown[] = [];
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) rests.push(step.value);
    expect(step.value.flow).toEqual(applyPolicies(rules, create('disk'), POLICY_CONTEXT).flow);
    expect(rests).toHaveLength(3);
  });
});

describe('a maintenance window of the integration (P9)', () => {
  const rules = rulesOf([modifies('Tidy', { message: 'changed' })], {
    maintenances: [aMaintenance({ ...WINDOW, description: 'Upgrade', rules: [disabledIntegration('integration-1')] })],
  });

  it('drops the create with a status that names it, and no policy is asked', () => {
    const command = create('disk', teamKey());
    expect(applyPolicies(rules, command, POLICY_CONTEXT)).toEqual({
      command: { ...command, dropped: 'Ignored by maintenance [Upgrade] of integration [API].' },
      flow: AT_ONCE,
      entry: undefined,
    });
  });

  it('goes by the moment of acceptance: a create accepted at its end is not dropped', () => {
    const { command } = applyPolicies(rules, create('disk', { at: '2026-01-05T09:00:00.000Z' }), POLICY_CONTEXT);
    expect(command.dropped).toBeUndefined();
    expect(command.alert.message).toBe('changed');
  });

  it('is named by its id if it has no description', () => {
    const nameless = aMaintenance({
      ...WINDOW,
      id: 'm-7',
      description: '',
      rules: [disabledIntegration('integration-1')],
    });
    const { command } = applyPolicies(rulesOf([], { maintenances: [nameless] }), create('disk'), POLICY_CONTEXT);
    expect(command.dropped).toContain('[m-7]');
  });
});

describe('a maintenance window of a policy (P9)', () => {
  const during = (policy: Policy, state: 'enabled' | 'disabled') =>
    applyPolicies(
      rulesOf([policy], { maintenances: [aMaintenance({ ...WINDOW, rules: [policyRule(policy.id, state)] })] }),
      create('disk'),
      POLICY_CONTEXT,
    );

  it('disables one that is enabled, and the log names the window', () => {
    const { flow, entry } = during(notifies('Quiet', suppress), 'disabled');
    expect(flow).toEqual(AT_ONCE);
    expect(entry?.log).toContain('[Quiet] is disabled by maintenance [Deploy]');
  });

  it('enables one that is disabled', () => {
    const { flow } = during(notifies('Quiet', suppress, { enabled: false }), 'enabled');
    expect(flow.suppressed).toBe(suppressedBy('[Quiet]'));
  });
});

describe('the entry of the log', () => {
  it('is not computed until it is read: most creates are repeats', () => {
    const policy = notifies('Quiet', suppress, { filter: { conditions: [condition('message', 'contains', 'db')] } });
    const explain = jest.fn(() => ({ condition: 'explained', met: 'now' }));
    const rules = rulesOf([policy]);
    const conditions = () => ({ result: 'fails', failure: explain }) as const;
    const notification = rules.account.notification.map((one) => ({ ...one, conditions }));
    const spied = { ...rules, account: { alert: [], notification } };
    const result = applyPolicies(spied, create('disk'), POLICY_CONTEXT);
    expect(explain).not.toHaveBeenCalled();
    expect(result.entry?.log).toContain('explained, met [now]');
  });
});

describe('a policy', () => {
  it.each([
    ['it is disabled', { enabled: false }, '[Quiet] is disabled'],
    [
      'its time restriction does not cover the acceptance',
      {
        timeRestriction: {
          type: 'time-of-day',
          restriction: { startHour: 9, startMin: 0, endHour: 17, endMin: 0 },
        },
      },
      '[Quiet] does not hold at this time',
    ],
    [
      'a condition fails',
      { filter: { conditions: [condition('priority', 'equals', 'P3'), condition('message', 'contains', 'db')] } },
      '[Quiet] does not match: message contains […], met [Disk full]',
    ],
    [
      'none of its conditions matches, and one would suffice',
      {
        filter: {
          type: 'match-any-condition' as const,
          conditions: [condition('tags', 'contains', 'x'), condition('message', 'contains', 'db')],
        },
      },
      '[Quiet] does not match: none of 2 conditions holds',
    ],
  ] as const)(
    'does not apply if %s; the log says why, but not the value that a condition expects (K4)',
    (_, fields, log) => {
      const { flow, entry } = apply([notifies('Quiet', suppress, fields as object)]);
      expect(flow).toEqual(AT_ONCE);
      expect(entry).toMatchObject({ type: 'system', owner: 'System', log: `No policy applies. Not applied: ${log}.` });
    },
  );

  it('finds responders by name and by id, also those that another policy added (P3)', () => {
    const adding = modifies('Add', { recipients: [{ type: 'user', id: 'bob' }] });
    const command = create('disk', { alert: { responders: [{ type: 'schedule', name: 'Nights' }] } });
    const suppressing = (name: string) =>
      flowOf(
        [adding, notifies('Quiet', suppress, { filter: { conditions: [condition('recipients', 'contains', name)] } })],
        command,
      ).suppressed !== undefined;
    expect(['Nights', 'id-of-Nights', 'bob', 'BOB', 'eve'].map(suppressing)).toEqual([true, true, true, true, false]);
  });
});

describe('alert policies', () => {
  it('stop at the first that matches and is without `continue` (P5)', () => {
    const policies = [
      modifies('One', { message: 'one', continue: true }),
      modifies('Two', { message: '{{message}} two' }),
      modifies('Three', { message: 'three', tags: ['late'] }),
    ];
    const { command, entry } = apply(policies);
    expect(command.alert).toMatchObject({ message: 'one two', tags: [] });
    expect(entry?.log).toContain('[Three] is not tried after [Two]');
  });

  it('of a team apply after those of the account, unless one of these stopped', () => {
    const ofTeam = modifies('Team', { message: '{{message}} team' }, { teamId: 'ops' });
    const account = (goesOn: boolean) => modifies('Account', { message: 'account', continue: goesOn });
    const message = (goesOn: boolean) =>
      apply([ofTeam, account(goesOn)], create('disk', teamKey('ops'))).command.alert.message;
    expect([message(true), message(false)]).toEqual(['account team', 'account']);
  });
});

describe('notification policies', () => {
  it('see the alert as alert policies have changed it', () => {
    const onChanged = { filter: { conditions: [condition('message', 'equals', 'changed')] } };
    const policies = [notifies('Quiet', suppress, onChanged), modifies('Tidy', { message: 'changed' })];
    expect(flowOf(policies).suppressed).toBe(suppressedBy('[Quiet]'));
  });

  it('set each effect by the first policy that matches, the account before the team', () => {
    const policies = [
      notifies('Team', { ...delay, ...autoClose }, { teamId: 'ops' }),
      notifies('Elsewhere', delay, { filter: { conditions: [condition('message', 'equals', 'x')] } }),
      notifies('Account', autoClose),
    ];
    expect(flowOf(policies, create('disk', teamKey('ops')))).toEqual({
      suppressed: undefined,
      hold: { kind: 'delay', policy: '[Team]', until: new Date('2026-01-05T08:10:00.000Z') },
      autoClose: { policy: '[Account]', afterMs: 3_600_000 },
      autoRestart: undefined,
    });
  });

  it.each([
    ['one policy', [notifies('All', { ...suppress, ...delay, ...deduplication, ...autoClose, ...autoRestart })]],
    [
      'several policies, the weaker first',
      [
        notifies('Count', deduplication),
        notifies('Late', { ...delay, ...autoRestart }),
        notifies('All', { ...suppress, ...autoClose }),
      ],
    ],
  ])('let suppress win over everything but auto-close, in %s', (_, policies) => {
    expect(flowOf(policies)).toEqual({
      ...AT_ONCE,
      suppressed: suppressedBy('[All]'),
      autoClose: { policy: '[All]', afterMs: 3_600_000 },
    });
  });

  it('let a delay win over a deduplication, and the log says which policy lost', () => {
    const { flow, entry } = apply([notifies('Count', deduplication), notifies('Late', delay)]);
    expect(flow.hold).toMatchObject({ kind: 'delay', policy: '[Late]' });
    expect(entry?.log).toBe(
      'Policies: [Late] holds notifications until 2026-01-05T08:10:00Z. Not applied: [Count] comes after [Late].',
    );
  });

  it('neither hold nor restart an alert that its integration suppresses, but auto-close it', () => {
    const policies = [notifies('All', { ...suppress, ...delay, ...deduplication, ...autoClose, ...autoRestart })];
    const command = create('disk', { alert: { suppressed: 'Integration [API] suppresses notifications' } });
    expect(flowOf(policies, command)).toEqual({ ...AT_ONCE, autoClose: { policy: '[All]', afterMs: 3_600_000 } });
  });

  it('deduplicate by value or by frequency, and restart', () => {
    const frequency = { type: 'frequency-based', count: 3, duration: minutes(5) } as const;
    expect(flowOf([notifies('Count', { ...deduplication, ...autoRestart })])).toMatchObject({
      hold: { kind: 'deduplication', policy: '[Count]', count: 3, withinMs: undefined },
      autoRestart: { policy: '[Count]', everyMs: 300_000, times: 4 },
    });
    expect(flowOf([notifies('Count', { deduplication: frequency })]).hold).toMatchObject({ withinMs: 300_000 });
  });

  it('restart nothing if maxRepeatCount is 0', () => {
    const never = { autoRestart: { duration: minutes(5), maxRepeatCount: 0 } };
    expect(flowOf([notifies('Never', never)]).autoRestart).toBeUndefined();
  });
});

describe('the policies of a team (P5)', () => {
  const quiet = [notifies('Quiet', suppress, { teamId: 'ops' })];
  const team = (id: string) => ({ type: 'team', id }) as const;

  it.each([
    ['came through an integration of that team', teamKey('ops'), [], true],
    [
      'came through an integration of another team, with that team as its only responder',
      teamKey('web'),
      [team('ops')],
      false,
    ],
    ['came through one of the account, with that team as its only responder', teamKey(), [team('ops')], true],
    [
      'came through one of the account, with that team and another user',
      teamKey(),
      [team('ops'), { type: 'user', id: 'ada' } as const],
      false,
    ],
    ['came through one of the account, with two teams', teamKey(), [team('ops'), team('web')], false],
    ['came through one of the account, without responders', teamKey(), [], false],
  ])('on an alert that %s', (_, key, responders, applies) => {
    const { flow } = apply(quiet, create('disk', { ...key, alert: { responders } }));
    expect(flow.suppressed !== undefined).toBe(applies);
  });

  it('are, for notification policies, those of the only team that alert policies have left', () => {
    const handOver = modifies('Hand over', { ignoreOriginalTeams: true, recipients: [team('ops')] });
    const command = create('disk', { ...teamKey(), alert: { responders: [team('web')] } });
    expect(flowOf([...quiet, handOver], command).suppressed).toBe(suppressedBy('[Quiet]'));
  });

  it('do not apply while another responder cannot be looked up', () => {
    const command = create('disk', { alert: { responders: [team('ops'), { type: 'user', name: 'ada' }] } });
    const unavailable = {
      ...POLICY_CONTEXT,
      resolve: ({ type }: { type: string }) =>
        type === 'user' ? ({ kind: 'unreachable' } as const) : ({ kind: 'known', id: 'ops', name: 'Ops' } as const),
    };
    expect(applyPolicies(rulesOf(quiet), command, unavailable).flow).toEqual(AT_ONCE);
  });
});
