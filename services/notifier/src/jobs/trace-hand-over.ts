import type { ServiceContext } from '@tocsin/service-kit';
import type { TracedHandOver } from '../application/hand-over.ts';
import { isPage, type Delivery } from '../domain/delivery.ts';

/**
 * Traces one try to hand a message over. What is due with its page is a part of the trace of the page; a later step or repetition
 * has a trace of its own that is linked to it.
 */
export function traceHandOver(tracer: ServiceContext['tracer'], delivery: Delivery): TracedHandOver | undefined {
  if (!isPage(delivery)) return undefined;
  const { attempts, deliveryId, dueAt, method, page } = delivery;
  const { trace } = page;
  if (trace === undefined) return undefined;
  const isDueWithPage = dueAt.getTime() <= Date.parse(page.pagedAt);
  return tracer.begin(`hand over ${method}`, {
    kind: 'client',
    ...(isDueWithPage ? { parent: trace } : { links: [trace] }),
    attributes: {
      'tocsin.alert_id': page.alertId,
      'tocsin.page_id': page.pageId,
      'tocsin.delivery_id': deliveryId,
      'tocsin.attempt': attempts,
    },
  });
}
