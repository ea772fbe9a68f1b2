import { describe, expect, it } from '@jest/globals';
import { acknowledge, byAlias, byId, create, order } from '../testing/commands-samples.ts';
import { after, at, live, minutes, PlannedAlert, restartedEvery } from '../testing/flow-samples.ts';
import { nextDueAt, scheduledActions } from './due.ts';
import { AT_ONCE, type FlowPlan } from '../policies/policy-result.ts';
import { applyCommands } from './apply-commands.ts';

const context = {
  resolve: ({ id = '' }: { id?: string | undefined }) => ({ kind: 'known', id, name: id }) as const,
  firstTinyId: 1,
  processedAt: new Date(after(0)),
};

describe('an alert without responders', () => {
  it('does not use up restarts without a responder (F4), so a responder who joins gets all of them', () => {
    const command = create('disk', { at: after(0) });
    const policyResults = new Map([
      [command.requestId, { flow: { ...AT_ONCE, ...restartedEvery(10, 1) }, entry: undefined }],
    ]);
    const id = command.alert.alertId;
    const add = order(byId(id), { kind: 'add-responder', responder: { type: 'user', id: 'ada' } }, { at: after(12) });
    const { alerts } = live([command, at(10), add], { ...context, policyResults });
    expect(alerts.flatMap(scheduledActions)).toEqual([{ kind: 'restart', dueAt: at(22) }]);
  });
});

describe('an alert that is processed late', () => {
  /** When it is processed: 20 minutes after its acceptance in minute 0. */
  const processedAt = new Date(after(20));

  /** When an alert with this flow is due first. */
  function dueAtOf(flow: Partial<FlowPlan>): number | undefined {
    const command = create('disk', { at: after(0), alert: { responders: [{ type: 'user', id: 'duty' }] } });
    const policyResults = new Map([[command.requestId, { flow: { ...AT_ONCE, ...flow }, entry: undefined }]]);
    const stored = { processed: new Set<string>(), alerts: [] };
    const [alert] = applyCommands([command], stored, { ...context, processedAt, policyResults }).inserted;
    return alert && nextDueAt(alert)?.getTime();
  }

  it('does not start its flow twice at once: the first restart is a whole duration after the flow really started', () => {
    expect(dueAtOf(restartedEvery(10, 3))).toBeGreaterThan(processedAt.getTime());
  });

  it('does not close before a user can have been paged', () => {
    const autoClose = { policy: '[Tidy]', afterMs: minutes(10) };
    expect(dueAtOf({ autoClose })).toBeGreaterThan(processedAt.getTime());
  });
});

describe('a delay whose end is processed late', () => {
  it('is over for an unacknowledgement that comes after the end of the delay (P16)', () => {
    const alert = new PlannedAlert({ hold: { kind: 'delay', policy: '[Nights]', until: new Date(after(30)) } });
    const ack = acknowledge(byAlias('disk'), { at: after(10) });
    const takenBack = order(byAlias('disk'), { kind: 'unacknowledge' }, { at: after(31) });
    expect(alert.live(ack, takenBack).alerts[0]).toMatchObject({ notifications: { kind: 'active' }, cycle: 2 });
  });
});

describe('an alert that had no user to page', () => {
  it('does not restart at once when a responder is added, because adding already pages them', () => {
    const command = create('disk', { at: after(0) });
    const policyResults = new Map([
      [command.requestId, { flow: { ...AT_ONCE, ...restartedEvery(10, 3) }, entry: undefined }],
    ]);
    const add = order(
      byId(command.alert.alertId),
      { kind: 'add-responder', responder: { type: 'user', id: 'ada' } },
      { at: after(60) },
    );
    const { inserted } = applyCommands(
      [command, add],
      { processed: new Set(), alerts: [] },
      { ...context, policyResults },
    );
    expect(inserted.flatMap(scheduledActions)).toEqual([{ kind: 'restart', dueAt: at(70) }]);
  });
});
