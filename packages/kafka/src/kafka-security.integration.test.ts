import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import kafkajs from 'kafkajs';
import { ensureTopics, readKafkaSecurity } from './index.ts';
import type { KafkaSecurity } from './kafka-security.ts';
import { anyTopic, TestCluster, notes, noteTopic, RecordingLogger } from './testing/real-kafka.ts';
import { LOGIN, type SecuredKafka, selfSigned, startSecuredKafka } from './testing/secured-kafka.ts';

const topic = noteTopic('notes.v1');

let kafka: SecuredKafka;
const testClusters: TestCluster[] = [];
beforeAll(async () => {
  kafka = await startSecuredKafka();
});
afterAll(async () => {
  for (const testCluster of testClusters) await testCluster.end();
  await kafka.stop();
});

/** As a service reads it. */
function security(changes: Record<string, string> = {}): KafkaSecurity {
  const { username, password } = LOGIN;
  const login = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password };
  const result = readKafkaSecurity({ KAFKA_SSL: 'true', KAFKA_SSL_CA: kafka.ca, ...login, ...changes });
  if ('problems' in result) throw new Error(result.problems.join());
  return result.security;
}

function testCluster(given: KafkaSecurity): TestCluster {
  const made = new TestCluster([kafka.broker.brokers], undefined, given);
  testClusters.push(made);
  return made;
}

describe('a cluster with TLS and logins', () => {
  it.each(['plain', 'scram-sha-512'])(
    'takes and gives records of who believes its certificate and logs in by %s',
    async (mechanism) => {
      const inside = testCluster(security({ KAFKA_SASL_MECHANISM: mechanism }));
      await inside.topics([topic]);
      await inside.kafka.requireAccess();
      const publisher = await inside.publisher({ topics: [anyTopic(topic)] });

      await publisher.publish(topic, notes(20));

      const found = await inside.readAll(topic);
      expect(found.map(({ note }) => note.id).sort()).toEqual(
        notes(20)
          .map(({ id }) => id)
          .sort(),
      );
      expect(inside.logger.errors()).toEqual([]);
    },
  );

  it.each(['plain', 'scram-sha-512'])(
    'is said to refuse a wrong password by %s, at once and without the password',
    async (mechanism) => {
      const wrong = security({ KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_PASSWORD: 'battery staple' });
      const refusal = /^Kafka refuses the login of KAFKA_SASL_…: (?!.*battery)/;

      await expect(testCluster(wrong).kafka.requireAccess()).rejects.toThrow(refusal);
      const topics = { brokers: [kafka.broker.brokers], prefix: '', topics: [anyTopic(topic)], partitions: 1 };
      await expect(ensureTopics({ ...topics, security: wrong })).rejects.toThrow(refusal);
    },
  );

  it('is reported to have an untrusted certificate where another authority is given, or none', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-other-authority-'));
    const { ca } = selfSigned(folder);
    fs.rmSync(folder, { recursive: true });

    for (const KAFKA_SSL_CA of [ca, ''])
      await expect(testCluster(security({ KAFKA_SSL_CA })).kafka.requireAccess()).rejects.toThrow(
        /^The certificate of Kafka is not trusted \(KAFKA_SSL_CA\)/,
      );
  });

  it('may be unavailable at the start of a service, which waits for it', async () => {
    const unavailable = new TestCluster(['127.0.0.1:9'], undefined, security());
    testClusters.push(unavailable);

    await expect(unavailable.kafka.requireAccess()).resolves.toBeUndefined();
  });
});

describe('a topic of commands whose settings we may not change', () => {
  const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

  it.each([
    ['change', 'ALTER_CONFIGS', 'message.timestamp.type is CreateTime, not LogAppendTime, and we may not change it'],
    ['read', 'DESCRIBE_CONFIGS', 'whether message.timestamp.type is LogAppendTime is not known'],
  ] as const)(
    'is said loudly to be wrong where we may not %s them, and everything starts',
    async (_, operation, logged) => {
      const inside = testCluster(security());
      const orders = anyTopic(noteTopic('orders.v1', 'commands'));
      const name = inside.kafka.wireName(orders);
      const rule = { resourceType: AclResourceTypes.TOPIC, resourceName: name, principal: 'User:*', host: '*' };
      const of = { ...rule, resourcePatternType: ResourcePatternTypes.LITERAL };
      const all = { ...of, operation: AclOperationTypes.ALL, permissionType: AclPermissionTypes.ALLOW };
      const but = { ...of, operation: AclOperationTypes[operation], permissionType: AclPermissionTypes.DENY };
      await inside.kafka.ask((admin) => admin.createTopics({ topics: [{ topic: name }] }));
      await inside.kafka.ask((admin) => admin.createAcls({ acl: [all, but] }));

      const logger = new RecordingLogger();
      const wanted = { topics: [orders, anyTopic(topic)], partitions: 1, logger };
      await ensureTopics({ brokers: [kafka.broker.brokers], prefix: inside.prefix, security: security(), ...wanted });

      expect(logger.errors().join()).toContain(`Topic ${name}: ${logged}`);
      const warned = logger.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields);
      expect(warned).toContainEqual(expect.objectContaining({ topic: name, key: 'max.message.bytes' }));
      expect(await inside.kafka.ask((admin) => admin.listTopics())).toContain(inside.kafka.wireName(topic));
    },
  );
});
