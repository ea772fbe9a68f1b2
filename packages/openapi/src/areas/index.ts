import type { OperationId } from '@tocsin/contracts';
import type { Descriptions } from '../description.ts';
import { ALERT_WRITES } from './alert-writes.ts';
import { ALERTS } from './alerts.ts';
import { ATTACHMENTS } from './attachments.ts';
import { ESCALATIONS } from './escalations.ts';
import { INTEGRATION_ACTIONS } from './integration-actions.ts';
import { INTEGRATIONS } from './integrations.ts';
import { SAVED_SEARCHES } from './saved-searches.ts';

/** One description for each operation. */
export const DESCRIPTIONS: Partial<Descriptions<OperationId>> = {
  ...ALERT_WRITES,
  ...ALERTS,
  ...ATTACHMENTS,
  ...ESCALATIONS,
  ...INTEGRATION_ACTIONS,
  ...INTEGRATIONS,
  ...SAVED_SEARCHES,
};
