import { z } from 'zod';
import { WrittenConditions } from './conditions.ts';
import { Id, Instant } from './shared.ts';
import { TimeRestriction } from './time-restrictions.ts';

/** Part 2, 2.1. */
export const Team = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    members: z.array(z.object({ user: z.object({ id: Id, username: z.string() }), role: z.enum(['user', 'admin']) })),
  })
  .meta({ id: 'Team' });

/** A team as a list shows it (wire facts 5). */
export const TeamSummary = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    links: z.object({ web: z.url(), api: z.url() }).meta({ description: 'Where the API answers the whole team.' }),
  })
  .meta({ id: 'TeamSummary' });

/** Part 2, 2.2. */
export const TeamLogs = z.object({
  offset: z.string().optional().meta({ description: 'Where the next page begins. Absent on the last one.' }),
  logs: z.array(
    z.object({
      owner: z.string().meta({ description: 'The name of the integration whose key was used.' }),
      createdDate: Instant,
      log: z.string(),
    }),
  ),
});

const target = { id: Id, name: z.string().optional() };

/** Part 2, 2.3. */
export const RoutingRule = z
  .object({
    id: Id,
    name: z.string(),
    isDefault: z.boolean(),
    order: z.int().min(0).meta({ description: 'The place among the rules of the team. The default rule is last.' }),
    timezone: z.string(),
    criteria: WrittenConditions,
    timeRestriction: TimeRestriction.optional(),
    notify: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('schedule'), ...target }),
        z.object({ type: z.literal('escalation'), ...target }),
        z.object({ type: z.literal('none') }),
      ])
      .meta({ description: 'Where the alerts go; without a name where the thing is gone.' }),
  })
  .meta({ id: 'RoutingRule' });

/** Wire facts 5. */
export const TeamRole = z
  .object({
    id: Id,
    name: z.string(),
    rights: z.array(z.object({ right: z.string(), granted: z.boolean() })),
  })
  .meta({ id: 'TeamRole' });
