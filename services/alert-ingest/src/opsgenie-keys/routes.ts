import { ListOpsgenieKeysQuery } from '@tocsin/api';
import { formatInstant } from '@tocsin/events';
import { defineInternalRoute, defineRoute, type InternalRoute, type Route } from '@tocsin/http';
import { z } from 'zod';
import type { OpsgenieKeyStore } from './store.ts';

/** The integrations of Tocsin that have keys with these hashes, by the hash. */
type FindHolders = (
  keyHashes: readonly string[],
) => Promise<ReadonlyMap<string, { readonly id: string; readonly name: string }>>;

/** `/v2/account/opsgenie-keys` (M9). */
export const opsgenieKeyRoutes = (
  store: Pick<OpsgenieKeyStore, 'count' | 'list'>,
  findHolders: FindHolders,
): readonly Route[] => [
  defineRoute({
    operation: 'list-opsgenie-keys',
    query: ListOpsgenieKeysQuery,
    handle: async ({ query }) => {
      const [totalCount, keys] = await Promise.all([store.count(), store.list(query)]);
      const holders = await findHolders(keys.map(({ sha256 }) => sha256));
      const data = keys.map(({ firstAt, lastAt, requestId, ...key }) => {
        const integration = holders.get(key.sha256);
        return {
          ...key,
          firstAt: formatInstant(firstAt),
          lastAt: formatInstant(lastAt),
          ...(requestId !== undefined && { requestId }),
          ...(integration !== undefined && { integration }),
        };
      });
      return { body: { totalCount, data } };
    },
  }),
];

/** What a gateway reports. */
const Report = z.object({
  source: z.uuid(),
  keys: z
    .array(
      z.object({
        sha256: z.string().regex(/^[\da-f]{64}$/),
        firstAt: z.coerce.date(),
        lastAt: z.coerce.date(),
        requests: z.int().min(1),
        operation: z.string().max(100),
        requestId: z.string().max(100).optional(),
      }),
    )
    .max(1_000),
});

export const internalOpsgenieKeysRoute = (store: Pick<OpsgenieKeyStore, 'store'>): InternalRoute =>
  defineInternalRoute({
    method: 'POST',
    path: '/internal/opsgenie-keys',
    body: Report,
    handle: async ({ body: { keys, source } }) => {
      await store.store(source, keys);
      return { body: { result: 'Stored' } };
    },
  });
