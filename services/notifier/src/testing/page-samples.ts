import { type Cancel, type Erase, type Page, type UserState, MATCH_ALL } from '@tocsin/events';
import { UNTRIED, type PageDelivery } from '../messages/delivery.ts';

/** A page of Ada about a full disk, for tests. */
export const page = (change: Partial<Page> = {}): Page => ({
  kind: 'page',
  pageId: 'a1:1:user:ada:-:0:ada:create-alert',
  alertId: 'a1',
  cycle: 1,
  userId: 'ada',
  actionType: 'create-alert',
  cancelOn: 'ack',
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

/** Ada, whose rule sends new alerts by e-mail at once. */
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

/** The end of Ada's pages about the full disk of versions before the one that is given, by an acknowledgement by default. */
export const cancel = (alertVersion = 2, change: Partial<Cancel> = {}): Cancel => ({
  kind: 'cancel',
  alertId: 'a1',
  userId: 'ada',
  alertVersion,
  on: 'ack',
  reason: 'the alert was acknowledged',
  ...change,
});

/** As {@link cancel}, by a close. */
export const closing = (alertVersion = 2, change: Partial<Cancel> = {}): Cancel =>
  cancel(alertVersion, { on: 'close', reason: 'the alert was closed', ...change });

/** The alert about the full disk was deleted. */
export const erase = (change: Partial<Erase> = {}): Erase => ({ kind: 'erase', alertId: 'a1', ...change });
