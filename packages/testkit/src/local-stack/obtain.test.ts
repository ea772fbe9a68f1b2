import { describe, expect, test } from '@jest/globals';
import { serverProperties } from './kafka-broker.ts';
import { projectOf, requireJava } from './obtain-kafka.ts';

describe('requireJava', () => {
  test.each(['openjdk version "17.0.15" 2025-04-15', 'java version "21" 2023-09-19', 'openjdk version "25.0.1"'])(
    'is content with %s',
    (answer) => {
      expect(() => {
        requireJava(answer);
      }).not.toThrow();
    },
  );

  test('names the package and the setting when Java is missing', () => {
    expect(() => {
      requireJava(undefined);
    }).toThrow(/Java 17 is missing.*openjdk-17-jre-headless.*KAFKA_BROKERS/);
  });

  test.each([
    ['openjdk version "11.0.2"', 'Java 11'],
    ['java version "1.8.0_402"', 'Java 8'],
  ])('names the version of %s as too old', (answer, version) => {
    expect(() => {
      requireJava(answer);
    }).toThrow(version);
  });
});

describe('projectOf', () => {
  test('depends on every artifact in its version', () => {
    expect(projectOf(['group.a:one:1.0', 'group.b:two:2.0'])).toContain(
      '<dependency><groupId>group.b</groupId><artifactId>two</artifactId><version>2.0</version></dependency>',
    );
  });
});

describe('serverProperties', () => {
  const plan = { jars: '/jars', dataDir: '/data', port: 9092 };
  const alone = { id: 1, clusterId: 'c', controllers: ['127.0.0.1:9093'] };

  test('listens on its port and sends clients to the same unless another is advertised', () => {
    expect(serverProperties(plan, alone)).toContain('advertised.listeners=PLAINTEXT://127.0.0.1:9092\n');
    const proxied = serverProperties({ ...plan, advertisedPort: 9999 }, alone);
    expect(proxied).toContain('listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093\n');
    expect(proxied).toContain('advertised.listeners=PLAINTEXT://127.0.0.1:9999\n');
  });

  test('keeps one replica of a single broker, and in a cluster of three every write on two of three', () => {
    expect(serverProperties(plan, alone)).toContain('offsets.topic.replication.factor=1\n');
    const three = [9093, 9094, 9095].map((port) => `127.0.0.1:${port}`);
    const second = serverProperties(plan, { id: 2, clusterId: 'c', controllers: three });
    expect(second).toContain('node.id=2\n');
    expect(second).toContain('CONTROLLER://127.0.0.1:9094\n');
    expect(second).toContain('controller.quorum.voters=1@127.0.0.1:9093,2@127.0.0.1:9094,3@127.0.0.1:9095\n');
    expect(second).toContain('offsets.topic.replication.factor=3\n');
    expect(second).toContain('min.insync.replicas=2\n');
  });

  test('listens on the address of its place, and finds the controllers of other nodes at theirs', () => {
    const controllers = ['198.18.0.11:9093', '198.18.0.12:9094', '198.18.0.13:9095'];
    const properties = serverProperties({ ...plan, host: '198.18.0.12' }, { id: 2, clusterId: 'c', controllers });
    expect(properties).toContain('listeners=PLAINTEXT://198.18.0.12:9092,CONTROLLER://198.18.0.12:9094\n');
    expect(properties).toContain('advertised.listeners=PLAINTEXT://198.18.0.12:9092\n');
    expect(properties).toContain('voters=1@198.18.0.11:9093,2@198.18.0.12:9094,3@198.18.0.13:9095\n');
  });

  test('lets a test override a setting', () => {
    const properties = serverProperties({ ...plan, settings: { 'broker.session.timeout.ms': '9000' } }, alone);

    expect(properties).toContain('broker.session.timeout.ms=9000\n');
    expect(properties).not.toContain('broker.session.timeout.ms=2000\n');
  });
});
