import type { StateMessage, TopicDefinition } from '@tocsin/events';
import { z } from 'zod';

/** The state of an entity with a name only. */
export interface Team {
  readonly name: string;
}
const version = z.object({ epoch: z.number(), n: z.number() });
/** A state topic as in `packages/events`. */
export const teamTopic = (name: string): TopicDefinition<StateMessage<Team>> => ({
  name,
  kind: 'state',
  schema: z.discriminatedUnion('deleted', [
    z.object({ id: z.string(), version, deleted: z.literal(false), state: z.object({ name: z.string() }) }),
    z.object({ id: z.string(), version, deleted: z.literal(true) }),
  ]),
  key: (message) => message.id,
});

/** Version `n` of the team `id`. */
export const team = (id: string, n: number, name = `team-${id}`): StateMessage<Team> => ({
  id,
  version: { epoch: 1, n },
  deleted: false,
  state: { name },
});
