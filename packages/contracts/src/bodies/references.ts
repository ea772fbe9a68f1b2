import { z } from 'zod';
import { given, ofType } from '../described.ts';
import { oneOf, optionalReference } from '../primitives.ts';
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

/** `{id}` or `{name}`; `refusal` is what a value that is no object is told. */
export const byIdOrName = (refusal: string = NOT_AN_OBJECT): z.ZodType<Reference> =>
  z
    .object(idOrName, refusal)
    .transform(({ id, name }) => ({ id, name }))
    .refine(isNamed, NO_REFERENCE)
    .meta({ anyOf: [given('id'), given('name')] });

/** The team that owns a thing; whatever else a GET puts there is ignored (E5). */
export const OwnerTeamReference = byIdOrName();

/** As {@link OwnerTeamReference}; one that names no team is absent: the Go SDK always sends the object (E12). */
export const OwnerTeamOrNobody: z.ZodType<Reference | undefined> = z
  .object(idOrName, NOT_AN_OBJECT)
  .transform(({ id, name }) => ({ id, name }))
  .nullish()
  .overwrite((team) => (team !== undefined && team !== null && isNamed(team) ? team : undefined)) as z.ZodType<
  Reference | undefined
>;

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
