import { z } from 'zod';
import { MAINTENANCE_TYPES } from '@tocsin/contracts';
import { Id, Instant } from './shared.ts';

/** Part 1, 2.7: as lists and writes show it. */
export const Maintenance = z
  .object({
    id: Id,
    status: z.enum(['planned', 'active', 'past', 'cancelled']),
    time: z.discriminatedUnion('type', [
      z.object({ type: z.literal('schedule'), startDate: Instant, endDate: Instant }),
      z.object({ type: z.enum(MAINTENANCE_TYPES).exclude(['schedule']) }),
    ]),
    description: z.string(),
  })
  .meta({ id: 'Maintenance' });

/** As it is read alone. */
export const MaintenanceWithRules = Maintenance.extend({
  rules: z.array(
    z.object({
      entity: z.object({ type: z.enum(['integration', 'policy']), id: Id }),
      state: z.enum(['enabled', 'disabled']),
    }),
  ),
}).meta({ id: 'MaintenanceWithRules' });
