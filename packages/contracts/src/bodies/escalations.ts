import { z } from 'zod';
import type { NotifyType } from '../messages/states.ts';
import { DEFAULT_LIMIT, oneOf, optional, optionalReference, requiredText, text } from '../primitives.ts';
import { OwnerTeamReference, type Reference } from './schedules.ts';

const NOT_AN_OBJECT = 'should be an object';

/** Whom an escalation rule reaches, as a caller names them: users by id or user name. */
export type RecipientOfRule = { readonly type: 'user' | 'schedule' | 'team' } & Reference;

/** Which of a recipient's people a rule may mean (part 2, 2.9; S9, S15). */
export const NOTIFY_TYPES: Readonly<Record<RecipientOfRule['type'], readonly NotifyType[]>> = {
  user: ['default'],
  schedule: ['default', 'next', 'previous'],
  team: ['default', 'users', 'admins', 'all', 'random'],
};

const Recipient: z.ZodType<RecipientOfRule> = z
  .object(
    {
      type: oneOf(['user', 'schedule', 'team']),
      id: optionalReference(100),
      name: optionalReference(),
      username: optionalReference(),
    },
    'should be an object with type and id or name',
  )
  .transform(({ type, id, name, username }, context): RecipientOfRule => {
    const called = type === 'user' ? (username ?? name) : name;
    if (id === undefined && called === undefined)
      context.addIssue({ code: 'custom', message: 'id or name should be provided' });
    return { type, id, name: called };
  });

const WHOLE_MINUTES = 'should be a whole number of minutes';

/** Clients leave a zero out, so an empty delay is none. */
const Delay = z.object(
  {
    timeAmount: optional(
      z.int(WHOLE_MINUTES).min(0, 'should be at least 0').max(1_000_000, 'should be at most 1000000'),
    ),
    timeUnit: optional(oneOf(['minutes'])),
  },
  'should be an object with timeAmount',
);

/** Part 2, 2.9: one rule; `condition` and `notifyType` may be left out (S9). */
export const EscalationRuleBody = z
  .object(
    {
      condition: optional(oneOf(['if-not-acked', 'if-not-closed'])),
      notifyType: optional(oneOf(['default', 'next', 'previous', 'users', 'admins', 'all', 'random'])),
      recipient: Recipient,
      delay: Delay,
    },
    NOT_AN_OBJECT,
  )
  .transform(({ condition = 'if-not-acked', notifyType = 'default', recipient, delay }, context) => {
    const allowed = NOTIFY_TYPES[recipient.type];
    if (!allowed.includes(notifyType)) {
      const message = `of a ${recipient.type} should be one of [ ${allowed.join(', ')} ]`;
      context.addIssue({ code: 'custom', path: ['notifyType'], message });
    }
    return { condition, notifyType, recipient, delayMinutes: delay.timeAmount ?? 0 };
  });
export type EscalationRuleBody = z.infer<typeof EscalationRuleBody>;

const saysNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === 0 || value === '';

/** `{}` and a repeat of zero times are absent (E12); any other is refused rather than kept without effect. */
const unsupportedRepeat = z
  .unknown()
  .optional()
  .refine(
    (value) => saysNothing(value) || (typeof value === 'object' && Object.values(value ?? {}).every(saysNothing)),
    {
      message: 'Repeating an escalation is not supported yet.',
    },
  );

const rules = z
  .array(EscalationRuleBody, 'should be a list')
  .min(1, 'Rules can not be empty.')
  .max(DEFAULT_LIMIT, `should have at most ${DEFAULT_LIMIT} items`);

const rest = { description: optional(text()), ownerTeam: optional(OwnerTeamReference), repeat: unsupportedRepeat };

/** Part 2, 4.6a: the body that creates an escalation. */
export const CreateEscalationBody = z.object({ name: requiredText('Escalation name'), rules, ...rest }, NOT_AN_OBJECT);
export type CreateEscalationBody = z.infer<typeof CreateEscalationBody>;

/** Part 2, 4.6a: what a PATCH of an escalation may change; an empty name changes nothing (E12). */
export const UpdateEscalationBody = z.object(
  { name: optionalReference(), rules: optional(rules), ...rest },
  NOT_AN_OBJECT,
);
export type UpdateEscalationBody = z.infer<typeof UpdateEscalationBody>;
