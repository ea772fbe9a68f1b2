import { z } from 'zod';
import { ofType } from '../described.ts';
import type { NotifyType, EscalationRepeat } from '../messages/states.ts';
import { flexibleBoolean, listOf, oneOf, optional, requiredText, text } from '../primitives.ts';
import { wholeNumber } from '../whole-numbers.ts';
import { minutesBody } from './durations.ts';
import { byKind, OwnerTeam, type KindReference } from './references.ts';
import { NOT_AN_OBJECT } from './refusals.ts';
import { changedName } from './schedules.ts';

/** Whom an escalation rule reaches, as a caller names them: users by id or user name. */
export type RecipientOfRule = KindReference<'user' | 'schedule' | 'team'>;

/** Which of a recipient's people a rule may mean (part 2, 2.9; S9, S15). */
export const NOTIFY_TYPES: Readonly<Record<RecipientOfRule['type'], readonly NotifyType[]>> = {
  user: ['default'],
  schedule: ['default', 'next', 'previous'],
  team: ['default', 'users', 'admins', 'all', 'random'],
};

const Recipient = byKind(['user', 'schedule', 'team']);

/** The longest delay or wait: almost two years. */
const MOST_MINUTES = 1_000_000;

/** Part 2, 2.9: one rule; `condition` and `notifyType` may be left out (S9). */
export const EscalationRuleBody = z
  .object(
    {
      condition: optional(oneOf(['if-not-acked', 'if-not-closed'])),
      notifyType: optional(oneOf(['default', 'next', 'previous', 'users', 'admins', 'all', 'random'])),
      recipient: Recipient,
      delay: minutesBody({ min: 0, max: MOST_MINUTES }),
    },
    NOT_AN_OBJECT,
  )
  .transform(({ condition = 'if-not-acked', notifyType = 'default', recipient, delay }, context) => {
    const allowed = NOTIFY_TYPES[recipient.type];
    if (!allowed.includes(notifyType)) {
      const message = `of a ${recipient.type} should be one of [ ${allowed.join(', ')} ]`;
      context.addIssue({ code: 'custom', path: ['notifyType'], message });
    }
    return { condition, notifyType, recipient, delayMinutes: delay };
  })
  .meta({
    anyOf: Object.entries(NOTIFY_TYPES).map(([type, allowed]) => ({
      properties: { recipient: ofType([type]), notifyType: { enum: [...allowed, null] } },
    })),
  });
export type EscalationRuleBody = z.infer<typeof EscalationRuleBody>;

/** The most repetitions of an escalation (S9). */
const MOST_REPETITIONS = 20;

const repeatFields = z.object(
  {
    waitInterval: optional(minutesBody({ min: 0, max: MOST_MINUTES })),
    count: optional(
      wholeNumber({
        min: 0,
        max: MOST_REPETITIONS,
        refusal: `should be a whole number from 0 to ${MOST_REPETITIONS}`,
        tooSmall: 'should be at least 0',
        tooLarge: `should be at most ${MOST_REPETITIONS}`,
      }),
    ),
    resetRecipientStates: optional(flexibleBoolean),
    closeAlertAfterAll: optional(flexibleBoolean),
  },
  'should be an object with waitInterval and count',
);

const NOT_SET = { enum: [false, 'false', null] };

/** How an escalation starts again, or `none`: it does not (S9). */
export type EscalationRepeatBody = EscalationRepeat | 'none';

/**
 * A wait of zero turns repeating off, and so does an object that says nothing, which clients send beside every escalation
 * (E12); a count that is left out is one. A wait has to be given where anything else is.
 */
const EscalationRepeatBody: z.ZodType<EscalationRepeatBody> = repeatFields
  .transform((given, context): EscalationRepeatBody => {
    const { waitInterval, count, resetRecipientStates = false, closeAlertAfterAll = false } = given;
    if (waitInterval === undefined && (count ?? 0) + Number(resetRecipientStates) + Number(closeAlertAfterAll) > 0) {
      context.addIssue({ code: 'custom', path: ['waitInterval'], message: 'should be given in minutes' });
    }
    if (waitInterval === undefined || waitInterval === 0) return 'none';
    return { waitMinutes: waitInterval, count: count ?? 1, resetRecipientStates, closeAlertAfterAll };
  })
  .meta({
    description: 'A wait of 0, or an empty object, turns repeating off.',
    anyOf: [
      { properties: { waitInterval: { type: ['object', 'integer'] } }, required: ['waitInterval'] },
      { properties: { count: { enum: [0, null] }, resetRecipientStates: NOT_SET, closeAlertAfterAll: NOT_SET } },
    ],
  });

const rules = listOf(EscalationRuleBody).min(1, 'Rules can not be empty.');

const rest = {
  description: optional(text()),
  ownerTeam: OwnerTeam,
  repeat: optional(EscalationRepeatBody),
};

/** Part 2, 4.6a: the body that creates an escalation. */
export const CreateEscalationBody = z.object({ name: requiredText('Escalation name'), rules, ...rest }, NOT_AN_OBJECT);
export type CreateEscalationBody = z.infer<typeof CreateEscalationBody>;

/** Part 2, 4.6a: what a PATCH of an escalation may change; an empty name changes nothing, an empty `repeat` ends it (E12). */
export const UpdateEscalationBody = z.object(
  { name: changedName('Escalation name'), rules: optional(rules), ...rest },
  NOT_AN_OBJECT,
);
export type UpdateEscalationBody = z.infer<typeof UpdateEscalationBody>;
