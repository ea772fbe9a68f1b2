import { z } from 'zod';
import { CreateUserBody, GetUserQuery, ListUsersQuery, UpdateUserBody } from '@tocsin/contracts';
import { Id, Named } from '../answers/shared.ts';
import { User } from '../answers/users.ts';
import { area } from '../description.ts';
import { createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { USER } from './paths.ts';

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

const path = z.object({ identifier: USER });
const expandable = z.array(z.literal('contact')).meta({ description: 'What `expand` takes.' });

/** Part 3, 4.1, but what scheduling knows about a user. */
export const USERS = area({
  'create-user': {
    description:
      'The user gets their user name as a contact, default notification rules (U1) and, unless `invitationDisabled`, an invitation by mail.',
    body: { schema: CreateUserBody, example: body },
    success: createdAnswer(Named, { id, name: 'ada@example.com' }),
    refusals: [404, 409],
  },
  'list-users': {
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
    path,
    query: GetUserQuery,
    success: {
      status: 200,
      schema: z.object({ data: User, expandable }),
      example: { data: user, expandable: ['contact'] },
    },
    refusals: [404],
  },
  'update-user': {
    description:
      'What the body leaves out stays as it is; `tags`, `details` and `userAddress` are replaced as a whole. The user name is fixed.',
    path,
    body: { schema: UpdateUserBody, example: { fullName: 'Ada King', timeZone: 'Europe/Paris' } },
    success: doneAnswer('Updated'),
    refusals: [404],
  },
  'delete-user': {
    description:
      'Contacts, notification rules, forwarding rules and overrides of the user go with them. A user whom a team, a rotation or an escalation names stays (S12).',
    path,
    success: doneAnswer('Deleted'),
    refusals: [404, 428],
  },
  'list-user-teams': {
    path,
    success: dataAnswer(z.array(z.object({ id: Id, name: z.string() })), [
      { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e20', name: 'Database' },
    ]),
    refusals: [404],
  },
});
