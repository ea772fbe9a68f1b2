import type { Sample } from './sample.ts';
import { STATE_SAMPLES } from './state-samples.ts';

/**
 * One message of each topic as the first version wrote it. A schema only gains optional fields, so every later version
 * reads these; they are never changed, only added to.
 */
export const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  'alert-commands.v1': [
    {
      key: 'disk-full',
      message: {
        kind: 'create',
        requestId: '019aa6f0-0000-7000-8000-000000000001',
        identifier: { type: 'alias', value: 'disk-full' },
        integration: { id: 'i1', name: 'Default API', type: 'API' },
        actor: 'Alert API',
        source: '10.0.0.1',
        stamp: { instance: '0-a', partition: 3, seq: 1, acceptedAt: '2026-03-02T00:00:00.000Z' },
        alert: {
          alertId: '019aa6f0-0000-7000-8000-00000000000a',
          alias: 'disk-full',
          message: 'Disk full',
          description: '',
          responders: [{ type: 'user', name: 'ada@example.com' }],
          visibleTo: [],
          actions: [],
          tags: ['db'],
          details: { host: 'db-7' },
          entity: '',
          priority: 'P3',
        },
      },
      readAs: { stamp: undefined, acceptedAt: '2026-03-02T00:00:00.000Z' },
    },
    ...(['acknowledge', 'close', 'add-note', 'timer', 'reset-recipient-states'] as const).map((kind) => ({
      key: 'disk-full',
      message: {
        kind,
        requestId: '019aa6f0-0000-7000-8000-000000000002',
        identifier: { type: 'alias', value: 'disk-full' },
        integration: { id: 'i1', name: 'Default API', type: 'API', ownerTeamId: 't1' },
        actor: 'ada@example.com',
        source: '10.0.0.1',
        note: 'on it',
        stamp: { instance: '0-a', partition: 3, seq: 2, acceptedAt: '2026-03-02T00:00:01.000Z' },
        ...(kind === 'timer' && { timerId: 'x', fence: '1' }),
        ...(kind === 'reset-recipient-states' && { cycle: 1 }),
      },
      readAs: { stamp: undefined, acceptedAt: '2026-03-02T00:00:01.000Z' },
    })),
    {
      key: 'disk-full',
      message: {
        kind: 'delete',
        requestId: '019aa6f0-0000-7000-8000-000000000003',
        identifier: { type: 'alias', value: 'disk-full' },
        integration: { id: 'i1', name: 'Default API', type: 'API' },
        actor: 'Alert API',
        source: '10.0.0.1',
        acceptedAt: '2026-03-02T00:00:02.000Z',
      },
    },
  ],
  'alert-events.v1': [
    {
      key: 'a1',
      message: {
        alertId: 'a1',
        version: 1,
        acceptedAt: '2026-03-02T00:00:00.000Z',
        facts: [{ factId: 'f1', kind: 'created', actor: 'Alert API', at: '2026-03-02T00:00:00.000Z' }],
        state: {
          status: 'open',
          acknowledged: false,
          snoozed: false,
          cycle: 1,
          verdict: { kind: 'go' },
          flowStartedAt: '2026-03-02T00:00:00.000Z',
          tinyId: '1',
          alias: 'disk-full',
          message: 'Disk full',
          description: '',
          source: '10.0.0.1',
          entity: '',
          priority: 'P3',
          owner: '',
          tags: [],
          actions: [],
          details: {},
          responders: [{ type: 'user', id: 'u1' }],
          integration: { id: 'i1', name: 'Default API', type: 'API' },
          createdAt: '2026-03-02T00:00:00.000Z',
        },
      },
    },
  ],
  'pages.v1': [
    {
      key: 'u1',
      message: {
        pageId: 'a1:1:user:u1:-:0:u1:create-alert',
        alertId: 'a1',
        cycle: 1,
        userId: 'u1',
        actionType: 'create-alert',
        wantedWhile: 'unacked',
        pagedAt: '2026-03-02T00:00:00.000Z',
        why: 'responder user',
        alertVersion: 1,
        acceptedAt: '2026-03-02T00:00:00.000Z',
        alert: {
          tinyId: '1',
          alias: 'disk-full',
          message: 'Disk full',
          description: '',
          source: '10.0.0.1',
          entity: '',
          priority: 'P3',
          tags: [],
          actions: [],
          details: {},
          createdAt: '2026-03-02T00:00:00.000Z',
        },
      },
    },
  ],
  'notice-commands.v1': [
    {
      key: 'u1',
      message: {
        kind: 'invitation',
        noticeId: 'n1',
        userId: 'u1',
        username: 'ada@example.com',
        at: '2026-03-02T00:00:00.000Z',
        to: 'ada@example.com',
        fullName: 'Ada',
        locale: 'en_US',
        invitedBy: 'owner@example.com',
        accountName: 'Example',
        url: 'https://tocsin.example.com',
      },
    },
    {
      key: 'u1',
      message: {
        kind: 'contact-verification',
        noticeId: 'n2',
        userId: 'u1',
        username: 'ada@example.com',
        at: '2026-03-02T00:00:00.000Z',
        contactId: 'c1',
        method: 'email',
        to: 'ada@example.org',
        code: '123456',
        expiresAt: '2026-03-02T00:10:00.000Z',
      },
    },
  ],
  'decisions.v1': [
    {
      key: 'u1',
      message: {
        decisionId: 'deliver:n1:1:sent',
        userId: 'u1',
        stage: 'deliver',
        at: '2026-03-02T00:00:01.000Z',
        verdicts: [
          {
            subject: 'delivery',
            outcome: 'sent',
            text: 'The invitation of ada@example.com was handed over.',
            facts: {
              deliveryId: 'n1',
              userId: 'u1',
              username: 'ada@example.com',
              method: 'email',
              to: 'ada@example.com',
            },
          },
        ],
      },
    },
    {
      key: 'a1',
      message: {
        decisionId: 'route:a1:1:1:start',
        alertId: 'a1',
        stage: 'route',
        at: '2026-03-02T00:00:00.000Z',
        verdicts: [
          {
            subject: 'page',
            outcome: 'paged',
            text: 'Paged ada@example.com.',
            facts: { userId: 'u1', username: 'ada@example.com' },
          },
        ],
      },
    },
  ],
  'dead-letters.v1': [
    {
      key: 'pages.v1/0/7',
      message: {
        topic: 'pages.v1',
        partition: 0,
        offset: 7,
        groupId: 'notifier',
        reason: 'not JSON',
        key: 'dTE=',
        value: 'ew==',
        buriedAt: '2026-03-02T00:00:00.000Z',
      },
    },
    {
      key: 'pages.v1/0/7',
      message: { topic: 'pages.v1', partition: 0, offset: 7, redrivenAt: '2026-03-02T00:05:00.000Z' },
    },
  ],
  ...STATE_SAMPLES,
};
