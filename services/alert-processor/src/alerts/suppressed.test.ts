import { describe, expect, it } from '@jest/globals';
import type { AlertCommand } from '@tocsin/events';
import { acknowledge, byAlias, create, order } from '../testing/commands-samples.ts';
import { applyCommands, type StoredState } from './apply-commands.ts';

const REASON = 'Integration [Probe] suppresses notifications';
const context = {
  resolve: ({ id = '' }: { readonly id?: string | undefined }) => ({ kind: 'known', id, name: id }) as const,
  firstTinyId: 1,
  processedAt: new Date('2026-01-05T08:00:01.000Z'),
};
const EMPTY: StoredState = { processed: new Set(), alerts: [] };
const suppressed = () => create('disk', { alert: { responders: [{ type: 'team', id: 'ops' }], suppressed: REASON } });

/** Processes commands on a suppressed alert. */
const apply = (...commands: AlertCommand[]) => applyCommands([suppressed(), ...commands], EMPTY, context);

describe('a suppressed alert (P11)', () => {
  it('keeps its responders, and publishes that its flow does not run, and why', () => {
    const { events, logs } = apply();
    expect(events).toMatchObject([
      { state: { responders: [{ type: 'team', id: 'ops' }], notifications: { kind: 'suppressed', reason: REASON } } },
    ]);
    expect(logs.map(({ log }) => log)).toContain(`${REASON}: no user is paged`);
  });

  it('stays suppressed through everything that starts a flow again', () => {
    const responder = { type: 'user', id: 'ada' } as const;
    const { events, logs, statuses } = apply(
      order(byAlias('disk'), { kind: 'add-responder', responder }),
      acknowledge(byAlias('disk')),
      order(byAlias('disk'), { kind: 'unacknowledge' }),
      create('disk', { alert: { responders: [responder] } }),
    );
    expect(statuses.map(({ success }) => success)).toEqual([true, true, true, true, true]);
    expect(events.map(({ state }) => state.notifications.kind)).toEqual(events.map(() => 'suppressed'));
    expect(logs.filter(({ log }) => log === `${REASON}: no user is paged`)).toHaveLength(2);
  });

  it('cannot be escalated', () => {
    const escalation = { type: 'escalation', id: 'nights' } as const;
    const { statuses } = apply(order(byAlias('disk'), { kind: 'escalate', escalation }));
    expect(statuses.at(-1)).toMatchObject({ success: false, status: 'Alert is suppressed, it can not be escalated' });
  });
});
