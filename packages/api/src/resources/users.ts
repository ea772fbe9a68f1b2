import {
  blankIsAbsent,
  ContactMethod,
  DEFAULT_LIMIT,
  flexibleBoolean,
  PushService,
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
} from '@tocsin/events';
import { z } from 'zod';
import { Id, Instant, Named } from '../answers/shared.ts';
import { calendarDate } from '../bodies/dates.ts';
import { wholeNumber } from '../bodies/query-values.ts';
import { NOT_AN_OBJECT } from '../bodies/refusals.ts';
import { OptionalRoleReferenceBody, RoleReferenceBody } from '../bodies/roles.ts';
import { UserQuery } from '../bodies/user-query.ts';
import { MEDIUM_BODY, resource, type Rules, SMALL_BODY } from '../operation.ts';
import { createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { USER } from './paths.ts';

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

/** The fields of a user besides name and role, at the creation and later. */
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
export const inOneZone = <
  T extends { readonly timeZone?: string | undefined; readonly timezone?: string | undefined },
>({
  timezone,
  ...body
}: T): Omit<T, 'timezone'> & { readonly timeZone: string | undefined } => ({
  ...body,
  timeZone: body.timeZone ?? timezone,
});

/** The fields of a new user. */
export const NewUserFields = z.object({
  username: Username,
  fullName: requiredText('Full name', 512),
  role: RoleReferenceBody,
  skypeUsername: optionalReference(),
  ...profile,
  invitationDisabled: blankIsAbsent(flexibleBoolean),
});

/** Part 3, 2.1: the body that creates a user. `timezone` and `timeZone` are both read (U2). */
export const CreateUserBody = NewUserFields.transform(inOneZone);
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

/** The value of `expand`: a comma-separated list in which only `contact` has an effect. */
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

const disabledReason = z.string().optional().meta({ description: 'Why the contact is not used. Absent where it is.' });
const method = z.enum(ContactMethod.options);

/** Part 3, 2.1. */
const User = z
  .object({
    id: Id,
    username: z.string().meta({ description: 'An e-mail address in lower case.' }),
    fullName: z.string(),
    role: z.object({ id: Id, name: z.string() }),
    skypeUsername: z.string().optional(),
    userAddress: z.object({
      country: z.string(),
      state: z.string(),
      city: z.string(),
      line: z.string(),
      zipCode: z.string(),
    }),
    tags: z.array(z.string()),
    details: z.record(z.string(), z.array(z.string())),
    timeZone: z.string(),
    locale: z.string(),
    blocked: z.boolean(),
    verified: z.boolean().meta({ description: 'Whether a mail has reached the user.' }),
    mutedUntil: Instant.optional().meta({ description: 'Until then the user is sent pages of P1 alerts alone.' }),
    createdAt: Instant,
    userContacts: z
      .array(z.object({ to: z.string(), id: Id, contactMethod: method, enabled: z.boolean(), disabledReason }))
      .optional()
      .meta({ description: 'Only where `expand` asks for them.' }),
  })
  .meta({ id: 'User' });

/** Part 3, 2.2. */
export const Contact = z
  .object({
    id: Id,
    method,
    to: z.string(),
    status: z.object({ enabled: z.boolean(), disabledReason }),
    device: z
      .object({
        name: z.string(),
        kind: z.enum(['ntfy', ...PushService.options, 'web-push']).meta({
          description:
            '`web-push`: a browser that was registered; `ntfy`: a topic of the push server; all others: the services of these names.',
        }),
        verified: z.boolean().meta({
          description:
            'Whether the push server has taken a message for it; whether the device showed it is not known. Of `slack` and `mattermost` whether its code was entered.',
        }),
      })
      .optional()
      .meta({ description: 'What the contact is of; of method `mobile` only.' }),
  })
  .meta({ id: 'Contact' });

/** A contact in a list, with its place. */
export const ListedContact = z.object({ ...Contact.shape, applyOrder: z.int().min(0) }).meta({ id: 'ListedContact' });

const read = { right: 'read-configuration', domain: 'configuration', owner: 'directory' } as const;
/** People belong to the account, so no team key changes them, their contacts or their rules (K8). */
const write = {
  right: 'write-configuration',
  domain: 'configuration',
  owner: 'directory',
  teamKeys: 'refused',
} as const;
const USER_PATH = '/v2/users/{identifier}';

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e30';
const body = {
  username: 'ada@example.com',
  fullName: 'Ada Lovelace',
  role: { name: 'user' },
  timeZone: 'Europe/London',
  locale: 'en_GB',
  tags: ['on-site'],
};
const user = {
  id,
  username: 'ada@example.com',
  fullName: 'Ada Lovelace',
  role: { id: 'user', name: 'user' },
  userAddress: { country: '', state: '', city: '', line: '', zipCode: '' },
  tags: ['on-site'],
  details: {},
  timeZone: 'Europe/London',
  locale: 'en_GB',
  blocked: false,
  verified: true,
  createdAt: '2026-01-31T08:00:00Z',
};
const page = 'https://tocsin.example.com/v2/users?sort=username&order=asc&offset=0&limit=100';

const params = z.object({ identifier: USER });
const expandable = z.array(z.literal('contact')).meta({ description: 'What `expand` takes.' });

const RULES: Rules = {
  U1: [
    'User names are kept in lower case. The first sms and the first voice contact that are added later put their steps (after 5 and 10 minutes) into the default rule for new alerts, as long as that rule was never changed, whatever contacts were added and deleted.',
  ],
  U2: [
    'Fields of a user:',
    '`timezone` and `timeZone` are both read, so are `sort` and `sortField`. Zones are names of IANA, deprecated aliases such as `Asia/Calcutta` included. Others, such as the abbreviations `IST` and `PST`, are 422. A zone that another release stored, and this one does not know, counts as UTC, and the log says so (`Node or a library reports a warning.`).',
    'Blank names, zones and locales and an address without parts (`{}`) change nothing in a PATCH; a blank `skypeUsername` removes it.',
    'A role is named by `name`, or by `id`.',
    '`mutedUntil` is an instant, shown while it is set; `null` removes it. Until then only pages of P1 alerts are sent, of all pages and notices of shifts. Invitations and codes are sent.',
    'The mute is checked when a step is due, so a mute that has ended or was removed by then has no effect. A message that is not sent is logged, and is not sent later.',
  ],
  U11: [
    'Invitations and lists of users:',
    'The invitation has the name of the key that invited, the account (and `PUBLIC_URL` where it is set; links in mails lead nowhere else), and the address that is paged. The first owner gets none.',
    'A user is verified, for good, once a mail to their user name was accepted by the mail server ([reasons](subjects/configuration.md#verified-users-and-devices)).',
    'Locale is `xx` or `xx_YY`.',
    'The `query` of a list has pairs such as `role:admin fullName:"Ada King"`, all of which must match, with or without `AND` between them. Whole texts are compared, without regard to case; a `*` at the end, outside quotes, stands for any ending. `userAddress` is compared with each of its parts; `role` with the name.',
    '`createdAt` takes a day of UTC (`31-01-2026`, `2026-01-31`), an instant or milliseconds, also with `<`, `<=`, `>`, `>=`.',
    'Anything else is 422 that names the field, or the place.',
  ],
};

/** Part 3, 4.1, but what scheduling knows about a user. */
export const USERS = resource('Users', RULES, {
  'create-user': {
    ...write,
    ...MEDIUM_BODY,
    method: 'POST',
    path: '/v2/users',
    summary: 'Creates a user',
    description:
      'The user gets their user name as a contact, default notification rules (U1) and, unless `invitationDisabled`, an invitation by mail.',
    body: { schema: CreateUserBody, example: body },
    success: createdAnswer(Named, { id, name: 'ada@example.com' }),
    refusals: [404, 409],
  },
  'list-users': {
    ...read,
    method: 'GET',
    path: '/v2/users',
    summary: 'Lists or searches users',
    query: ListUsersQuery,
    success: {
      status: 200,
      schema: z.object({
        totalCount: z.int().min(0),
        data: z.array(User),
        paging: z.object({ first: z.url(), last: z.url(), prev: z.url().optional(), next: z.url().optional() }),
        expandable,
      }),
      example: { totalCount: 1, data: [user], paging: { first: page, last: page }, expandable: ['contact'] },
    },
  },
  'get-user': {
    ...read,
    method: 'GET',
    path: USER_PATH,
    summary: 'Reads a user',
    params,
    query: GetUserQuery,
    success: {
      status: 200,
      schema: z.object({ data: User, expandable }),
      example: { data: user, expandable: ['contact'] },
    },
    refusals: [404],
  },
  'update-user': {
    ...write,
    people: 'self',
    ...MEDIUM_BODY,
    method: 'PATCH',
    path: USER_PATH,
    summary: 'Changes a user',
    description:
      'What the body leaves out stays as it is; `tags`, `details` and `userAddress` are replaced as a whole. The user name is fixed.',
    params,
    body: { schema: UpdateUserBody, example: { fullName: 'Ada King', timeZone: 'Europe/Paris' } },
    success: doneAnswer('Updated'),
    refusals: [404],
  },
  'delete-user': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: USER_PATH,
    summary: 'Deletes a user',
    description:
      'Contacts, notification rules, forwarding rules and overrides of the user go with them. A user whom a team, a rotation or an escalation names stays (S12).',
    params,
    success: doneAnswer('Deleted'),
    refusals: [404, 428],
  },
  'list-user-teams': {
    ...read,
    method: 'GET',
    path: `${USER_PATH}/teams`,
    summary: 'Lists the teams of a user',
    params,
    success: dataAnswer(z.array(z.object({ id: Id, name: z.string() })), [
      { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e20', name: 'Database' },
    ]),
    refusals: [404],
  },
});
