import { z } from 'zod';
import {
  blankIsAbsent,
  DEFAULT_LIMIT,
  flexibleBoolean,
  isEmailAddress,
  listOf,
  mapOf,
  namesIn,
  oneOf,
  optional,
  optionalReference,
  PLAIN_EMAIL_ADDRESS,
  requiredText,
  text,
  timeZone,
  tooMany,
} from '../primitives.ts';
import { calendarDate } from './dates.ts';
import { wholeNumber } from './query-values.ts';
import { NOT_AN_OBJECT } from './refusals.ts';
import { OptionalRoleReferenceBody, RoleReferenceBody } from './roles.ts';
import { UserQuery } from './user-query.ts';

/** A user name: an e-mail address of at most 100 code points, kept in lower case (part 3, 2.1; U1). */
export const Username = z
  .string('must be a well-formed email address')
  .transform((value) => value.trim().toLowerCase())
  .pipe(text(100).refine((value) => isEmailAddress(value), 'must be a well-formed email address'))
  .meta({ maxLength: 100, pattern: PLAIN_EMAIL_ADDRESS, description: 'An e-mail address, kept in lower case.' });

/** `xx` or `xx_YY` (U11). */
export const Locale = z.string('should be a locale such as en_US').regex(/^[a-z]{2}(_[A-Z]{2})?$/, {
  message: 'should be a locale such as en_US',
});

/** An address without any part is absent: clients send `{}` where they have nothing to say (wire facts, section 10). */
const UserAddress = z
  .object(
    {
      country: optional(text()),
      state: optional(text()),
      city: optional(text()),
      line: optional(text()),
      zipCode: optional(text()),
    },
    NOT_AN_OBJECT,
  )
  .transform((parts) => {
    if (Object.values(parts).every((part) => part === undefined)) return undefined;
    const { country = '', state = '', city = '', line = '', zipCode = '' } = parts;
    return { country, state, city, line, zipCode };
  });

/** How many there are is asked first: reading each of very many would keep everybody else waiting. */
const UserDetails = z
  .preprocess(
    (value, context) => {
      if (namesIn(value).length > DEFAULT_LIMIT) context.addIssue({ code: 'custom', message: tooMany(DEFAULT_LIMIT) });
      return value;
    },
    mapOf(listOf(text()), 'should be a map of lists of strings', text()),
  )
  .meta({ maxProperties: DEFAULT_LIMIT });

/** What a user may have beside name and role, when they are made and later. */
const profile = {
  userAddress: optional(UserAddress),
  tags: optional(listOf(text())),
  details: optional(UserDetails),
  timeZone: blankIsAbsent(timeZone),
  timezone: blankIsAbsent(timeZone).meta({ description: 'Another name of `timeZone`, which goes first.' }),
  locale: blankIsAbsent(Locale),
  mutedUntil: calendarDate.nullish().meta({
    description: 'Until then the user is sent pages of P1 alerts alone. `null` takes it away.',
  }),
};

/** Of the two spellings of the zone, that of responses goes first (U2). */
const inOneZone = <T extends { readonly timeZone?: string | undefined; readonly timezone?: string | undefined }>({
  timezone,
  ...body
}: T) => ({ ...body, timeZone: body.timeZone ?? timezone });

/** Part 3, 2.1: the body that creates a user. `timezone` and `timeZone` are both read (U2). */
export const CreateUserBody = z
  .object({
    username: Username,
    fullName: requiredText('Full name', 512),
    role: RoleReferenceBody,
    skypeUsername: optionalReference(),
    ...profile,
    invitationDisabled: blankIsAbsent(flexibleBoolean),
  })
  .transform(inOneZone);
export type CreateUserBody = z.infer<typeof CreateUserBody>;

/**
 * The body that changes a user (part 3, 4.1): what is absent stays, what is there replaces, `tags`, `details` and
 * `userAddress` as a whole. Blank names, zones and locales and an address without parts change nothing (E12); a blank
 * `skypeUsername` takes it away, and so does `null` the `mutedUntil`.
 */
export const UpdateUserBody = z
  .object({
    fullName: blankIsAbsent(requiredText('Full name', 512)),
    role: OptionalRoleReferenceBody,
    skypeUsername: optional(text()),
    ...profile,
  })
  .transform(inOneZone);
export type UpdateUserBody = z.infer<typeof UpdateUserBody>;

/** What `expand` takes: a comma-separated list in which only `contact` means anything. */
const expand = z
  .string()
  .optional()
  .transform((value) =>
    (value ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .refine((parts) => parts.every((part) => part === 'contact'), 'should be one of [ contact ]')
  .transform((parts) => ({ contacts: parts.length > 0 }))
  .meta({ enum: ['contact', ''], description: 'What answers show besides.' });

/** The query of one user: whether their contacts are wanted too (part 3, 4.1). */
export const GetUserQuery = z.object({ expand });
export type GetUserQuery = z.infer<typeof GetUserQuery>;

/** The fields by which a list of users can be sorted (part 3, 4.1). */
export const UserSort = oneOf(['username', 'fullName', 'insertedAt']);
export type UserSort = z.infer<typeof UserSort>;

/** Part 3, 4.1: at most 500 users a page (U11); `sort` and `sortField` are both read (U2). */
export const ListUsersQuery = z
  .object({
    limit: wholeNumber(1, 500, 100),
    offset: wholeNumber(0, 999_999_999, 0),
    sort: blankIsAbsent(UserSort),
    sortField: blankIsAbsent(UserSort).meta({ description: 'Another name of `sort`, which goes first.' }),
    order: blankIsAbsent(oneOf(['asc', 'desc'])),
    query: UserQuery,
    expand,
  })
  .transform(({ limit, offset, sort, sortField, order, query, expand: expanded }) => ({
    limit,
    offset,
    sort: sort ?? sortField ?? ('username' as const),
    order: order ?? ('asc' as const),
    query,
    expand: expanded,
  }));
export type ListUsersQuery = z.infer<typeof ListUsersQuery>;
