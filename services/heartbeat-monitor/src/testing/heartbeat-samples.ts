import type { Heartbeat } from '../heartbeats/heartbeat.ts';
import type { Outage } from '../heartbeats/outage.ts';

export const START = new Date('2026-01-01T00:00:00Z');

/** `minutes` after the start. */
export const at = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000);

/** An outage, by its minutes after the start. */
export const outage = (from: number, to: number): Outage => ({ from: at(from), to: at(to) });

/** A heartbeat of ten minutes that is enabled and was never pinged. */
export const heartbeatOf = (changes: Partial<Heartbeat> = {}): Heartbeat => ({
  id: '0a0d4c0e-6f0c-4b44-9a6c-0d8a3f5e7b10',
  name: 'backup',
  createdAt: START,
  description: '',
  interval: 10,
  intervalUnit: 'minutes',
  enabled: true,
  ownerTeamId: 'ops',
  alertMessage: undefined,
  alertTags: [],
  alertPriority: undefined,
  createdBy: { id: 'integration-1', name: 'Default API', type: 'API', ownerTeamId: undefined },
  lastPingAt: undefined,
  expiresAt: undefined,
  nextDueAt: undefined,
  step: 0,
  steppedAt: undefined,
  ...changes,
});
