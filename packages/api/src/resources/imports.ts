import type { ServiceName } from '@tocsin/events';
import { z } from 'zod';
import { Id } from '../answers/shared.ts';
import { RoleBody } from '../bodies/roles.ts';
import { type DescribedOperation, MEDIUM_BODY, resource, type Rules } from '../operation.ts';

const ROLE_ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e50';

/** The path of an import by id. */
export const ImportPath = z.object({
  identifier: z
    .guid('should be a UUID in lower case')
    .refine((id) => id === id.toLowerCase(), 'should be a UUID in lower case')
    .meta({ description: 'The id that the thing has in the account from which it comes: a UUID in lower case.' }),
});

/** The answer of an import: whether the thing was made, changed, or the same already. */
const IMPORTED = z.object({ result: z.enum(['Created', 'Updated', 'Unchanged']), data: z.object({ id: Id }) });

const imported = (id: string) =>
  ({ status: 200, schema: IMPORTED, example: { result: 'Created', data: { id } } }) as const;

/** What all imports share. */
const importBy = (owner: ServiceName) =>
  ({
    right: 'write-configuration',
    domain: 'configuration',
    owner,
    people: 'none',
    teamKeys: 'refused',
    setting: 'IMPORT',
    method: 'PUT',
    params: ImportPath,
    refusals: [404, 409],
  }) as const satisfies Partial<DescribedOperation>;

const RULES: Rules = {
  I1: [
    'The import of an account with its ids:',
    'There are these operations only where the gateway has `IMPORT=on`; else each answers 404. They are for keys of the account alone.',
    'The body is the whole thing, as it would be created. What it leaves out has the value that a created one has. A thing that has the id becomes what the body says; where none has it, it is created with that id. Things within it, such as rotations and steps, keep the ids that they have in the body.',
    'A repeat changes nothing: the answer says `Unchanged`, and nothing is written or published.',
    'The body is checked as that of the public operation, with the same refusals. An id that another thing has, and a name that one under another id has, are refused with 409.',
    'An import sends no message: no invitation, no code, no notice.',
  ],
};

/** The import of an account. Operations of Tocsin. */
export const IMPORTS = resource('Import', RULES, {
  'import-role': {
    ...importBy('directory'),
    ...MEDIUM_BODY,
    path: '/v2/imports/roles/{identifier}',
    summary: 'Imports a custom role',
    body: { schema: RoleBody, example: { name: 'Night watch', extendedRole: 'observer' } },
    success: imported(ROLE_ID),
  },
});
