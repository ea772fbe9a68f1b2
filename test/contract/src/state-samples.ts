import type { Sample } from './sample.ts';

/** The compacted topics' part of the samples. */
export const STATE_SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  'users.v1': [
    {
      key: 'u1',
      message: {
        id: 'u1',
        version: { epoch: 1, n: 1 },
        deleted: false,
        state: {
          id: 'u1',
          username: 'ada@example.com',
          fullName: 'Ada',
          role: 'user',
          timeZone: 'UTC',
          locale: 'en_US',
          blocked: false,
          contacts: [{ id: 'c1', method: 'email', to: 'ada@example.com', enabled: true }],
          notificationRules: [
            {
              id: 'r1',
              name: 'New alert',
              actionType: 'create-alert',
              order: 0,
              enabled: true,
              criteria: { type: 'match-all', conditions: [] },
              steps: [
                { id: 's1', contact: { method: 'email', to: 'ada@example.com' }, sendAfterMinutes: 0, enabled: true },
              ],
            },
          ],
        },
      },
    },
    {
      key: 'u3',
      message: {
        id: 'u3',
        version: { epoch: 1, n: 3 },
        deleted: false,
        state: {
          id: 'u3',
          username: 'bob@example.com',
          fullName: 'Bob',
          role: 'user',
          timeZone: 'UTC',
          locale: 'en_US',
          blocked: false,
          contacts: [{ id: 'c2', method: 'mobile', to: 'tocsin-topic', enabled: true }],
          notificationRules: [],
        },
      },
    },
    { key: 'u2', message: { id: 'u2', version: { epoch: 1, n: 2 }, deleted: true } },
    {
      key: 'u3',
      message: {
        id: 'u3',
        version: { epoch: 1, n: 3 },
        deleted: false,
        state: {
          id: 'u3',
          username: 'grace@example.com',
          fullName: 'Grace',
          role: 'user',
          timeZone: 'UTC',
          locale: 'en_US',
          blocked: false,
          mutedUntil: '2026-03-02T06:00:00.000Z',
          contacts: [],
          notificationRules: [],
        },
      },
    },
  ],
  'teams.v1': [
    {
      key: 't1',
      message: {
        id: 't1',
        version: { epoch: 1, n: 1 },
        deleted: false,
        state: {
          id: 't1',
          name: 'Ops',
          description: '',
          members: [{ userId: 'u1', role: 'admin' }],
          routingRules: [
            {
              id: 'rr1',
              name: '',
              isDefault: true,
              order: 0,
              timezone: 'UTC',
              criteria: { type: 'match-all', conditions: [] },
              notify: { type: 'escalation', id: 'e1' },
            },
          ],
        },
      },
    },
  ],
  'schedules.v1': [
    {
      key: 's1',
      message: {
        id: 's1',
        version: { epoch: 1, n: 1 },
        deleted: false,
        state: {
          id: 's1',
          name: 'Ops_schedule',
          description: '',
          timezone: 'Europe/Rome',
          enabled: true,
          ownerTeamId: 't1',
          rotations: [
            {
              id: 'ro1',
              name: 'Rot1',
              startDate: '2026-03-02T00:00:00.000Z',
              type: 'weekly',
              length: 1,
              participants: [{ type: 'user', id: 'u1' }, { type: 'none' }],
            },
          ],
        },
      },
    },
  ],
  'escalations.v1': [
    {
      key: 'e1',
      message: {
        id: 'e1',
        version: { epoch: 1, n: 1 },
        deleted: false,
        state: {
          id: 'e1',
          name: 'Ops_escalation',
          description: '',
          rules: [
            {
              condition: 'if-not-acked',
              notifyType: 'default',
              delayMinutes: 0,
              recipient: { type: 'schedule', id: 's1' },
            },
          ],
        },
      },
    },
    {
      key: 'e2',
      message: {
        id: 'e2',
        version: { epoch: 1, n: 2 },
        deleted: false,
        state: {
          id: 'e2',
          name: 'Late',
          description: '',
          rules: [
            {
              condition: 'if-not-closed',
              notifyType: 'default',
              delayMinutes: 5,
              recipient: { type: 'user', id: 'u1' },
            },
          ],
          repeat: { waitMinutes: 10, count: 2, resetRecipientStates: true, closeAlertAfterAll: false },
        },
      },
    },
  ],
  'integrations.v1': [
    {
      key: 'i1',
      message: {
        id: 'i1',
        version: { epoch: 1, n: 1 },
        deleted: false,
        state: {
          id: 'i1',
          name: 'Default API',
          type: 'API',
          enabled: true,
          allowWriteAccess: true,
          allowConfigurationAccess: true,
          suppressNotifications: false,
          keyHash: 'aa',
        },
      },
    },
    {
      key: 'i2',
      message: {
        id: 'i2',
        version: { epoch: 1, n: 2 },
        deleted: false,
        state: {
          id: 'i2',
          name: 'Chat',
          type: 'Webhook',
          enabled: true,
          ownerTeamId: 't1',
          allowWriteAccess: true,
          allowConfigurationAccess: false,
          suppressNotifications: false,
          keyHash: 'bb',
          retiringKeys: [{ keyHash: 'cc', validUntil: '2026-03-02T01:00:00.000Z' }],
          webhook: {
            alertActions: ['Create', 'Close'],
            alertFilter: {
              type: 'match-all-conditions',
              conditions: [{ field: 'priority', not: false, operation: 'equals', expectedValue: 'P1', order: 0 }],
            },
          },
        },
      },
    },
  ],
  'backlogs.v1': [
    {
      key: 'alert-processor/3',
      message: {
        id: 'alert-processor/3',
        version: { epoch: 1, n: 1 },
        deleted: false,
        state: { consumer: 'alert-processor', records: 800, ageMs: 900 },
      },
    },
  ],
};
