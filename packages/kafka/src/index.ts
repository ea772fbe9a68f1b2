// In which order to read a consumer: docs/subjects/kafka.md, "Stages of a consumer".
export { BacklogReports } from './backlog-reports.ts';
export type { BacklogReportsOptions } from './backlog-reports.ts';
export { BatchConsumer } from './batch-consumer.ts';
export type { BatchConsumerOptions } from './batch-consumer.ts';
export { BatchingPublisher } from './batching-publisher.ts';
export type { BatchingPublisherOptions } from './batching-publisher.ts';
export { DeadLetterRedrive } from './dead-letter-redrive.ts';
export type { DeadLetterRedriveOptions, RedriveResult } from './dead-letter-redrive.ts';
export { KafkaConnection } from './kafka-connection.ts';
export type { GroupOptions, KafkaConnectionOptions } from './kafka-connection.ts';
export { AccessRefusedError, readKafkaSecurity } from './kafka-security.ts';
export type { KafkaSecurity, KafkaSecurityResult } from './kafka-security.ts';
export type { LetterEntry } from './dead-letter-list.ts';
export { backlogOf, logBounds } from './log-bounds.ts';
export type { LogBounds, ReadBounds } from './log-bounds.ts';
export { MemoryReplica } from './memory-replica.ts';
export type {
  BatchProcessor,
  ChangeListener,
  ConsumerMetrics,
  MessagingLogger,
  MissLookUp,
  Publisher,
  PublisherMetrics,
  ReplicaView,
} from './ports.ts';
export { partitionOf } from './partitioner.ts';
export type { QueueLimits } from './publish-queue.ts';
export { RecordingPublisher } from './recording-publisher.ts';
export type { PublishedMessage } from './recording-publisher.ts';
export { TopicReplicas } from './topic-replicas.ts';
export type { TopicReplicasOptions } from './topic-replicas.ts';
export { Replica } from './replica.ts';
export { RecordGroups } from './record-groups.ts';
export { addResponders, RESPONDER_INDEXES, Responders } from './responders.ts';
export { consume, StagedProcessor, TooMuchTogetherError } from './stages.ts';
export type { Stages } from './stages.ts';
export { SequenceCounter } from './sequence-counter.ts';
export type { Indexes } from './state-table.ts';
export type { GroupBounds } from './record-groups.ts';
export { subscription } from './subscribe.ts';
export type { Subscription } from './subscribe.ts';
export { MAX_MESSAGE_BYTES } from './topic-settings.ts';
export { TopicTail } from './topic-tail.ts';
export type { TopicTailOptions } from './topic-tail.ts';
export { scanTopic } from './topic-scan.ts';
export type { TopicScan } from './topic-scan.ts';
export { ensureTopics, topicConfig } from './topics.ts';
export type { EnsureTopicsOptions } from './topics.ts';
