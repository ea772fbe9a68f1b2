import { describe, expect, it } from '@jest/globals';
import { ALERT_LIMITS, AlertCommand, AlertCommands, codePoints } from '@tocsin/contracts';
import { at, heartbeatOf } from '../testing/heartbeat-samples.ts';
import { orderOf } from './alert-orders.ts';

const overdue = heartbeatOf({ step: 1, steppedAt: at(10) });

describe('orderOf', () => {
  it('opens an alert for the team that owns the heartbeat, by the integration that created it (H1, H4)', () => {
    expect(orderOf(overdue, 1, 'alert-1')).toEqual({
      kind: 'create',
      requestId: `heartbeat:${overdue.id}:1`,
      identifier: { type: 'alias', value: 'heartbeat:backup' },
      integration: { id: 'integration-1', name: 'Default API', type: 'API' },
      actor: 'Heartbeat',
      source: 'Heartbeat',
      acceptedAt: at(10).toISOString(),
      ofHeartbeat: true,
      alert: {
        alertId: 'alert-1',
        alias: 'heartbeat:backup',
        message: 'backup is expired',
        description: '',
        responders: [{ type: 'team', id: 'ops' }],
        visibleTo: [],
        actions: [],
        tags: [],
        details: {},
        entity: '',
        priority: 'P3',
      },
    });
  });

  it('says what the heartbeat says of its alert', () => {
    const own = { alertMessage: 'Backup is missing', alertTags: ['db'], alertPriority: 'P1' as const };
    expect(orderOf({ ...overdue, ...own }, 1, 'alert-1')).toMatchObject({
      alert: { message: 'Backup is missing', tags: ['db'], priority: 'P1' },
    });
  });

  it('names nobody where no team owns the heartbeat', () => {
    expect(orderOf({ ...overdue, ownerTeamId: undefined }, 1, 'a')).toMatchObject({ alert: { responders: [] } });
  });

  it('closes the alert in the scope in which it was opened, under the same key (A16, H7)', () => {
    const createdBy = { ...overdue.createdBy, ownerTeamId: 'ops' };
    const [opened, closed] = [1, 2].map((step) => orderOf({ ...overdue, createdBy, step: 2 }, step, 'a'));
    expect(closed).toMatchObject({ kind: 'close', requestId: `heartbeat:${overdue.id}:2` });
    expect(closed?.integration).toEqual({ ...opened?.integration, ownerTeamId: 'ops' });
    expect(opened && closed && AlertCommands.key(closed) === AlertCommands.key(opened)).toBe(true);
  });

  it('is within every limit of an alert, whatever the name', () => {
    const order = orderOf({ ...overdue, name: '🔔'.repeat(200) }, 1, 'a');
    expect(AlertCommand.parse(order)).toEqual(order);
    const { alert } = order as Extract<typeof order, { kind: 'create' }>;
    expect(codePoints(alert.message)).toBe(ALERT_LIMITS.message);
    expect(alert.message).toMatch(/🔔 is expired$/);
    expect(codePoints(alert.alias)).toBeLessThanOrEqual(ALERT_LIMITS.alias);
  });
});
