import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/clock';
import { ALL_TOPICS, Teams, Users, type TeamState, type UserState } from '@tocsin/contracts';
import { BatchingPublisher, ensureTopics, KafkaConnection, TopicReplicas, type ReplicaView } from '@tocsin/messaging';
import { createLogger } from '@tocsin/observability';
import { connectMongo } from '@tocsin/persistence';
import { composeService, type Lifecycle } from '@tocsin/service-kit';
import { eventually, freePort, serviceEnvironment } from '@tocsin/testing';
import { compose } from './compose.ts';
import { Config } from './config.ts';

const logger = createLogger('directory', 'silent');
const ended: (() => Promise<unknown>)[] = [];
let config: Config;
let lifecycle: Lifecycle;
let publisher: BatchingPublisher;
/** As another service that runs all the time holds them. */
let users: ReplicaView<UserState>;
let teams: ReplicaView<TeamState>;

async function start(): Promise<void> {
  ({ lifecycle } = await composeService({ name: 'directory', config, compose, clock: systemClock }));
}

beforeAll(async () => {
  const { brokers, topicPrefix, uri, databasePrefix, environment } = await serviceEnvironment();
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 1 });
  const ports = { PORT: await freePort(), ADMIN_PORT: await freePort() };
  config = Config.parse({ ...environment, ...ports, LOG_LEVEL: 'silent', OWNER_EMAIL: 'owner@example.com' });
  const kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix, logger });
  publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
  const replicas = new TopicReplicas({
    kafka,
    logger,
    lookUp: () => Promise.resolve([]),
    onFatal: (error) => {
      throw error;
    },
  });
  users = replicas.add(Users);
  teams = replicas.add(Teams);
  await replicas.start();
  const database = await connectMongo({ uri, database: `${databasePrefix}directory` });
  ended.push(
    () => database.close(),
    () => database.dropDatabase(),
    () => kafka.stop(),
    () => publisher.stop(),
    () => replicas.stop(),
    () => lifecycle.stop(),
  );
  await start();
}, 120_000);

afterAll(async () => {
  for (const end of ended.toReversed()) await end();
}, 120_000);

describe('a database that is restored while the topics hold what came after the backup', () => {
  it('is what every service knows after the start: its users as they are, and no others', async () => {
    const owner = await eventually(() => {
      const [found] = [...users.all()];
      if (found === undefined) throw new Error('The owner is not published yet.');
      return found;
    });
    await lifecycle.stop();
    const version = { epoch: Date.now(), n: 9 };
    const later = (state: UserState) => ({ id: state.id, version, deleted: false as const, state });
    await publisher.publish(Users, [later({ ...owner, fullName: 'Later' }), later({ ...owner, id: 'later' })]);
    const team: TeamState = { id: 'later', name: 'Later', description: '', members: [], routingRules: [] };
    await publisher.publish(Teams, [{ id: 'later', version, deleted: false, state: team }]);
    await eventually(() => {
      expect([users.get(owner.id)?.fullName, users.get('later')?.id, teams.get('later')?.name]).toEqual([
        'Later',
        'later',
        'Later',
      ]);
    });
    await start();
    await eventually(() => {
      expect([...users.all()]).toEqual([owner]);
      expect([...teams.all()]).toEqual([]);
    });
  }, 180_000);
});
