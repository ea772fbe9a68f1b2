import { z } from 'zod';
import { NOTIFY_TYPES } from '@tocsin/contracts';
import { Id, OwnerTeam } from './shared.ts';

/** Whom a rule reaches (E10); without a name where the thing is gone. */
const Recipient = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), id: Id, username: z.string().optional() }),
  z.object({ type: z.literal('schedule'), id: Id, name: z.string().optional() }),
  z.object({ type: z.literal('team'), id: Id, name: z.string().optional() }),
]);

const Rule = z.object({
  condition: z.enum(['if-not-acked', 'if-not-closed']),
  notifyType: z.enum([...new Set(Object.values(NOTIFY_TYPES).flat())]),
  delay: z.object({ timeAmount: z.int().min(0), timeUnit: z.literal('minutes') }),
  recipient: Recipient,
});

/** Part 2, 2.9. */
export const Escalation = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    ownerTeam: OwnerTeam.optional(),
    rules: z.array(Rule),
    repeat: z
      .object({
        waitInterval: z.int().min(1),
        count: z.int().min(0),
        resetRecipientStates: z.boolean(),
        closeAlertAfterAll: z.boolean(),
      })
      .optional(),
  })
  .meta({ id: 'Escalation' });
