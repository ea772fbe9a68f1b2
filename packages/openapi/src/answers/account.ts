import { z } from 'zod';
import { DOMAINS } from '@tocsin/contracts';
import { Id } from './shared.ts';

/** Wire facts 5. */
export const Account = z
  .object({
    name: z.string(),
    userCount: z.int().min(0),
    plan: z.object({ maxUserCount: z.int(), name: z.string(), isYearly: z.boolean() }),
  })
  .meta({ id: 'Account' });

/** What a key may send of one group of operations (F1, E16). */
export const RateLimit = z
  .object({
    domain: z.enum(DOMAINS),
    limits: z.array(z.object({ limit: z.int().min(0), periodInSeconds: z.int().min(1) })),
  })
  .meta({ id: 'RateLimit' });

const summary = { id: Id, name: z.string(), extendedRole: z.enum(['user', 'observer', 'stakeholder']) };
const rights = z.array(z.string());

/** Wire facts 5. */
export const Role = z.object({ ...summary, grantedRights: rights, disallowedRights: rights }).meta({ id: 'Role' });

/** A custom role as a list shows it. */
export const RoleSummary = z.object(summary).meta({ id: 'RoleSummary' });
