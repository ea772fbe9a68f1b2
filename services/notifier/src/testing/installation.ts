import {
  ALL_TOPICS,
  Decisions,
  SHADOW_SWITCH,
  ShadowSwitches,
  SubscriptionEvents,
  Users,
  VerificationEvents,
  type Decision,
  type SubscriptionEvent,
  type UserState,
  type VerificationEvent,
} from '@tocsin/events';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/kafka';
import { createLogger } from '@tocsin/service';
import { connectMongo, type Connection } from '@tocsin/mongo';
import { followTopics, serviceEnvironment, startMailbox, type Mailbox } from '@tocsin/testkit';

const logger = createLogger('notifier', 'silent');

/** Topics, a database and a mailbox of one test file's own. */
export interface TestInstallation {
  readonly environment: Readonly<Record<string, string>>;
  readonly publisher: BatchingPublisher;
  readonly mailbox: Mailbox;
  /** The notifier's own. */
  readonly database: Connection;
  /** Every decision that was published so far, with the keys of their records. */
  readonly decisions: readonly { readonly key: string; readonly decision: Decision }[];
  /** Every verification event that was published so far. */
  readonly verifications: readonly VerificationEvent[];
  /** Every event about an ended subscription that was published so far. */
  readonly endedSubscriptions: readonly SubscriptionEvent[];
  /** Publishes users as directory does. */
  readonly publishUsers: (...users: UserState[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Directory is unavailable: only users of `users.v1` are known. Shadow is off. */
export async function newInstallation(): Promise<TestInstallation> {
  const { brokers, topicPrefix, uri, databasePrefix, environment } = await serviceEnvironment();
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 2 });
  const mailbox = await startMailbox();
  const kafka = new KafkaConnection({ brokers, clientId: 'test', topicPrefix, logger });
  const publisher = new BatchingPublisher({ kafka, logger });
  await publisher.start();
  const state = { enabled: false, changedAt: '2026-01-01T00:00:00Z' };
  await publisher.publish(ShadowSwitches, [{ id: SHADOW_SWITCH, version: { epoch: 1, n: 1 }, deleted: false, state }]);
  const decisions: { key: string; decision: Decision }[] = [];
  const verifications: VerificationEvent[] = [];
  const endedSubscriptions: SubscriptionEvent[] = [];
  const endings = [
    await followTopics(kafka, [Decisions], ({ key, value }) => {
      decisions.push({ key: String(key), decision: Decisions.schema.parse(JSON.parse(String(value))) });
    }),
    await followTopics(kafka, [VerificationEvents], ({ value }) => {
      verifications.push(VerificationEvents.schema.parse(JSON.parse(String(value))));
    }),
    await followTopics(kafka, [SubscriptionEvents], ({ value }) => {
      endedSubscriptions.push(SubscriptionEvents.schema.parse(JSON.parse(String(value))));
    }),
  ];
  const database = await connectMongo({ uri, database: `${databasePrefix}notifier` });
  let version = 0;
  return {
    environment: {
      ...environment,
      DIRECTORY_URL: 'http://127.0.0.1:1',
      SMTP_URL: mailbox.url,
    },
    publisher,
    mailbox,
    database,
    decisions,
    verifications,
    endedSubscriptions,
    publishUsers: (...users) => {
      version += 1;
      const stateOf = (state: UserState) => ({
        id: state.id,
        version: { epoch: 1, n: version },
        deleted: false as const,
        state,
      });
      return publisher.publish(Users, users.map(stateOf));
    },
    close: async () => {
      for (const end of endings) await end();
      await publisher.stop();
      await kafka.stop();
      await mailbox.stop();
      await database.dropDatabase();
      await database.close();
    },
  };
}
