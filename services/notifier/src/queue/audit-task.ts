import type { Clock } from '@tocsin/core';
import { defineInternalRoute, type InternalRoute } from '@tocsin/http';
import { AUDIT_SLACK_MS, MAX_STUCK, startAudit, type Audit, type ServiceContext } from '@tocsin/service';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { UndeliveredMessages } from './undelivered-store.ts';

/** Finds messages that are overdue by half a minute and that no process hands over, and makes their queues due again (promise 2). */
export const pageAudit = (undelivered: Pick<UndeliveredMessages, 'find' | 'redrive'>): Audit => ({
  kind: 'pages',
  what: 'messages are overdue',
  look: async (now) => {
    const stuck = await undelivered.find(new Date(now.getTime() - AUDIT_SLACK_MS), now);
    return stuck
      .toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
      .slice(0, MAX_STUCK)
      .map(({ queue, messages, dueAt }) => ({
        id: queue,
        count: messages,
        text: `${messages} messages for [${queue}] are not handed over; the first has been due since ${dueAt.toISOString()}.`,
      }));
  },
  redrive: (queues, now) => undelivered.redrive(queues, now),
});

type AuditParts = Pick<Parameters<typeof startAudit>[1], 'connection' | 'publisher'>;

/** Audits the messages until the stop. */
export function auditPages(
  context: ServiceContext<Config>,
  { undelivered, ...parts }: AuditParts & { readonly undelivered: Pick<UndeliveredMessages, 'find' | 'redrive'> },
): void {
  startAudit(context, {
    ...parts,
    responders: context.config.auditResponders,
    gauge: 'tocsin_pages_undelivered',
    audit: pageAudit(undelivered),
  });
}

/** The counts of final messages, and of messages that no process sends. */
export const ledgerRoute = (undelivered: Pick<UndeliveredMessages, 'find' | 'counts'>, clock: Clock): InternalRoute =>
  defineInternalRoute({
    method: 'GET',
    path: '/internal/ledger',
    query: z.object({ since: z.iso.datetime() }),
    handle: async ({ query }) => {
      const now = clock.now();
      const stuck = await undelivered.find(new Date(now.getTime() - AUDIT_SLACK_MS), now);
      const counts = await undelivered.counts(new Date(query.since));
      return { body: { data: { ...counts, undelivered: stuck.reduce((sum, { messages }) => sum + messages, 0) } } };
    },
  });
