import { alsoTaking, given, listOf, ofType, oneOf, optional, optionalReference } from '@tocsin/events';
import { z } from 'zod';
import { NO_REFERENCE, NO_USER, NOT_AN_OBJECT } from './refusals.ts';

/** A thing by its id or, where that is absent, by its name (E12). */
export interface Reference {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** A thing of one of several kinds, or one of those that stand for themselves, such as `none`. */
export type KindReference<Kind extends string, Alone extends string = never> =
  ({ readonly type: Kind } & Reference) | (Alone extends string ? { readonly type: Alone } : never);

/** No field of the body. */
const ignored = z
  .unknown()
  .optional()
  .transform(() => undefined);

const isNamed = ({ id, name }: Reference): boolean => id !== undefined || name !== undefined;

const idOrName = { id: optionalReference(100), name: optionalReference() };

/** `{id}` or `{name}`; `refusal` is the refusal of a value that is no object. */
export const byIdOrName = (refusal: string = NOT_AN_OBJECT): z.ZodType<Reference> =>
  z
    .object(idOrName, refusal)
    .transform(({ id, name }) => ({ id, name }))
    .refine(isNamed, NO_REFERENCE)
    .meta({ anyOf: [given('id'), given('name')] });

/**
 * The owner team, if any. Other fields that a GET returns there are ignored (E5). An object without id and name counts as absent,
 * because the Go SDK always sends the object (E12).
 */
export const OwnerTeam: z.ZodType<Reference | undefined> = optional(
  z.object(idOrName, NOT_AN_OBJECT).transform(({ id, name }) => (isNamed({ id, name }) ? { id, name } : undefined)),
);

/** A user by id or, where that is absent, by user name (part 1, 2.9). */
export const UserByReference: z.ZodType<Reference> = z
  .object({ id: optionalReference(100), username: optionalReference() }, NO_USER)
  .transform(({ id, username }) => ({ id, name: username }))
  .refine(isNamed, NO_USER)
  .meta({ anyOf: [given('id'), given('username')] });

/**
 * `{type}` with `id` or `name`, for users also `username`, which wins over `name`. The types of `alone` need neither and
 * keep neither.
 */
export function byKind<Kind extends string, Alone extends string = never>(
  kinds: readonly Kind[],
  alone: readonly Alone[] = [],
): z.ZodType<KindReference<Kind, Alone>> {
  const standsAlone = (type: Kind | Alone): type is Alone => alone.includes(type as Alone);
  const hasUsers = (kinds as readonly string[]).includes('user');
  const username = hasUsers ? { username: optionalReference() } : { username: ignored };
  const enough = [
    given('id'),
    given('name'),
    ...(hasUsers ? [{ allOf: [ofType(['user']), given('username')] }] : []),
    ...(alone.length > 0 ? [ofType(alone)] : []),
  ];
  return z
    .object(
      { type: oneOf([...kinds, ...alone]), ...idOrName, ...username },
      'should be an object with type and id or name',
    )
    .transform(({ type, id, name, username }, context): KindReference<Kind, Alone> => {
      if (standsAlone(type)) return { type } as KindReference<Kind, Alone>;
      const called = type === 'user' ? (username ?? name) : name;
      if (!isNamed({ id, name: called })) context.addIssue({ code: 'custom', message: NO_REFERENCE });
      return { type, id, name: called };
    })
    .meta({ anyOf: enough });
}

/** JSON Schema of the values that {@link isEmptyReference} accepts for `kinds`. */
const emptyReference = (kinds: readonly string[]) => ({
  type: ['object', 'string', 'null'],
  maxLength: 0,
  properties: { type: kinds.length > 0 ? { enum: [...kinds, '', null] } : {} },
  additionalProperties: { enum: ['', null] },
});

const isBlank = (value: unknown): boolean => value === null || (typeof value === 'string' && value.trim() === '');

/** Whether `value` is blank, or an object whose fields beside `type` are blank and whose type is one of `kinds` (any, if empty). */
function isEmptyReference(value: unknown, kinds: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return isBlank(value);
  const { type, ...named } = value as Readonly<Record<string, unknown>>;
  const isKind =
    type === undefined || isBlank(type) || (typeof type === 'string' && kinds.includes(type.trim().toLowerCase()));
  return (isKind || kinds.length === 0) && !Array.isArray(value) && Object.values(named).every(isBlank);
}

/** An optional reference; an empty one is absent (E12). `kinds` as for {@link referenceList}. */
export function emptyIsAbsent<T>(item: z.ZodType<T>, kinds: readonly string[] = []): z.ZodType<T | undefined> {
  const absentWhenEmpty = (value: unknown): unknown => (isEmptyReference(value, kinds) ? undefined : value);
  return z.preprocess(absentWhenEmpty, item.optional()).meta(alsoTaking(emptyReference(kinds)));
}

/** References with undefined in place of each empty one. */
const withGaps = <T>(item: z.ZodType<T>, kinds: readonly string[], max?: number): z.ZodType<(T | undefined)[]> =>
  listOf(emptyIsAbsent(item, kinds), max);

const withoutGaps = <T>(items: readonly (T | undefined)[]): T[] => items.filter((each) => each !== undefined);

/**
 * At most `max` references without the empty ones (E12), because templates of senders leave fields blank. An object whose
 * fields beside `type` are all blank is empty if its type is one of `kinds`, the types that need a name. Without `kinds` any
 * type will do.
 */
export const referenceList = <T>(item: z.ZodType<T>, kinds: readonly string[], max?: number): z.ZodType<T[]> =>
  withGaps(item, kinds, max).transform(withoutGaps);

/** As {@link referenceList}, with at least one reference that is not empty; otherwise the error is `refusal`. */
export const requiredReferences = <T>(item: z.ZodType<T>, kinds: readonly string[], refusal: string): z.ZodType<T[]> =>
  referenceList(item, kinds)
    .refine((items) => items.length > 0, refusal)
    .meta({ minItems: 1, not: { items: emptyReference(kinds) } });

/** As {@link referenceList}, for lists that mean everything when they have no item: a list of empty references alone is refused. */
export const narrowingReferences = <T>(item: z.ZodType<T>, kinds: readonly string[]): z.ZodType<T[]> =>
  withGaps(item, kinds)
    .refine((items) => items.length === 0 || items.some((each) => each !== undefined), {
      path: [0],
      message: NO_REFERENCE,
    })
    .meta({ anyOf: [{ maxItems: 0 }, { not: { items: emptyReference(kinds) } }] })
    .transform(withoutGaps);
