import type { AlertEvent, AlertState, Page, UserState } from '@tocsin/contracts';
import { MATCH_ALL } from '@tocsin/contracts';
import { UNTRIED, type PageDelivery } from '../domain/delivery.ts';
import type { AlertStanding } from '../domain/wanted.ts';

/** A page of Ada about a full disk, for tests. */
export const page = (change: Partial<Page> = {}): Page => ({
  pageId: 'a1:1:user:ada:-:0:ada:create-alert',
  alertId: 'a1',
  cycle: 1,
  userId: 'ada',
  actionType: 'create-alert',
  wantedWhile: 'unacked',
  pagedAt: '2026-01-01T00:00:00.000Z',
  why: 'responder user',
  alertVersion: 1,
  alert: {
    tinyId: '7',
    alias: 'disk-full',
    message: 'Disk full',
    description: 'No space left on /var',
    source: '10.0.0.1',
    entity: '',
    priority: 'P1',
    tags: ['db'],
    actions: [],
    details: { host: 'db-7' },
    responders: [],
    createdAt: '2026-01-01T00:00:00.000Z',
  },
  acceptedAt: '2026-01-01T00:00:00.000Z',
  ...change,
});

/** Ada, who is told of new alerts by e-mail at once. */
export const ada = (change: Partial<UserState> = {}): UserState => ({
  id: 'ada',
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
      criteria: MATCH_ALL,
      steps: [{ id: 's1', contact: { method: 'email', to: 'ada@example.com' }, sendAfterMinutes: 0, enabled: true }],
    },
  ],
  ...change,
});

export const deliveryOf = (of: Page, change: Partial<PageDelivery> = {}): PageDelivery => ({
  ...UNTRIED,
  deliveryId: of.pageId,
  page: of,
  contactId: 'c1',
  username: 'ada@example.com',
  method: 'email',
  to: 'ada@example.com',
  dueAt: new Date(of.pagedAt),
  ...change,
});

/** The alert that is paged about, as it stands until something happens. */
export const open: AlertStanding = {
  alertId: 'a1',
  version: 1,
  status: 'open',
  acknowledged: false,
  snoozed: false,
  cycle: 1,
};

export const alertEvent = (version: number, change: Partial<AlertState>): AlertEvent => ({
  alertId: 'a1',
  version,
  state: {
    status: 'open',
    acknowledged: false,
    snoozed: false,
    cycle: 1,
    verdict: { kind: 'go' },
    flowStartedAt: '2026-01-01T00:00:00.000Z',
    flow: { version: 1, responders: 1, began: true },
    tinyId: '7',
    alias: 'disk-full',
    message: 'Disk full',
    description: '',
    source: '10.0.0.1',
    entity: '',
    priority: 'P1',
    owner: '',
    tags: [],
    actions: [],
    details: {},
    responders: [{ type: 'user', id: 'ada' }],
    integration: { id: 'i1', name: 'Default API', type: 'API' },
    createdAt: '2026-01-01T00:00:00.000Z',
    ...change,
  },
  facts: [],
  acceptedAt: '2026-01-01T00:00:00.000Z',
});
