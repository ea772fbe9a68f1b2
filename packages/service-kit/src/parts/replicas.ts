import type { ServiceName, StateMessage, TopicDefinition } from '@tocsin/contracts';
import { statesLookUp } from '@tocsin/http';
import { TopicReplicas, type Indexes, type ReplicaView } from '@tocsin/messaging';
import type { ServiceContext } from '../context.ts';
import { internalClient } from './http.ts';
import { kafkaOf } from './kafka.ts';

/** The replicas of one service: entities of other services, held in memory. */
export interface Replicas {
  /** Adds the replica of a topic, before the start. It asks `owner`, where one is given, for entities that it lacks. */
  add<T>(
    topic: TopicDefinition<StateMessage<T>>,
    options: { readonly owner?: ServiceName; readonly indexes?: Indexes<T> },
  ): ReplicaView<T>;
  /** Resolves when the replicas hold all that was written before. */
  start(): Promise<void>;
}

/** Makes the replicas of a service, which follow their topics until the stop. */
export async function openReplicas(context: ServiceContext): Promise<Replicas> {
  const { activity, lifecycle, logger, metrics, onFatal } = context;
  const noOwner = () => Promise.reject(new TypeError('A replica without an owner asks nobody.'));
  const set = new TopicReplicas({ kafka: await kafkaOf(context), lookUp: noOwner, logger, onFatal, metrics });
  return {
    add: (topic, { owner, ...options }) =>
      set.add(topic, {
        ...options,
        ...(owner !== undefined && { lookUp: statesLookUp(internalClient(context, owner)) }),
      }),
    start: async () => {
      activity.add('replicas', { pending: () => set.pending() });
      await lifecycle.start(
        'replicas',
        () => set.start(),
        () => set.stop(),
      );
    },
  };
}
