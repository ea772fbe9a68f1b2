import type { ServiceName, StateMessage, TopicDefinition, NamedTopic } from '@tocsin/events';
import { statesLookUp } from '@tocsin/http';
import { TopicReplicas, TopicTail, type Indexes, type ReplicaView, type TopicTailOptions } from '@tocsin/kafka';
import { reconcileStates, type ReconcileOptions } from '@tocsin/mongo';
import type { ServiceContext } from '../context.ts';
import { internalClient } from './http.ts';
import { kafkaOf } from './kafka.ts';

/** The most ids in one log line. */
const MAX_LOGGED_IDS = 20;

/** The database collection behind a topic that this service owns. */
type OwnStates = Omit<ReconcileOptions, 'onTopic'>;

/** The replicas of one service: entities of other services, held in memory. */
export interface Replicas {
  /** Adds the replica of a topic, before the start. It asks `owner`, where one is given, for entities that it lacks. */
  add<T>(
    topic: TopicDefinition<StateMessage<T>>,
    options: { readonly owner?: ServiceName; readonly indexes?: Indexes<T> },
  ): ReplicaView<T>;
  /** Adds a topic of which only the versions of its entities are needed, before the start. */
  versions(topic: NamedTopic): Pick<ReplicaView<never>, 'whenChanged'>;
  /**
   * Adds a topic of which this service is the owner, before the start. At the start its states are compared with the database,
   * which may be a restored backup: the topic follows it.
   */
  own(topic: NamedTopic, states: OwnStates): void;
  /** Resolves when the replicas hold all that was written before, and own topics have been compared. */
  start(): Promise<void>;
}

/** Makes the replicas of a service, which follow their topics until the stop. */
export async function openReplicas(context: ServiceContext): Promise<Replicas> {
  const { activity, lifecycle, logger, metrics, onFatal } = context;
  const noOwner = () => Promise.reject(new TypeError('A replica without an owner has no look-ups.'));
  const set = new TopicReplicas({ kafka: await kafkaOf(context), lookUp: noOwner, logger, onFatal, metrics });
  const owned: { readonly topic: string; readonly states: ReconcileOptions }[] = [];
  return {
    own: (topic, states) => {
      owned.push({ topic: topic.name, states: { ...states, onTopic: set.addVersions(topic).newest } });
    },
    versions: (topic) => set.addVersions(topic),
    add: (topic, { owner, ...options }) =>
      set.add(topic, {
        ...options,
        ...(owner !== undefined && { lookUp: statesLookUp(internalClient(context, owner)) }),
      }),
    start: async () => {
      activity.add('replicas', { pending: (readBounds) => set.pending(readBounds) });
      await lifecycle.start(
        'replicas',
        () => set.start(),
        () => set.stop(),
      );
      for (const { topic, states } of owned) {
        const ids = await reconcileStates(states);
        if (ids.length > 0)
          logger.warn(
            { topic, count: ids.length, ids: ids.slice(0, MAX_LOGGED_IDS) },
            'The database is older than the topic. Its entities are published again.',
          );
      }
    },
  };
}

interface OpenedTail extends Pick<TopicTailOptions, 'onRecord' | 'topic'> {
  /** Called where the topic cannot be followed until the process starts again. */
  readonly onFailure: () => void;
}

/**
 * The end of a topic, which the service can follow. It joins its group beside the start of the service, which does not wait for that. Its failure
 * does not end the process, which serves other callers too.
 */
export async function openTopicTail(
  context: ServiceContext,
  { onFailure, onRecord, topic }: OpenedTail,
): Promise<TopicTail> {
  const { lifecycle, logger } = context;
  const onFatal = (error: unknown): void => {
    if (lifecycle.stopping) return;
    logger.error(
      { err: error, topic: topic.name },
      'The end of a topic cannot be followed until the process starts again.',
    );
    onFailure();
  };
  const tail = new TopicTail({ kafka: await kafkaOf(context), topic, onRecord, logger, onFatal });
  lifecycle.add(`the end of ${topic.name}`, () => tail.stop());
  tail.start().catch(onFatal);
  return tail;
}
