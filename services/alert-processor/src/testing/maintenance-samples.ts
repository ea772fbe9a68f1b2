import type { MaintenanceRule } from '@tocsin/api';
import type { IntegrationState } from '@tocsin/events';
import type { Maintenance } from '../maintenance/maintenance.ts';

export const disabledIntegration = (id: string): MaintenanceRule => ({
  entity: { type: 'integration', id },
  state: 'disabled',
});

export const policyRule = (id: string, state: 'enabled' | 'disabled'): MaintenanceRule => ({
  entity: { type: 'policy', id },
  state,
});

/** By default a window of one hour, of the account, that silences the integration `int-1`. */
export function aMaintenance(fields: Partial<Maintenance> = {}): Maintenance {
  return {
    id: 'maintenance-1',
    createdAt: new Date('2026-03-01T12:00:00.000Z'),
    description: 'Deploy',
    teamId: undefined,
    madeBy: undefined,
    type: 'schedule',
    startsAt: new Date('2026-03-02T08:00:00.000Z'),
    endsAt: new Date('2026-03-02T09:00:00.000Z'),
    cancelledAt: undefined,
    deletedAt: undefined,
    rules: [disabledIntegration('int-1')],
    ...fields,
  };
}

/** An integration as its topic has it; by default account-wide. */
export const anIntegration = (id: string, ownerTeamId?: string): IntegrationState => ({
  id,
  name: `Integration ${id}`,
  type: 'API',
  enabled: true,
  ...(ownerTeamId !== undefined && { ownerTeamId }),
  allowReadAccess: true,
  allowWriteAccess: true,
  allowConfigurationAccess: false,
  suppressNotifications: false,
});
