import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/clock';
import { Decisions, Pages, type Page } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { connectMongo, migrate, Outbox, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { eventually, monitoredUri, sentCommands, testMongo } from '@tocsin/testing';
import { timerIndexes, Timers } from '@tocsin/timers';
import { Deliver } from './application/deliver.ts';
import { ExpandPages } from './application/expand-pages.ts';
import type { Mail } from './domain/mail.ts';
import { ada, page } from './domain/page.samples.ts';
import { notifierIndexes, STEP_TIMERS } from './storage/documents.ts';
import { MongoAlertStandings } from './storage/mongo-alert-standings.ts';
import { MongoDeliveryStore } from './storage/mongo-delivery-store.ts';
import { MongoFlowStore } from './storage/mongo-flow-store.ts';
import { silent } from './storage/mongo-stores.contract.ts';

/** How long nothing but what it is told of wakes a timer. */
const NEVER_MS = 1e6;
const LEASE_MS = NEVER_MS;

/** Three transactions, of the page, of the beginning and of the result; the timer is claimed after the first. */
const COMMANDS_OF_A_PAGE = [
  ...[
    'update checkpoints',
    'update flows',
    'insert deliveries',
    'update step_timers',
    'insert outbox',
    'commitTransaction',
  ],
  ...['find step_timers', 'update step_timers', 'find step_timers', 'find step_timers'],
  ...['find deliveries', 'find alert_standings', 'update deliveries', 'commitTransaction'],
  ...['find deliveries', 'update deliveries', 'insert outbox', 'delete step_timers', 'commitTransaction'],
];

let connection: Connection;
let steps: Timers<null>;
let outbox: Outbox;
let expandPages: ExpandPages;
let mails: Mail[];
let commands: string[];

/** The notifier between its topics, with one user and a mail server that takes everything. */
beforeEach(async () => {
  const { database, uri } = await testMongo();
  connection = await connectMongo({ uri: monitoredUri(uri), database });
  await migrate(connection, [...persistenceIndexes, ...notifierIndexes, ...timerIndexes(STEP_TIMERS)]);
  commands = sentCommands(connection.getClient());
  mails = [];
  outbox = new Outbox({ connection, publisher: new RecordingPublisher(), topics: [Decisions], logger: silent });
  const standings = new MongoAlertStandings(connection);
  steps = new Timers<null>({
    ...{ connection, collection: STEP_TIMERS, clock: systemClock, logger: silent },
    ...{ leaseMs: LEASE_MS, pollMs: NEVER_MS },
    fire: (due) => deliver.deliver(due),
  });
  const deliveries = new MongoDeliveryStore({ connection, outbox, timers: steps, standings });
  const users = { get: () => ada(), fetch: () => Promise.resolve(ada()) };
  const deliver = new Deliver({
    ...{ store: deliveries, users, clock: systemClock, random: () => 0, portion: 5, leaseMs: LEASE_MS },
    mail: {
      send: (mail) => Promise.resolve(void mails.push(mail)).then(() => ({ kind: 'accepted', response: '250' })),
    },
    ...{ onHandedOver: () => undefined, onNotice: () => undefined },
    sender: { accountName: 'Tocsin', messageIdHost: 'tocsin.invalid', publicUrl: undefined },
  });
  const store = new MongoFlowStore({ connection, outbox, deliveries, standings, timers: steps as never });
  expandPages = new ExpandPages({ store, users, channels: new Set(['email']) });
  steps.start();
});

afterEach(async () => {
  await steps.stop();
  await connection.dropDatabase();
  await connection.close();
});

async function settled(offset: number, ...pages: readonly Page[]): Promise<void> {
  const records = pages.map((value, index) => ({ offset: offset + index, key: 'ada', timestampMs: 1, value }));
  await expandPages.settle({ topic: Pages.name, partition: 0, clusterId: 'c1', records });
  await eventually(async () => {
    expect(mails).toHaveLength(offset + pages.length);
    expect(await steps.due()).toBe(0);
    expect(await outbox.pending()).toBe(0);
  });
}

/** Without those by which a test looks, and those of publishing, which are shared by all rows that wait. */
const PUBLISHING = ['find outbox', 'delete outbox'];
const ofTheNotifier = (): readonly string[] =>
  commands.filter((each) => !each.startsWith('aggregate ') && !PUBLISHING.includes(each));

describe('a page whose first step is due at once', () => {
  it('costs no more commands than its three transactions need, and four to claim its timer', async () => {
    await settled(0, page({ pageId: 'first' }));
    commands.length = 0;
    await settled(1, page({ pageId: 'second' }));
    expect(ofTheNotifier().toSorted()).toEqual(COMMANDS_OF_A_PAGE.toSorted());
  });

  it('costs little when it comes with others', async () => {
    const pages = Array.from({ length: 50 }, (_, number) => page({ pageId: `p${number}` }));
    await settled(0, page({ pageId: 'first' }));
    commands.length = 0;
    await settled(1, ...pages);
    expect(ofTheNotifier().length / pages.length).toBeLessThan(4);
  });
});
