import { describe, expect, it } from '@jest/globals';
import { ALERT_LIMITS, AlertCommand, AlertCommands, codePoints } from '@tocsin/events';
import { at, heartbeatOf } from '../testing/heartbeat-samples.ts';
import { alertCommand } from './alert-commands.ts';
import { applyDisable, type Heartbeat } from './heartbeat.ts';

const overdue = heartbeatOf({ step: 1, steppedAt: at(10) });
const idOf = (id: string, step: number) => `${id}/${step}`;
const opening = (heartbeat: Heartbeat) => alertCommand({ ...heartbeat, step: 0 }, heartbeat, idOf);

describe('alertCommand', () => {
  it('is none where the alert is neither opened nor closed', () => {
    expect(alertCommand(overdue, { ...overdue, description: 'nightly' }, idOf)).toBeUndefined();
  });

  it('opens an alert for the team that owns the heartbeat, by the integration that created it (H1, H4)', () => {
    expect(opening(overdue)).toEqual({
      kind: 'create',
      requestId: `heartbeat:${overdue.id}:1`,
      identifier: { type: 'alias', value: 'heartbeat:backup' },
      integration: { id: 'integration-1', name: 'Default API', type: 'API' },
      actor: 'Heartbeat',
      source: 'Heartbeat',
      acceptedAt: at(10).toISOString(),
      ofHeartbeat: true,
      alert: {
        alertId: `${overdue.id}/1`,
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

  it('has the message, tags and priority of the heartbeat', () => {
    const own = { alertMessage: 'Backup is missing', alertTags: ['db'], alertPriority: 'P1' as const };
    expect(opening({ ...overdue, ...own })).toMatchObject({
      alert: { message: 'Backup is missing', tags: ['db'], priority: 'P1' },
    });
  });

  it('names no responder where no team owns the heartbeat', () => {
    expect(opening({ ...overdue, ownerTeamId: undefined })).toMatchObject({ alert: { responders: [] } });
  });

  it('closes the alert in the scope in which it was opened, under the same key (A16, H7)', () => {
    const createdBy = { ...overdue.createdBy, ownerTeamId: 'ops' };
    const before = { ...overdue, createdBy };
    const [opened, closed] = [opening(before), alertCommand(before, applyDisable(before, at(11)), idOf)];
    expect(closed).toMatchObject({ kind: 'close', requestId: `heartbeat:${overdue.id}:2` });
    expect(closed?.integration).toEqual({ ...opened?.integration, ownerTeamId: 'ops' });
    expect(opened && closed && AlertCommands.key(closed) === AlertCommands.key(opened)).toBe(true);
  });

  it('is within every limit of an alert, whatever the name', () => {
    const command = opening({ ...overdue, name: '🔔'.repeat(200) });
    expect(AlertCommand.parse(command)).toEqual(command);
    const { alert } = command as Extract<typeof command, { kind: 'create' }>;
    expect(codePoints(alert.message)).toBe(ALERT_LIMITS.message);
    expect(alert.message).toMatch(/🔔 is expired$/);
    expect(codePoints(alert.alias)).toBeLessThanOrEqual(ALERT_LIMITS.alias);
  });
});
