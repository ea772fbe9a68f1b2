import { MATCH_ALL, type ConditionSet, type IntegrationState, type WebhookAction } from '@tocsin/contracts';
import { anIntegration } from './maintenance-samples.ts';

/** What a webhook is told to want. */
export interface Wanted {
  readonly ownerTeamId?: string | undefined;
  readonly alertActions?: WebhookAction[];
  readonly alertFilter?: ConditionSet;
  readonly enabled?: boolean;
}

/** An integration that wants to be told, of everything that is created, acknowledged and closed unless told. */
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

/** Holds for alerts whose field equals the value. */
export const equals = (field: string, expectedValue: string): ConditionSet => ({
  type: 'match-all-conditions',
  conditions: [{ field, not: false, operation: 'equals', expectedValue }],
});
