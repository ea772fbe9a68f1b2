import type { ServiceName, StateMessage, TopicDefinition } from '@tocsin/contracts';
import { stateLookUp } from '@tocsin/http';
import { TopicReplicas, type Indexes, type ReplicaView } from '@tocsin/messaging';
import type { ServiceContext } from '../context.ts';
import { internalClient } from './http.ts';
import { kafkaOf } from './kafka.ts';

/** The replicas of one service: what other services own, held in memory by one consumer. */
export interface Replicas {
  /** Adds the replica of a topic before the start; what it lacks is asked of `owner`, where there is one. */
  add<T>(
    topic: TopicDefinition<StateMessage<T>>,
    options: { readonly owner?: ServiceName; readonly indexes?: Indexes<T> },
  ): ReplicaView<T>;
  /** Resolves when all that was written before is held. */
  start(): Promise<void>;
}

/** Makes the replicas of a service; they are kept up until the stop. */
export async function openReplicas(context: ServiceContext): Promise<Replicas> {
  const { activity, lifecycle, logger, metrics, onFatal } = context;
  const noOwner = () => Promise.reject(new TypeError('A replica without an owner asks nobody.'));
  const set = new TopicReplicas({ kafka: await kafkaOf(context), lookUp: noOwner, logger, onFatal, metrics });
  return {
    add: (topic, { owner, ...options }) =>
      set.add(topic, {
        ...options,
        ...(owner !== undefined && { lookUp: stateLookUp(internalClient(context, owner)) }),
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
