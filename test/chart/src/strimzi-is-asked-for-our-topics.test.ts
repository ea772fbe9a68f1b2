import { beforeAll, describe, expect, test } from '@jest/globals';
import { ALL_TOPICS } from '@tocsin/events';
import { topicConfig } from '@tocsin/kafka';
import { type KubernetesObject } from './testing/kubernetes-object.ts';
import { rendered } from './testing/rendered.ts';

const PREFIX = 'paging.';

let objects: readonly KubernetesObject[];
const only = (kind: string): KubernetesObject => {
  const [object, ...others] = objects.filter((one) => one.kind === kind);
  if (object === undefined || others.length > 0) throw new Error(`There is not one ${kind}.`);
  return object;
};

beforeAll(async () => {
  objects = await rendered({ set: 'operators', values: { 'kafka.topicPrefix': PREFIX } });
});

test('every topic of Tocsin is asked for, with the partitions, copies and settings that Tocsin would give it itself', () => {
  const asked = objects
    .filter(({ kind }) => kind === 'KafkaTopic')
    .map(({ spec }) => ({
      topic: spec.topicName ?? '',
      numPartitions: spec.partitions,
      replicationFactor: spec.replicas,
      settings: spec.config,
    }));
  const own = ALL_TOPICS.map((topic) => {
    const { configEntries = [], ...rest } = topicConfig(topic, `${PREFIX}${topic.name}`, 24, 3);
    return { ...rest, settings: Object.fromEntries(configEntries.map(({ name, value }) => [name, value])) };
  });
  const inOrder = (a: { topic: string }, b: { topic: string }): number => a.topic.localeCompare(b.topic);
  expect(asked.toSorted(inOrder)).toEqual(own.toSorted(inOrder));
});

test('every resource names the cluster that it belongs to', () => {
  const cluster = only('Kafka').metadata.name;
  const rest = objects.filter(({ apiVersion, kind }) => apiVersion === 'kafka.strimzi.io/v1' && kind !== 'Kafka');
  expect(new Set(rest.map(({ metadata }) => metadata.labels?.['strimzi.io/cluster']))).toEqual(new Set([cluster]));
});

describe('the cluster', () => {
  test('has a record on three nodes, two of which wrote it before it is accepted', () => {
    expect(only('KafkaNodePool').spec.replicas).toBe(3);
    expect(only('Kafka').spec.kafka?.config).toMatchObject({
      'default.replication.factor': 3,
      'min.insync.replicas': 2,
      'offsets.topic.replication.factor': 3,
      'transaction.state.log.replication.factor': 3,
      'transaction.state.log.min.isr': 2,
      'unclean.leader.election.enable': false,
    });
  });

  test('keeps positions of groups for 90 days and makes no topic by itself', () => {
    expect(only('Kafka').spec.kafka?.config).toMatchObject({
      'offsets.retention.minutes': 90 * 24 * 60,
      'auto.create.topics.enable': false,
    });
  });

  test('outlives the release', () => {
    const data = objects.filter(({ kind }) =>
      ['Kafka', 'KafkaNodePool', 'KafkaTopic', 'MongoDBCommunity'].includes(kind),
    );
    const policies = data.map(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy']);
    expect(new Set(policies)).toEqual(new Set(['keep']));
  });
});

test('services log in as the user who may use all topics of Tocsin and no other', () => {
  const user = only('KafkaUser');
  const topics = (user.spec.authorization?.acls ?? [])
    .filter(({ resource }) => resource.type === 'topic')
    .map(({ resource }) => resource.name);
  expect(topics.toSorted()).toEqual(ALL_TOPICS.map(({ name }) => PREFIX + name).toSorted());
  const gateway = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'tocsin-gateway');
  expect(gateway?.data).toMatchObject({
    KAFKA_BROKERS: `${only('Kafka').metadata.name}-kafka-bootstrap:9093`,
    KAFKA_SSL: 'true',
    KAFKA_SASL_MECHANISM: 'scram-sha-512',
    KAFKA_SASL_USERNAME: user.metadata.name,
  });
});
