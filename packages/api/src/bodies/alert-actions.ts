import {
  ALERT_LIMITS,
  alsoTaking,
  codePoints,
  given,
  instant,
  listOf,
  optional,
  optionalReference,
  Priority,
  requiredText,
  type ResponderReference,
  text,
} from '@tocsin/events';
import { z } from 'zod';
import { type AlertActionBody, AlertIdentifierQuery } from '../resources/alert-bodies.ts';
import {
  actor,
  atMost,
  details,
  detailsLength,
  filled,
  list,
  type OnExcess,
  references,
  referenceTo,
  separated,
  withCommas,
  word,
} from './alert-fields.ts';
import { NO_USER } from './refusals.ts';

const common = { ...actor, note: filled(ALERT_LIMITS.note) };
const OBJECT = 'should be a JSON object';

/** The body of a snooze: until when (A5). Whether that is soon enough is for its owner to say. */
export const SnoozeBody: z.ZodType<SnoozeBody> = z.object(
  { endTime: instant.meta({ description: 'In the future, and at most 7 days ahead.' }), ...common },
  OBJECT,
);
export interface SnoozeBody extends AlertActionBody {
  readonly endTime: Date;
}

/** The body of an escalate: which escalation's next rule runs now (A9). */
export const EscalateBody: z.ZodType<EscalateBody> = z.object(
  { escalation: referenceTo('escalation'), ...common },
  OBJECT,
);
export interface EscalateBody extends AlertActionBody {
  readonly escalation: ResponderReference;
}

const owner = z
  .object({ id: optionalReference(100), username: optionalReference(), name: optionalReference() }, NO_USER)
  .meta({ anyOf: [given('id'), given('username'), given('name')] })
  .transform(({ id, username, name }, context): ResponderReference => {
    const called = username ?? name;
    if (id === undefined && called === undefined) context.addIssue({ code: 'custom', message: NO_USER });
    return { type: 'user', ...(id !== undefined && { id }), ...(called !== undefined && { name: called }) };
  });

/** The body of an assign: the new owner by id or user name (A9). */
export const AssignBody: z.ZodType<AssignBody> = z.object({ owner, ...common }, OBJECT);
export interface AssignBody extends AlertActionBody {
  readonly owner: ResponderReference;
}

/** The body that adds a responder (A9). */
export const AddResponderBody: z.ZodType<AddResponderBody> = z.object(
  { responder: references(['user', 'team', 'schedule', 'escalation']), ...common },
  OBJECT,
);
export interface AddResponderBody extends AlertActionBody {
  readonly responder: ResponderReference;
}

/** The body that adds a team as responder, the older way (A9). */
export const AddTeamBody: z.ZodType<AddResponderBody> = z
  .object({ team: referenceTo('team'), ...common }, OBJECT)
  .transform(({ team, ...rest }) => ({ responder: team, ...rest }));

/** The body that adds tags, of which there is one at least; `truncate` lets too many or too long ones pass (E8). */
export function addTagsBody(onExcess: OnExcess): z.ZodType<AddTagsBody> {
  const tags = z
    .preprocess(
      (value) => separated(value ?? []),
      listOf(word(ALERT_LIMITS.tagLength, onExcess), atMost(ALERT_LIMITS.tags, onExcess)).min(
        1,
        'Tags can not be empty.',
      ),
    )
    .meta(alsoTaking(withCommas(ALERT_LIMITS.tagLength, ALERT_LIMITS.tags)));
  return z.object({ tags, ...common }, OBJECT);
}
export interface AddTagsBody extends AlertActionBody {
  readonly tags: readonly string[];
}

/** The body that adds custom properties, of which there is one at least (E8 as {@link addTagsBody}). */
export function addDetailsBody(onExcess: OnExcess): z.ZodType<AddDetailsBody> {
  const given = details
    .refine((value) => Object.keys(value).length > 0, 'Details can not be empty.')
    .meta({ minProperties: 1, not: { additionalProperties: { type: 'null' } } });
  const bounded =
    onExcess === 'reject'
      ? given.refine(
          (value) => detailsLength(value) <= ALERT_LIMITS.details,
          `should be at most ${ALERT_LIMITS.details} characters, keys and values together`,
        )
      : given;
  return z.object({ details: bounded, ...common }, OBJECT).meta({ required: ['details'] });
}
export interface AddDetailsBody extends AlertActionBody {
  readonly details: Readonly<Record<string, string>>;
}

/** The body of a new message, whose text is required. */
export const UpdateMessageBody: z.ZodType<UpdateMessageBody> = z.object(
  { message: requiredText('Message', ALERT_LIMITS.message), ...common },
  OBJECT,
);
export interface UpdateMessageBody extends AlertActionBody {
  readonly message: string;
}

/** The body of a new description; clients leave an empty one out (wire facts 4). */
export const UpdateDescriptionBody: z.ZodType<UpdateDescriptionBody> = z
  .object({ description: optional(text(ALERT_LIMITS.description)), ...common }, OBJECT)
  .transform(({ description = '', ...rest }) => ({ description, ...rest }));
export interface UpdateDescriptionBody extends AlertActionBody {
  readonly description: string;
}

/** The body of a new priority, which is required. */
export const UpdatePriorityBody: z.ZodType<UpdatePriorityBody> = z.object({ priority: Priority, ...common }, OBJECT);
export interface UpdatePriorityBody extends AlertActionBody {
  readonly priority: Priority;
}

const tags = list(word(ALERT_LIMITS.tagLength, 'reject'), ALERT_LIMITS.tags, 'truncate');
const keys = list(text(ALERT_LIMITS.details), ALERT_LIMITS.tags, 'truncate');

/** A text with more words has no words with commas. A word with commas has at most `MAX_COMMAS`. */
const MAX_WORDS = 100;
const MAX_COMMAS = 5;
const MAX_WORD_WITH_COMMAS = 200;

/** The words between commas, then each run of words that may be one word with commas, of at most `max` and 200 characters. */
const separatedOrWhole =
  (max: number) =>
  (value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    const pieces = value.split(',');
    if (pieces.length > MAX_WORDS) return separated(value);
    const joined = pieces.flatMap((_, from) =>
      Array.from({ length: MAX_COMMAS }, (__, more) => pieces.slice(from, from + more + 2))
        .filter((some, more) => some.length === more + 2)
        .map((some) => some.join(',').trim())
        .filter((word) => codePoints(word) <= Math.min(max, MAX_WORD_WITH_COMMAS)),
    );
    return [...new Set([...(separated(value) as readonly string[]), ...joined])];
  };

const listOrText = <T>(items: z.ZodType<T>, max: number) =>
  z.preprocess(separatedOrWhole(max), items).meta(alsoTaking({ type: 'string', maxLength: max }));
const commaSeparated = <T>(items: z.ZodType<T>, max: number) =>
  z
    .string()
    .meta({ maxLength: max, description: 'Separated by commas.' })
    .optional()
    .transform(separatedOrWhole(max))
    .pipe(items);

/** The fields that a DELETE on an alert reads from its body where the query lacks them: absent lists are empty (E5). */
export const AlertRemovalBody: z.ZodType<AlertRemovalBody> = z.object(
  { tags: listOrText(tags, ALERT_LIMITS.tagLength), keys: listOrText(keys, ALERT_LIMITS.details), ...common },
  OBJECT,
);
export interface AlertRemovalBody extends AlertActionBody {
  readonly tags: readonly string[];
  readonly keys: readonly string[];
}

/** The query of a DELETE on an alert. */
export const AlertRemovalQuery = AlertIdentifierQuery.extend({
  tags: commaSeparated(tags, ALERT_LIMITS.tagLength),
  keys: commaSeparated(keys, ALERT_LIMITS.details),
  ...common,
});
export type AlertRemovalQuery = z.infer<typeof AlertRemovalQuery>;
