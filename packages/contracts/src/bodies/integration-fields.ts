import { z } from 'zod';
import {
  blankIsAbsent,
  DEFAULT_LIMIT,
  flexibleBoolean,
  oneOf,
  optional,
  optionalReference,
  text,
} from '../primitives.ts';
import { compileTemplate } from '../templates.ts';

/** What an integration may name as a recipient; `all` and `none` stand for everybody and nobody (P11). */
export const RecipientType = oneOf(['user', 'escalation', 'schedule', 'team', 'all', 'none']);
export type RecipientType = z.infer<typeof RecipientType>;

const recipient = z
  .object(
    { type: RecipientType, id: optionalReference(100), name: optionalReference(), username: optionalReference() },
    'should be an object with type and id or name',
  )
  .transform(({ type, id, name, username }, context): RecipientReference => {
    const called = type === 'user' ? (username ?? name) : name;
    const named = id !== undefined || called !== undefined || type === 'all' || type === 'none';
    if (!named) context.addIssue({ code: 'custom', message: 'id or name should be provided' });
    return { type, id, name: called };
  });

/** Whom an integration names: by id, or by name (user name for users); `all` and `none` need neither. */
export interface RecipientReference {
  readonly type: RecipientType;
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** A list of recipients; `null` and what is left out are no list at all. */
export const recipientList = optional(
  z.array(recipient, 'should be a list').max(1_000, 'should have at most 1000 items'),
);

/** A team by id or name; one without either is none (E12). */
export const teamReference = optional(
  z.object({ id: optionalReference(100), name: optionalReference() }, 'should be an object with id or name'),
);
export interface TeamReference {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

export const flag = optional(flexibleBoolean);

const compiles = (value: string): boolean => compileTemplate(value) !== undefined;

/** A template within the limit of the field that it fills (P4, E14); an empty one is absent. */
export const template = (max: number): z.ZodType<string | undefined> =>
  blankIsAbsent(
    text(max).refine(compiles, 'should be a template such as {{message}} or {{details.host.toLowerCase()}}'),
  );

/** At most `items` templates of at most `max` code points. */
export const templates = (max: number, items: number): z.ZodType<string[] | undefined> =>
  optional(
    z
      .array(text(max), 'should be a list')
      .max(items, `should have at most ${items} items`)
      .refine((list) => list.every(compiles), 'should be templates such as {{message}}'),
  );

/** Templates by the names of the details that they fill (P4, E14). */
export const extraProperties = optional(
  z
    .record(text(), text(), 'should be a map of strings')
    .refine((map) => Object.keys(map).length <= DEFAULT_LIMIT, `should have at most ${DEFAULT_LIMIT} items`)
    .refine((map) => Object.values(map).every(compiles), 'should be templates such as {{message}}'),
);
