import { z } from 'zod';
import type { StateMessage, TopicDefinition } from '@tocsin/contracts';
import { InvalidError, NotFoundError, UnavailableError } from '@tocsin/errors';
import type { InternalClient } from './internal-client.ts';
import { defineInternalRoute, type InternalRoute } from './internal-route.ts';

/** Finds one entity, as its topic would carry it now, by `id` or another unique key such as `name`. */
export type StateLookUp<T> = (index: string, value: string) => Promise<StateMessage<T> | undefined>;

/**
 * `GET /internal/states/<topic>?<index>=<value>`: the owner's own word on one entity, for whoever misses it in a replica
 * (E11, E13). 404 where there is none.
 */
export function stateRoute<T>(topic: TopicDefinition<StateMessage<T>>, lookUp: StateLookUp<T>): InternalRoute {
  return defineInternalRoute({
    method: 'GET',
    path: `/internal/states/${topic.name}`,
    query: z.record(z.string(), z.string()),
    handle: async ({ query }) => {
      const [entry] = Object.entries(query);
      if (entry === undefined) throw new InvalidError('The query names no key.');
      const state = await lookUp(...entry);
      if (state === undefined) throw new NotFoundError(`Nothing in ${topic.name} has this ${entry[0]}.`);
      return { body: { data: state } };
    },
  });
}

/**
 * Asks an owner's `stateRoute`, in the form that a replica takes for its misses.
 *
 * @throws UnavailableError (from the returned function) when the owner cannot be asked or answers something else.
 */
export function stateLookUp(
  client: Pick<InternalClient, 'get'>,
): <T>(topic: TopicDefinition<StateMessage<T>>, index: string, value: string) => Promise<StateMessage<T> | undefined> {
  return async (topic, index, value) => {
    const query = new URLSearchParams({ [index]: value }).toString();
    const { status, body } = await client.get(`/internal/states/${topic.name}?${query}`);
    if (status === 404) return undefined;
    const state = topic.schema.safeParse(body['data']);
    if (status === 200 && state.success) return state.data;
    throw new UnavailableError('A service that is needed gave no usable answer. Please try again.', {
      cause: state.error ?? new Error(`The look-up in ${topic.name} answered ${status}.`),
    });
  };
}
