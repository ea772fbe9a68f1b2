import type { Publisher } from '@tocsin/messaging';
import type { Connection } from '@tocsin/persistence';
import { AUDIT_SLACK_MS, MOST_STUCK, startAudit, type Audit, type ServiceContext } from '@tocsin/service-kit';
import type { Config } from '../config.ts';
import type { Undelivered } from '../ports/undelivered.ts';

/** Finds messages that have been due for half a minute and that no process hands over, and makes their turns due again (promise 2). */
export const pageAudit = (undelivered: Pick<Undelivered, 'find' | 'redrive'>): Audit => ({
  kind: 'pages',
  what: 'messages are overdue',
  look: async (now) => {
    const stuck = await undelivered.find(new Date(now.getTime() - AUDIT_SLACK_MS), now);
    return stuck
      .toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
      .slice(0, MOST_STUCK)
      .map(({ turn, messages, dueAt }) => ({
        id: turn,
        count: messages,
        text: `${messages} messages for [${turn}] are not handed over; the first has been due since ${dueAt.toISOString()}.`,
      }));
  },
  redrive: (turns, now) => undelivered.redrive(turns, now),
});

/** Audits the messages until the stop. */
export function auditPages(
  context: ServiceContext<Config>,
  { connection, publisher, undelivered }: { connection: Connection; publisher: Publisher; undelivered: Undelivered },
): void {
  startAudit(context, {
    connection,
    publisher,
    responders: context.config.auditResponders,
    gauge: 'tocsin_pages_undelivered',
    audit: pageAudit(undelivered),
  });
}
