import {
  ActionType,
  alsoTaking,
  ContactMethod,
  DEFAULT_LIMIT,
  flexibleBoolean,
  given,
  LeadTime,
  listOf,
  oneOf,
  optional,
  optionalReference,
  requiredText,
  wholeNumber,
} from '@tocsin/events';
import { z } from 'zod';
import { CriteriaBody } from '../bodies/conditions.ts';
import { minutesBody } from '../bodies/durations.ts';
import { NestedImportId } from '../bodies/import-ids.ts';
import { NewPlaceBody, place } from '../bodies/places.ts';
import { narrowingReferences, type Reference } from '../bodies/references.ts';
import { NO_REFERENCE, NOT_AN_OBJECT } from '../bodies/refusals.ts';
import { TimeRestrictionBody } from '../bodies/time-restrictions.ts';

const MAX_MINUTES = 1_000_000;

/** A contact as a step names it: by its method and address (part 3, 2.4). */
const StepContact = z.object(
  {
    method: oneOf(ContactMethod.options),
    to: requiredText('Address').transform((to) => to.trim()),
  },
  'should be an object with method and to',
);

const sendAfter = optional(minutesBody({ min: 0, max: MAX_MINUTES }));

/** Part 3, 4.4: the body that adds a step to a rule. Whether `sendAfter` may be left out depends on the rule. */
export const CreateNotificationStepBody = z.object(
  { contact: StepContact, sendAfter, enabled: flexibleBoolean },
  NOT_AN_OBJECT,
);
export type CreateNotificationStepBody = z.infer<typeof CreateNotificationStepBody>;

/** Part 3, 4.4: what a PATCH of a step may change. */
export const UpdateNotificationStepBody = z.object(
  { contact: optional(StepContact), sendAfter, enabled: optional(flexibleBoolean) },
  NOT_AN_OBJECT,
);
export type UpdateNotificationStepBody = z.infer<typeof UpdateNotificationStepBody>;

/** A step inside the body of its rule; the id of one that the rule has keeps it that one. */
const RuleStep = z.object(
  { id: optionalReference(100), contact: StepContact, sendAfter, enabled: flexibleBoolean },
  NOT_AN_OBJECT,
);

/** A step of an imported rule (I6). */
const ImportedStep = RuleStep.extend({ id: NestedImportId });

const ScheduleReference: z.ZodType<Reference> = z
  .object(
    { type: optional(oneOf(['schedule'])), id: optionalReference(100), name: optionalReference() },
    'should be an object with type and id or name',
  )
  .transform(({ id, name }) => ({ id, name }))
  .refine(({ id, name }) => id !== undefined || name !== undefined, NO_REFERENCE)
  .meta({ anyOf: [given('id'), given('name')] });

/** How the steps of a rule repeat: `'never'` is what a repeat says that is disabled and has no time. */
export type NotificationRepeat = { readonly enabled: boolean; readonly loopAfterMinutes: number } | 'never';

const loopAfter = wholeNumber({
  min: 1,
  max: MAX_MINUTES,
  refusal: 'should be a whole number of minutes',
  tooSmall: 'should be at least 1',
  tooLarge: `should be at most ${MAX_MINUTES}`,
});

const WrittenRepeat = z
  .object({ loopAfter: optional(loopAfter), enabled: optional(flexibleBoolean) }, 'should be an object with loopAfter')
  .transform(({ loopAfter: loopAfterMinutes, enabled = true }, context): NotificationRepeat => {
    if (loopAfterMinutes !== undefined) return { enabled, loopAfterMinutes };
    if (enabled) context.addIssue({ code: 'custom', path: ['loopAfter'], message: 'should be provided' });
    return 'never';
  })
  .meta({
    anyOf: [
      { properties: { loopAfter: { type: ['integer', 'string'] } }, required: ['loopAfter'] },
      { properties: { enabled: { enum: [false, 'false'] } }, required: ['enabled'] },
      { additionalProperties: { enum: ['', null] } },
    ],
  });

/** An empty object says nothing (E12). */
const saysNothing = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).every((part) => part === null || part === ''));

const Repeat: z.ZodType<NotificationRepeat | undefined> = z.preprocess(
  (value) => (saysNothing(value) ? undefined : value),
  optional(WrittenRepeat),
);

const rest = {
  criteria: optional(CriteriaBody),
  notificationTime: optional(listOf(oneOf(LeadTime.options)).transform((times) => [...new Set(times)])),
  timeRestriction: TimeRestrictionBody,
  schedules: optional(narrowingReferences(ScheduleReference, ['schedule'])),
  order: optional(place),
  steps: optional(listOf(RuleStep)),
  repeat: Repeat,
};

const DELAYED = ['create-alert', 'assigned-alert'];
const OF_SHIFTS = ['schedule-start', 'schedule-end'];
const OTHERS = ActionType.options.filter((type) => ![...DELAYED, ...OF_SHIFTS].includes(type));
const DELAYED_STEP = { properties: { sendAfter: { type: ['object', 'integer'] } }, required: ['sendAfter'] };

/** The requirements of the action type, which directory checks (part 3, 2.3 and 2.4). */
const DEMANDED = [
  { properties: { actionType: { enum: OTHERS } } },
  { properties: { actionType: { enum: DELAYED }, steps: { items: DELAYED_STEP } } },
  {
    properties: { actionType: { enum: OF_SHIFTS }, notificationTime: { type: 'array', minItems: 1 } },
    required: ['notificationTime'],
  },
];

/**
 * Part 3, 4.3: the body that creates a notification rule; without an order it comes last (S15). What a rule needs beyond
 * this depends on its action type.
 */
export const CreateNotificationRuleBody = z
  .object(
    {
      name: requiredText('Rule name'),
      actionType: oneOf(ActionType.options),
      enabled: flexibleBoolean,
      ...rest,
    },
    NOT_AN_OBJECT,
  )
  .meta({ anyOf: DEMANDED });
export type CreateNotificationRuleBody = z.infer<typeof CreateNotificationRuleBody>;

/** A rule in the list that replaces all rules of a user (I6); its order is its place among those of its type. */
export const ImportedNotificationRule = z
  .object(
    {
      id: NestedImportId,
      name: requiredText('Rule name'),
      actionType: oneOf(ActionType.options),
      enabled: flexibleBoolean,
      ...rest,
      steps: optional(listOf(ImportedStep)),
    },
    NOT_AN_OBJECT,
  )
  .meta({ anyOf: DEMANDED });

/** Part 3, 4.3: what a PATCH of a notification rule may change; an empty name changes nothing (E12). */
export const UpdateNotificationRuleBody = z.object(
  { name: optionalReference(), enabled: optional(flexibleBoolean), ...rest },
  NOT_AN_OBJECT,
);
export type UpdateNotificationRuleBody = z.infer<typeof UpdateNotificationRuleBody>;

/** Wire facts 5: the place among the rules of its type that a rule is moved to; clients leave a zero out (P8). */
export const ChangeNotificationRuleOrderBody = NewPlaceBody;
export type ChangeNotificationRuleOrderBody = z.infer<typeof ChangeNotificationRuleOrderBody>;

/** Every action type, or every user. */
const ALL = 'all';
/** The word of copies for rules of type create-alert (U12). */
const NEW_ALERT = 'new-alert';

const COPIED_TYPES = [ALL, NEW_ALERT, ...ActionType.options] as const;
const CopiedType = oneOf(COPIED_TYPES);

function actionTypesOf(words: readonly z.infer<typeof CopiedType>[]): readonly ActionType[] {
  const types = words.flatMap((word): readonly ActionType[] => {
    if (word === ALL) return ActionType.options;
    return [word === NEW_ALERT ? 'create-alert' : word];
  });
  return [...new Set(types)];
}

/** A bare word stands for a list of it; `word` is what it may be, as JSON Schema. */
const oneOrMore = <T extends z.ZodType>(item: T, empty: string, word: Readonly<Record<string, unknown>>) =>
  z
    .preprocess((value) => (typeof value === 'string' ? [value] : (value ?? [])), listOf(item).min(1, empty))
    .meta(alsoTaking(word));

/** To whom rules are copied: everybody, or those whose user names or ids are listed. */
export type CopyTargets = 'everybody' | readonly string[];

const targetsOf = (users: readonly string[]): CopyTargets =>
  users.some((user) => user.trim().toLowerCase() === ALL) ? 'everybody' : users;

/**
 * Part 3, 4.3: the body that copies notification rules to other users (U12). `ruleTypes` and `ruleType` are both read; the
 * names of action types are understood where the description has words of its own.
 */
export const CopyNotificationRulesBody = z
  .preprocess(
    (value) => {
      const { ruleTypes, ruleType, ...body } = (value ?? {}) as Readonly<Record<string, unknown>>;
      return { ...body, ruleTypes: ruleTypes ?? ruleType };
    },
    z.object({
      toUsers: oneOrMore(requiredText('User'), 'Users can not be empty.', {
        type: 'string',
        maxLength: DEFAULT_LIMIT,
        pattern: '\\S',
      }).meta({ description: 'Ids or user names; `all` means all users.' }),
      ruleTypes: oneOrMore(CopiedType, 'Rule types can not be empty.', { enum: COPIED_TYPES }).meta({
        description: 'Read from `ruleType` too.',
      }),
    }),
  )
  .transform(({ toUsers, ruleTypes }) => ({ toUsers: targetsOf(toUsers), actionTypes: actionTypesOf(ruleTypes) }));
export type CopyNotificationRulesBody = z.infer<typeof CopyNotificationRulesBody>;
