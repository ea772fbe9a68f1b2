import { AlertCommands, AlertEvents, type TopicDefinition, Users } from '@tocsin/events';
import { describe, expect, it } from '@jest/globals';
import { topicConfig } from './topics.ts';

function settings(topic: unknown, replication = 1): { partitions: number | undefined; entries: object } {
  const config = topicConfig(topic as TopicDefinition<never>, 'prefix.topic', 6, replication);
  return {
    partitions: config.numPartitions,
    entries: Object.fromEntries((config.configEntries ?? []).map(({ name, value }) => [name, value])),
  };
}

describe('the settings of a topic', () => {
  it('keep commands and events for 14 days whatever their size', () => {
    expect(settings(AlertCommands)).toMatchObject({
      partitions: 6,
      entries: { 'cleanup.policy': 'delete', 'retention.ms': '1209600000', 'retention.bytes': '-1' },
    });
  });

  it('let the brokers stamp commands when they append them, and leave events as they were stamped', () => {
    expect(settings(AlertCommands).entries).toMatchObject({ 'message.timestamp.type': 'LogAppendTime' });
    expect(settings(AlertEvents).entries).not.toHaveProperty('message.timestamp.type');
  });

  it('compact the state of entities in one partition, no message for two hours, in segments of four, with room for 2 MB each', () => {
    expect(settings(Users)).toEqual({
      partitions: 1,
      entries: {
        'cleanup.policy': 'compact',
        'delete.retention.ms': '86400000',
        'min.compaction.lag.ms': '7200000',
        'segment.ms': '14400000',
        'max.message.bytes': '2048576',
      },
    });
  });

  it('ask for two copies of each message where three brokers hold a topic', () => {
    expect(settings(AlertCommands, 3).entries).toMatchObject({ 'min.insync.replicas': '2' });
    expect(settings(AlertCommands, 1).entries).not.toHaveProperty('min.insync.replicas');
  });
});
