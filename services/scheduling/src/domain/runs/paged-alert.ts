import type { AlertState, Page } from '@tocsin/contracts';

/** What a page says of its alert. */
export const pagedAlert = (alert: AlertState, responders: Page['alert']['responders']): Page['alert'] => ({
  tinyId: alert.tinyId,
  alias: alert.alias,
  message: alert.message,
  description: alert.description,
  source: alert.source,
  entity: alert.entity,
  priority: alert.priority,
  tags: alert.tags,
  actions: alert.actions,
  details: alert.details,
  responders,
  createdAt: alert.createdAt,
});
