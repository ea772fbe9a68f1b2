import { z } from 'zod';
import { listOf, MAX_STATES_PER_LOOK_UP, type StateMessage, type TopicDefinition } from '@tocsin/events';
import { InvalidError, NotFoundError, UnavailableError } from '@tocsin/core';
import type { InternalClient, InternalReply } from './internal-client.ts';
import { defineInternalRoute, type InternalRoute } from './internal-route.ts';

type Topic<T> = TopicDefinition<StateMessage<T>>;

/** Finds entities, as their topic would carry them now, by `id` or another unique key such as `name`. Those that exist, in any order. */
export type StatesLookUp<T> = (index: string, values: readonly string[]) => Promise<readonly StateMessage<T>[]>;

const Wanted = z.object({ index: z.string(), values: listOf(z.string(), MAX_STATES_PER_LOOK_UP) });

/**
 * The states of entities by their owner, for services that lack them in a replica (E11, E13). `GET /internal/states/<topic>?<index>=<value>`
 * answers with one, or 404 where there is none; `POST /internal/states/<topic>` with all that exist
 * of {@link MAX_STATES_PER_LOOK_UP} at most.
 */
export function stateRoutes<T>(topic: Topic<T>, lookUp: StatesLookUp<T>): readonly InternalRoute[] {
  const path = `/internal/states/${topic.name}` as const;
  return [
    defineInternalRoute({
      method: 'GET',
      path,
      query: z.record(z.string(), z.string()),
      handle: async ({ query }) => {
        const [entry] = Object.entries(query);
        if (entry === undefined) throw new InvalidError('The query names no key.');
        const [state] = await lookUp(entry[0], [entry[1]]);
        if (state === undefined) throw new NotFoundError(`Nothing in ${topic.name} has this ${entry[0]}.`);
        return { body: { data: state } };
      },
    }),
    defineInternalRoute({
      method: 'POST',
      path,
      body: Wanted,
      handle: async ({ body: { index, values } }) => ({ body: { data: await lookUp(index, values) } }),
    }),
  ];
}

/**
 * Asks an owner's `stateRoutes` for one entity.
 *
 * @throws UnavailableError (from the returned function) when the owner cannot be asked or answers something else.
 */
export function stateLookUp(
  client: Pick<InternalClient, 'get'>,
): <T>(topic: Topic<T>, index: string, value: string) => Promise<StateMessage<T> | undefined> {
  return async (topic, index, value) => {
    const query = new URLSearchParams({ [index]: value }).toString();
    const reply = await client.get(`/internal/states/${topic.name}?${query}`);
    return reply.status === 404 ? undefined : usable(reply, topic.schema, topic.name);
  };
}

/**
 * Asks an owner's `stateRoutes` for {@link MAX_STATES_PER_LOOK_UP} entities at most, in the form that a replica takes for its misses.
 *
 * @throws UnavailableError (from the returned function) when the owner cannot be asked or answers something else.
 */
export function statesLookUp(
  client: Pick<InternalClient, 'post'>,
): <T>(topic: Topic<T>, index: string, values: readonly string[]) => Promise<readonly StateMessage<T>[]> {
  return async (topic, index, values) => {
    const reply = await client.post(`/internal/states/${topic.name}`, { index, values });
    return usable(reply, z.array(topic.schema), topic.name);
  };
}

function usable<T>({ status, body }: InternalReply, schema: z.ZodType<T>, what: string): T {
  const data = schema.safeParse(body['data']);
  if (status === 200 && data.success) return data.data;
  throw new UnavailableError('A service that is needed gave no usable answer. Please try again.', {
    cause: data.error ?? new Error(`The look-up in ${what} answered ${status}.`),
  });
}
