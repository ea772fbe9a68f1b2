import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import type { Policy } from './policy.ts';
import { batchOf } from '../testing/batch-samples.ts';
import { byAlias, close, create, DUTY, pagingCreate } from '../testing/commands-samples.ts';
import { setUp, team } from '../testing/component-fixture.ts';
import { after } from '../testing/flow-samples.ts';
import { condition, modifies, notifies } from '../testing/policy-rules-samples.ts';
import { CurrentRules } from './apply-operations.ts';

async function setUpWith(...policies: readonly Policy[]) {
  const component = await setUp();
  const { configuration, replicas, store } = component;
  for (const id of ['duty', 'ada']) replicas.user.put(id, { id, username: `${id}@example.com` } as never);
  await configuration.change(() => ({ policies: { put: policies }, answer: undefined }));
  const log = async (alertId: string) =>
    (await store.alerts.logs({ alertId, order: 'asc', after: undefined, limit: 100 })).map((entry) => entry.log);
  return { ...component, log };
}

const heldFor = (minutes: number) =>
  notifies('Nights', { delay: { option: 'for-duration', duration: { timeAmount: minutes, timeUnit: 'minutes' } } });

describe('a create to which policies apply', () => {
  it('makes an alert whose flow is held and starts when the delay is over; one log entry covers all policies', async () => {
    const { elapse, apply, store, log } = await setUpWith(
      heldFor(30),
      notifies('Off', { suppress: true }, { enabled: false }),
    );
    const command = pagingCreate('disk');
    const { alertId } = command.alert;
    await apply(command);
    expect(await store.events()).toMatchObject([{ state: { notifications: { kind: 'delayed', until: after(30) } } }]);
    await elapse(after(29.9));
    expect(await store.events()).toHaveLength(1);
    await elapse(after(30));
    expect((await store.events()).at(-1)).toMatchObject({
      state: { notifications: { kind: 'active' }, cycle: 2 },
      facts: [{ kind: 'released' }],
    });
    expect(await log(alertId)).toEqual([
      expect.stringContaining('Alert created'),
      expect.stringMatching(/Policies: \[Nights\] holds notifications until .* Not applied: \[Off\] is disabled/),
      'The delay of policy [Nights] (as of the creation of the alert) is over: the notification flow starts',
    ]);
  });

  it('counts under the alias that they set, also for the other commands of its batch (P15)', async () => {
    const { apply, store } = await setUpWith(modifies('One', { alias: 'rack {{entity}}' }));
    await apply(create('disk', { alert: { entity: '7' } }), create('fan', { alert: { entity: '7' } }));
    await apply(create('power', { alert: { entity: '7' } }));
    expect(await store.alerts.find(byAlias('rack 7'))).toMatchObject({ count: 3 });
    await apply(close(byAlias('rack 7')), create('disk', { alert: { entity: '7' } }));
    expect(await store.alerts.find(byAlias('rack 7'))).toMatchObject({ count: 1 });
    expect(await store.alerts.find(byAlias('disk'))).toBeUndefined();
  });

  it('has the responders that they add, by name, by id or all users', async () => {
    const recipients = [{ type: 'all' as const }, { type: 'team' as const, id: 'ops' }];
    const { apply, store, replicas } = await setUpWith(modifies('Wide', { recipients }));
    replicas.team.put('ops', team('ops', 'Ops'));
    await apply(pagingCreate('disk'));
    const { responders } = (await store.alerts.find(byAlias('disk'))) ?? { responders: [] };
    expect(new Set(responders.map(({ type, id }) => `${type}:${id}`))).toEqual(
      new Set(['user:duty', 'user:ada', 'team:ops']),
    );
  });

  it('that is a repeat changes no plan of the alert, and logs nothing about policies', async () => {
    const { apply, store, configuration, log } = await setUpWith(heldFor(30));
    const command = pagingCreate('disk');
    await apply(command);
    const before = await store.alerts.find(byAlias('disk'));
    await configuration.change(() => ({
      policies: { put: [notifies('Quiet', { suppress: true })], removed: [heldFor(30)] },
      answer: undefined,
    }));
    await apply(pagingCreate('disk'));
    const alert = await store.alerts.find(byAlias('disk'));
    expect(alert).toMatchObject({ count: 2, hold: before?.hold, notifications: before?.notifications });
    expect(await log(command.alert.alertId)).toHaveLength(3);
    await apply(pagingCreate('fan'));
    expect(await store.alerts.find(byAlias('fan'))).toMatchObject({ notifications: { kind: 'suppressed' } });
  });

  it.each([
    ['changed', { put: [notifies('Nights', { suppress: true }, { name: 'Days' })] }],
    ['deleted', { removed: [heldFor(30)] }],
  ])('stays held as planned if the policy is %s later, and the log names the policy as it was', async (_, policies) => {
    const { elapse, apply, configuration, store, log } = await setUpWith(heldFor(30));
    const command = pagingCreate('disk');
    const { alertId } = command.alert;
    await apply(command);
    await configuration.change(() => ({ policies, answer: undefined }));
    await elapse(after(30));
    expect((await store.events()).at(-1)).toMatchObject({ state: { cycle: 2 }, facts: [{ kind: 'released' }] });
    expect((await log(alertId)).at(-1)).toBe(
      'The delay of policy [Nights] (as of the creation of the alert) is over: the notification flow starts',
    );
  });

  it('starts the flow with the occurrence that a policy asks for, in one batch or in several', async () => {
    const often = notifies('Often', { deduplication: { type: 'value-based', count: 3 } });
    const { apply, store } = await setUpWith(often);
    await apply(pagingCreate('disk'), create('disk'), create('disk'));
    await apply(pagingCreate('fan'), create('fan'));
    await apply(create('fan'));
    expect((await store.events()).map(({ state, facts }) => [state.alias, state.cycle, facts[0]?.kind])).toEqual([
      ['disk', 1, 'created'],
      ['disk', 2, 'released'],
      ['fan', 1, 'created'],
      ['fan', 2, 'released'],
    ]);
  });

  it('is compared with the conditions of each policy as it was sent', async () => {
    const filter = { conditions: [condition('message', 'contains', 'fan')] };
    const { apply, store } = await setUpWith(notifies('Fans', { suppress: true }, { filter }));
    await apply(pagingCreate('a', { alert: { message: 'fan stuck' } }), pagingCreate('b'));
    expect(await store.alerts.find(byAlias('a'))).toMatchObject({ notifications: { kind: 'suppressed' } });
    expect(await store.alerts.find(byAlias('b'))).toMatchObject({
      notifications: { kind: 'active' },
      responders: [DUTY],
    });
  });

  it('is retried while policies can not be read; other commands do not need them', async () => {
    const { commands, configuration, apply } = await setUpWith();
    configuration.current = () => Promise.reject(new UnavailableError('unavailable'));
    expect(await apply(close(byAlias('disk')))).toEqual({ outcome: 'done' });
    expect(await commands.process([batchOf([create('disk')], 1)])).toMatchObject({
      outcome: 'retry',
    });
  });
});

describe('the present rules', () => {
  it('are compiled once for each state of the configuration', async () => {
    const { configuration } = await setUpWith(heldFor(30));
    const rules = new CurrentRules(configuration, 'UTC');
    const first = await rules.get();
    expect(await rules.get()).toBe(first);
    await configuration.change(() => ({ policies: { removed: [heldFor(30)] }, answer: undefined }));
    expect(await rules.get()).not.toBe(first);
    expect((await rules.get()).hasPolicies).toBe(false);
  });
});
