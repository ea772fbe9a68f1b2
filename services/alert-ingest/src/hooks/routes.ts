import { z } from 'zod';
import { defineRoute, ITEM_COUNT_HEADER, type Route, type RouteInput, type WholeBody, wholeBody } from '@tocsin/http';
import type { Hooks } from './operations.ts';

/** Senders take any other answer for a failure (Q1). */
const ANSWER = { code: 200, status: 'successful', result: 'Request will be processed' } as const;

const Query = z.record(z.string(), z.string());
type Query = z.infer<typeof Query>;

/** The requests of tools (Q1 to Q7). */
export function hookRoutes(hooks: Hooks): readonly Route[] {
  const take = async (body: WholeBody, { params, ...input }: Omit<RouteInput<Query, unknown>, 'body'>) => {
    const { headers, query } = input;
    const { preset, vendor } = params;
    const items = await hooks.take({ body, headers, query, preset, vendor }, input);
    return { headers: { [ITEM_COUNT_HEADER]: String(items) }, body: ANSWER };
  };
  const posted = {
    query: Query,
    body: wholeBody,
    handle: ({ body, ...input }: RouteInput<Query, WholeBody>) => take(body, input),
  };
  const asked = {
    query: Query.refine((query) => Object.keys(query).length > 0, 'should have a parameter'),
    handle: (input: RouteInput<Query, unknown>) => take(NO_BODY, input),
  };
  return [
    defineRoute({ operation: 'take-hook', ...posted }),
    defineRoute({ operation: 'take-hook-by-put', ...posted }),
    defineRoute({ operation: 'take-hook-by-get', ...asked }),
    defineRoute({ operation: 'take-hook-of-preset', ...posted }),
    defineRoute({ operation: 'take-hook-of-preset-by-put', ...posted }),
    defineRoute({ operation: 'take-hook-of-preset-by-get', ...asked }),
    defineRoute({ operation: 'take-vendor-hook', ...posted }),
    defineRoute({
      operation: 'take-event',
      query: Query,
      body: wholeBody,
      handle: async ({ body, ...input }: RouteInput<Query, WholeBody>) => {
        const { headers, query } = input;
        const dedupKey = await hooks.takeEvent({ body, headers, query }, input);
        return { status: 202, body: { status: 'success', message: 'Event processed', dedup_key: dedupKey } as const };
      },
    }),
  ];
}

const NO_BODY: WholeBody = { type: '', bytes: Buffer.alloc(0) };
