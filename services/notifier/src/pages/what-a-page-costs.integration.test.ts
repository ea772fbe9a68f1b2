import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { Decisions, type Page, Pages, VerificationEvents } from '@tocsin/events';
import { type BatchProcessor, RecordingPublisher, StagedProcessor } from '@tocsin/kafka';
import {
  CheckpointTransactions,
  type Connection,
  connectMongo,
  migrate,
  Outbox,
  persistenceIndexes,
} from '@tocsin/mongo';
import { monitoredUri, sentCommands, testMongo } from '@tocsin/testkit';
import type { DeliverMessages } from '../queue/deliver-operations.ts';
import { pages } from './consumer.ts';
import type { Mail } from '../channels/email/message.ts';
import { mailChannel } from '../testing/mail-channel.ts';
import { ada, page } from '../testing/page-samples.ts';
import { notifierIndexes } from '../messages/store.ts';
import { DeliveryStore } from '../queue/delivery-store.ts';
import { NewDeliveries } from '../queue/new-delivery-store.ts';
import { RecipientQueues } from '../queue/recipient-queue-store.ts';
import { PageStore } from './store.ts';
import { silent } from '../testing/mongo-stores.ts';
import { quietDeliver } from '../testing/quiet-deliver.ts';

/** In their order: the page with its beginning, the look for others who wait, and the result. */
const COMMANDS_OF_A_PAGE = [
  ...['update checkpoints', 'find recipient_queues', 'update recipient_queues'],
  ...['insert deliveries', 'insert outbox', 'commitTransaction'],
  'find recipient_queues',
  ...[
    'aggregate recipient_queues',
    'update deliveries',
    'insert outbox',
    'aggregate deliveries',
    'update recipient_queues',
    'commitTransaction',
  ],
];

let connection: Connection;
let deliver: DeliverMessages;
let outbox: Outbox;
let publisher: RecordingPublisher;
let processor: BatchProcessor<Page>;
let mails: Mail[];
let commands: string[];

/** The notifier between its topics, with one user and a mail server that takes everything. */
beforeEach(async () => {
  const { database, uri } = await testMongo();
  connection = await connectMongo({ uri: monitoredUri(uri), database });
  await migrate(connection, [...persistenceIndexes, ...notifierIndexes]);
  commands = sentCommands(connection.getClient());
  mails = [];
  publisher = new RecordingPublisher();
  outbox = new Outbox({ connection, publisher, topics: [Decisions, VerificationEvents], logger: silent });
  const queues = new RecipientQueues(connection, 60_000);
  const bundles = new Map([['email', { most: 20, size: 100 }]] as const);
  const deliveries = new NewDeliveries({ connection, queues, bundles, onWaiting: () => undefined });
  const users = { get: () => ada(), isDeleted: () => false, fetch: () => Promise.resolve(ada()) };
  deliver = quietDeliver({
    store: new DeliveryStore({ connection, outbox, queues, bundles }),
    users,
    clock: systemClock,
    channels: mailChannel((mail) =>
      Promise.resolve(void mails.push(mail)).then(() => ({ kind: 'accepted', response: '250' })),
    ),
  });
  const store = new PageStore({
    connection,
    outbox,
    deliveries,
    dueWork: { wakeAfterCommit: () => undefined },
  });
  const stages = pages({ store, deliver, users, channels: new Set(['email']), clock: systemClock });
  processor = new StagedProcessor(
    stages,
    new CheckpointTransactions({ connection, racingIndexes: ['_id_'], gate: deliveries.gate }),
  );
});

afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

async function settled(offset: number, ...pages: readonly Page[]): Promise<void> {
  const records = pages.map((value, index) => ({ offset: offset + index, key: 'ada', timestampMs: 1, value }));
  await processor.process([{ topic: Pages.name, partition: 0, clusterId: 'c1', records }]);
  await deliver.beginDue();
  await deliver.settled();
  expect(mails).toHaveLength(offset + pages.length);
  await outbox.flush();
  expect(await outbox.pending()).toBe(0);
}

/** Without those by which rows of the outbox are published, a few for many pages. */
const ofTheNotifier = (): readonly string[] =>
  commands.filter((each) => !/ (?:outbox|leases)$/.test(each) || each === 'insert outbox');

describe('a page whose first step is due at once', () => {
  it('costs no more commands than its two transactions need', async () => {
    await settled(0, page({ pageId: 'first' }));
    commands.length = 0;
    await settled(1, page({ pageId: 'second' }));
    expect(ofTheNotifier().toSorted()).toEqual(COMMANDS_OF_A_PAGE.toSorted());
  });

  it('publishes nothing for directory, because its user is verified', async () => {
    await settled(0, page({ pageId: 'first' }));
    expect(new Set(publisher.published.map(({ topic }) => topic))).toEqual(new Set([Decisions.name]));
  });

  it('costs little together with those of others', async () => {
    const pages = Array.from({ length: 50 }, (_, number) => page({ pageId: `p${number}`, userId: `u${number}` }));
    await settled(0, page({ pageId: 'first' }));
    commands.length = 0;
    await settled(1, ...pages);
    expect(ofTheNotifier().length / pages.length).toBeLessThan(1);
  });
});
