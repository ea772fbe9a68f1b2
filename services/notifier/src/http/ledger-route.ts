import type { Clock } from '@tocsin/clock';
import { defineInternalRoute, type InternalRoute } from '@tocsin/http';
import { AUDIT_SLACK_MS } from '@tocsin/service-kit';
import { z } from 'zod';
import type { Undelivered } from '../ports/undelivered.ts';

/** What became of messages, and how many of them nobody hands over. */
export const ledgerRoute = (undelivered: Pick<Undelivered, 'find' | 'counts'>, clock: Clock): InternalRoute =>
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
