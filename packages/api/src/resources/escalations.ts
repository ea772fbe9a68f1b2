import {
  type EscalationRepeat,
  flexibleBoolean,
  listOf,
  type NotifyType,
  ofType,
  oneOf,
  optional,
  requiredText,
  text,
  wholeNumber,
} from '@tocsin/events';
import { z } from 'zod';
import { Id, Named, OwnerTeam as OwnerTeamAnswer } from '../answers/shared.ts';
import { minutesBody } from '../bodies/durations.ts';
import { byKind, type KindReference, OwnerTeam } from '../bodies/references.ts';
import { NOT_AN_OBJECT } from '../bodies/refusals.ts';
import { MEDIUM_BODY, NO_RULES, resource, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { changedName, IdentifierQuery } from './schedules.ts';

/** The recipient of an escalation rule, as callers write it: users by id or user name. */
export type RecipientOfRule = KindReference<'user' | 'schedule' | 'team'>;

/** Which of a recipient's people a rule may mean (part 2, 2.9; S9, S15). */
export const NOTIFY_TYPES: Readonly<Record<RecipientOfRule['type'], readonly NotifyType[]>> = {
  user: ['default'],
  schedule: ['default', 'next', 'previous'],
  team: ['default', 'users', 'admins', 'all', 'random'],
};

const Recipient = byKind(['user', 'schedule', 'team']);

/** The longest delay or wait: almost two years. */
const MAX_MINUTES = 1_000_000;

/** Part 2, 2.9: one rule; `condition` and `notifyType` may be left out (S9). */
export const EscalationRuleBody = z
  .object(
    {
      condition: optional(oneOf(['if-not-acked', 'if-not-closed'])),
      notifyType: optional(oneOf(['default', 'next', 'previous', 'users', 'admins', 'all', 'random'])),
      recipient: Recipient,
      delay: minutesBody({ min: 0, max: MAX_MINUTES }),
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

/** The most repeats of an escalation (S9). */
const MAX_REPETITIONS = 20;

const repeatFields = z.object(
  {
    waitInterval: optional(minutesBody({ min: 0, max: MAX_MINUTES })),
    count: optional(
      wholeNumber({
        min: 0,
        max: MAX_REPETITIONS,
        refusal: `should be a whole number from 0 to ${MAX_REPETITIONS}`,
        tooSmall: 'should be at least 0',
        tooLarge: `should be at most ${MAX_REPETITIONS}`,
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
export const EscalationRepeatBody: z.ZodType<EscalationRepeatBody> = repeatFields
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

/** The recipient of a rule (E10); without a name where it was deleted. */
const RecipientAnswer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), id: Id, username: z.string().optional() }),
  z.object({ type: z.literal('schedule'), id: Id, name: z.string().optional() }),
  z.object({ type: z.literal('team'), id: Id, name: z.string().optional() }),
]);

const Rule = z.object({
  condition: z.enum(['if-not-acked', 'if-not-closed']),
  notifyType: z.enum([...new Set(Object.values(NOTIFY_TYPES).flat())]),
  delay: z.object({ timeAmount: z.int().min(0), timeUnit: z.literal('minutes') }),
  recipient: RecipientAnswer,
});

/** Part 2, 2.9. */
const Escalation = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    ownerTeam: OwnerTeamAnswer.optional(),
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

const read = { right: 'read-configuration', domain: 'configuration', owner: 'scheduling' } as const;
const write = {
  right: 'write-configuration',
  people: 'team-admin',
  domain: 'configuration',
  owner: 'scheduling',
} as const;
const ESCALATION = '/v2/escalations/{identifier}';

const written = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e12', name: 'Database on call' };
const body = {
  name: 'Database on call',
  ownerTeam: { name: 'Database' },
  rules: [
    {
      condition: 'if-not-acked',
      notifyType: 'default',
      delay: { timeAmount: 5 },
      recipient: { type: 'schedule', name: 'Database nights' },
    },
  ],
  repeat: { waitInterval: 10, count: 3 },
};
const escalation = {
  ...written,
  description: '',
  ownerTeam: { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e13', name: 'Database' },
  rules: [
    {
      condition: 'if-not-acked',
      notifyType: 'default',
      delay: { timeAmount: 5, timeUnit: 'minutes' },
      recipient: { type: 'schedule', id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14', name: 'Database nights' },
    },
  ],
  repeat: { waitInterval: 10, count: 3, resetRecipientStates: false, closeAlertAfterAll: false },
};

/** Part 2, 4.6a. */
export const ESCALATIONS = resource('Escalations', NO_RULES, {
  'create-escalation': {
    ...write,
    ...MEDIUM_BODY,
    method: 'POST',
    path: '/v2/escalations',
    summary: 'Creates an escalation',
    body: { schema: CreateEscalationBody, example: body },
    success: createdAnswer(Named, written),
    refusals: [404, 409],
  },
  'get-escalation': {
    ...read,
    method: 'GET',
    path: ESCALATION,
    summary: 'Reads an escalation',
    query: IdentifierQuery,
    success: dataAnswer(Escalation, escalation),
    refusals: [404],
  },
  'list-escalations': {
    ...read,
    method: 'GET',
    path: '/v2/escalations',
    summary: 'Lists escalations',
    success: dataAnswer(z.array(Escalation), [escalation]),
  },
  'update-escalation': {
    ...write,
    ...MEDIUM_BODY,
    method: 'PATCH',
    path: ESCALATION,
    summary: 'Changes an escalation',
    description: 'What the body leaves out stays as it is.',
    query: IdentifierQuery,
    body: { schema: UpdateEscalationBody, example: { name: 'Database by night' } },
    success: changedAnswer('Updated', Named, { ...written, name: 'Database by night' }),
    refusals: [404, 409],
  },
  'delete-escalation': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: ESCALATION,
    summary: 'Deletes an escalation',
    query: IdentifierQuery,
    success: doneAnswer('Deleted'),
    refusals: [404, 428],
  },
});
