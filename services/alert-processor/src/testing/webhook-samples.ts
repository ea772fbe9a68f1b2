import { MATCH_ALL, type ConditionSet, type IntegrationState, type WebhookAction } from '@tocsin/events';
import { anIntegration } from './maintenance-samples.ts';

/** Which events the webhook selects. */
export interface Wanted {
  readonly ownerTeamId?: string | undefined;
  readonly alertActions?: WebhookAction[];
  readonly alertFilter?: ConditionSet;
  readonly enabled?: boolean;
}

/** An integration with a webhook; by default it wants creates, acknowledgements and closes. */
export const webhook = (
  id: string,
  {
    alertActions = ['Create', 'Acknowledge', 'Close'],
    alertFilter = MATCH_ALL,
    enabled = true,
    ownerTeamId,
  }: Wanted = {},
): IntegrationState => ({
  ...anIntegration(id, ownerTeamId),
  type: 'Webhook',
  enabled,
  webhook: { alertActions, alertFilter },
});

/** A filter that matches alerts whose field equals the value. */
export const equals = (field: string, expectedValue: string): ConditionSet => ({
  type: 'match-all-conditions',
  conditions: [{ field, not: false, operation: 'equals', expectedValue }],
});
