import { z } from 'zod';
import { Id, Instant } from '../answers/shared.ts';
import { wholeNumber } from '../bodies/query-values.ts';
import { resource, type Rules } from '../operation.ts';

/** How many keys of Opsgenie are kept. */
export const MAX_OPSGENIE_KEYS = 10_000;

export const ListOpsgenieKeysQuery = z.object({
  limit: wholeNumber(1, 100, 100),
  offset: wholeNumber(0, MAX_OPSGENIE_KEYS, 0),
});

/** A key with which a tool sends to Opsgenie through Tocsin. */
const OpsgenieKey = z
  .object({
    sha256: z.string().meta({ description: 'The hash of the key, as the import of a key takes it (I6).' }),
    firstAt: Instant.meta({ description: 'The first request with the key that Opsgenie accepted.' }),
    lastAt: Instant.meta({ description: 'The last one.' }),
    requests: z.int().min(0).meta({ description: 'How many it has accepted.' }),
    operation: z.string().meta({
      description: 'The id of the operation of the last one, as this description has it, such as `create-alert`.',
    }),
    requestId: z.string().optional().meta({
      description: 'The id that Opsgenie gave the last request that changes an alert; absent where there was none.',
    }),
    integration: z
      .object({ id: Id, name: z.string() })
      .optional()
      .meta({ description: 'The integration of Tocsin that has the key; absent while it is not imported.' }),
  })
  .meta({ id: 'OpsgenieKey' });

const RULES: Rules = {
  M9: [
    'While the gateway forwards requests of tools to Opsgenie (M5), Tocsin keeps the SHA-256 of each key with which Opsgenie has accepted a request, and never the key. Keys that it refuses with 401 or 403 are not kept, and none of a request with two keys, of which Opsgenie may have read either.',
    `At most ${MAX_OPSGENIE_KEYS} keys are kept, for 400 days after their last use. Counts reach an answer after 10 s; what a process that dies has learned in its last 10 s is lost.`,
    'Only keys of the account with configuration and read access, owners and admins may read them.',
  ],
};

const example = {
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  firstAt: '2027-01-25T09:00:00Z',
  lastAt: '2027-01-28T16:20:00Z',
  requests: 412,
  operation: 'create-alert',
  requestId: '43a29c5c-3dbf-4fa4-9c26-f4f71023e120',
};

/** The keys of tools that still send to Opsgenie, through Tocsin. An operation of Tocsin. */
export const OPSGENIE_KEYS = resource('Keys of Opsgenie', RULES, {
  'list-opsgenie-keys': {
    right: 'read-configuration',
    domain: 'configuration',
    owner: 'alert-ingest',
    people: 'admin',
    teamKeys: 'refused',
    method: 'GET',
    path: '/v2/account/opsgenie-keys',
    summary: 'Lists the keys with which tools send to Opsgenie through Tocsin',
    description: 'They are in the order of their hashes.',
    query: ListOpsgenieKeysQuery,
    success: {
      status: 200,
      schema: z.object({ totalCount: z.int().min(0), data: z.array(OpsgenieKey) }),
      example: { totalCount: 1, data: [example] },
    },
  },
});
