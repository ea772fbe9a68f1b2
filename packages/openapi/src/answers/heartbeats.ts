import { z } from 'zod';
import { Instant, OwnerTeam, Priority } from './shared.ts';

/** Part 1, 2.6. */
export const Heartbeat = z
  .object({
    name: z.string(),
    description: z.string(),
    interval: z.int().min(1),
    intervalUnit: z.enum(['minutes', 'hours', 'days']),
    enabled: z.boolean(),
    expired: z.boolean().meta({ description: 'Whether its last ping is older than its interval.' }),
    lastPingTime: Instant.optional().meta({ description: 'Absent until the first ping.' }),
    ownerTeam: OwnerTeam.optional(),
    alertMessage: z.string().optional(),
    alertTags: z.array(z.string()),
    alertPriority: Priority.optional(),
  })
  .meta({ id: 'Heartbeat' });

/** What writes of a heartbeat answer. */
export const HeartbeatStatus = z
  .object({ name: z.string(), enabled: z.boolean(), expired: z.boolean() })
  .meta({ id: 'HeartbeatStatus' });
