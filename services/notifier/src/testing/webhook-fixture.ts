import { ManualClock } from '@tocsin/core';
import { type Decision, Decisions, type WebhookCommand, type WebhookSettings } from '@tocsin/events';
import { RecordingPublisher, StagedProcessor } from '@tocsin/kafka';
import {
  CheckpointTransactions,
  collectionOf,
  type Connection,
  connectMongo,
  migrate,
  Outbox,
  persistenceIndexes,
} from '@tocsin/mongo';
import { testMongo } from '@tocsin/testkit';
import type { mongo } from 'mongoose';
import { ChatPosts } from '../chat/store.ts';
import { ProviderPauses } from '../channels/providers/pause-store.ts';
import { CallWebhooks, type DeletionGivenUp, type WebhookCaller, WebhookReceivers } from '../webhooks/operations.ts';
import { DeliverMessages } from '../queue/deliver-operations.ts';
import type { SendResult } from '../messages/attempts.ts';
import type { WebhookDelivery } from '../messages/delivery.ts';
import { webhookCommands } from '../webhooks/consumer.ts';
import type { ShadowState } from '../shadow/shadow.ts';
import type { ClaimedQueue } from '../queue/recipient-queue.ts';
import { DELIVERIES, RECIPIENT_QUEUES } from '../messages/delivery-document.ts';
import { notifierIndexes } from '../messages/store.ts';
import { DeliveryStore } from '../queue/delivery-store.ts';
import { WebhookCalls } from '../queue/webhook-call-store.ts';
import { RecipientQueues } from '../queue/recipient-queue-store.ts';
import { shadowThatIs } from './shadow-double.ts';
import { silent } from './mongo-stores.ts';
import { NOW, webhookBatch, webhookSettings } from './webhook-samples.ts';

export const OK: SendResult = { kind: 'accepted', response: 'it answered 200' };
const WEBHOOK = ['webhook'] as const;

/** Everything between the topic and the receivers, over a database of its own. */
export interface WebhookFixture {
  readonly connection: Connection;
  readonly clock: ManualClock;
  /** The queues of the first process. */
  readonly queues: RecipientQueues;
  readonly store: DeliveryStore;
  readonly sender: CallWebhooks;
  readonly deliver: DeliverMessages;
  /** Of the integrations; an error where they cannot be read. */
  readonly settings: Map<string, WebhookSettings | Error>;
  readonly receiver: {
    answer: (...call: Parameters<WebhookCaller['call']>) => ReturnType<WebhookCaller['call']> | SendResult;
  };
  readonly calls: readonly WebhookDelivery[];
  readonly troubles: readonly unknown[];
  /** What the process knows of shadow: `off` at first. */
  readonly shadow: { state: ShadowState };
  /** The channel of each event that was held back. */
  readonly heldBack: readonly string[];
  readonly deletionsGivenUp: readonly DeletionGivenUp[];
  readonly rows: mongo.Collection;
  readonly settle: (...commands: WebhookCommand[]) => Promise<void>;
  readonly claim: (at?: Date) => Promise<readonly ClaimedQueue[]>;
  /** Makes the calls that are due, each time by the next process. */
  readonly fireDue: () => Promise<void>;
  /** Ends all leases, as after the death of their holders. */
  readonly expire: () => Promise<void>;
  readonly decisions: () => Promise<readonly Decision[]>;
  readonly said: () => Promise<readonly (string | undefined)[]>;
  /** The alert and the action of each call. */
  readonly calledFor: () => readonly string[];
  readonly close: () => Promise<void>;
}

/**
 * `processes` over one database, on a clock that tests steer. The integration `hook` is there; receivers accept every call unless
 * `answer` is replaced.
 */
export async function openWebhookFixture({ processes = 1, maxUnderWay = 256 } = {}): Promise<WebhookFixture> {
  const connection = await connectMongo(await testMongo());
  await migrate(connection, [...persistenceIndexes, ...notifierIndexes]);
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({ connection, publisher, topics: [Decisions], logger: silent });
  const clock = new ManualClock(NOW);
  const settings = new Map<string, WebhookSettings | Error>([['hook', webhookSettings()]]);
  const calls: WebhookDelivery[] = [];
  const troubles: unknown[] = [];
  const deletionsGivenUp: DeletionGivenUp[] = [];
  const receiver: WebhookFixture['receiver'] = { answer: () => OK };
  const client = {
    of: (id: string) => {
      const known = settings.get(id);
      return Error.isError(known) ? Promise.reject(known) : Promise.resolve(known);
    },
  };
  const caller = {
    call: (...call: Parameters<WebhookCaller['call']>) => {
      calls.push(call[0]);
      return Promise.resolve(receiver.answer(...call));
    },
  };
  const nameOf = (id: string) => {
    const known = settings.get(id);
    return Error.isError(known) ? undefined : known?.name;
  };
  const isChat = (id: string) => {
    const known = settings.get(id);
    return !Error.isError(known) && known?.chat !== undefined;
  };
  const shadow = shadowThatIs('off');
  const heldBack: string[] = [];
  const onHeldBack = (channel: string): void => void heldBack.push(channel);
  const open = () => {
    const queues = new RecipientQueues(connection, 60_000);
    const store = new DeliveryStore({ connection, outbox, queues, bundles: new Map() });
    const onFailure = (error: unknown): void => void troubles.push(error);
    const random = () => 0;
    const onCalled = (): void => undefined;
    const pauses = new ProviderPauses({ connection, clock, onPaused: () => undefined, onFailure });
    const receivers = new WebhookReceivers({
      settings: client,
      caller,
      pauses,
      clock,
      random,
      onCalled,
      onFailure,
      maxUnderWay,
    });
    const onDeletionGivenUp = (deletion: DeletionGivenUp): void => void deletionsGivenUp.push(deletion);
    const sender = new CallWebhooks({ shadow, onHeldBack, store, receivers, nameOf, onDeletionGivenUp, clock, random });
    const pause = () => Promise.resolve();
    const deliver = new DeliverMessages({ store, kind: sender, clock, onFailure, pause, maxUnderWay });
    return { queues, store, sender, deliver };
  };
  const first = open();
  const all = [first, ...Array.from({ length: processes - 1 }, open)];
  const added = new WebhookCalls({ connection, outbox, queues: first.queues, onWaiting: () => undefined });
  const processor = new StagedProcessor(
    webhookCommands({ webhooks: added, posts: new ChatPosts(connection), isChat, clock }),
    new CheckpointTransactions({ connection, racingIndexes: ['_id_'], gate: first.queues.gate }),
  );
  const rows = collectionOf(connection, DELIVERIES);
  let looks = 0;
  let offset = 0;
  const decisions = async (): Promise<readonly Decision[]> => {
    await outbox.flush();
    return publisher.published.map(({ message }) => message as Decision);
  };
  return {
    ...first,
    connection,
    clock,
    settings,
    calls,
    troubles,
    deletionsGivenUp,
    shadow,
    heldBack,
    receiver,
    rows,
    decisions,
    settle: async (...commands: WebhookCommand[]) => {
      await processor.process([webhookBatch(commands, offset)]);
      offset += commands.length;
    },
    claim: (at = clock.now()) => first.store.claim(at, 100, WEBHOOK),
    fireDue: async () => {
      const nextDueAt = () => first.queues.nextDueAt(WEBHOOK);
      for (let next = await nextDueAt(); next !== undefined && next <= clock.now(); next = await nextDueAt()) {
        const { deliver } = all[looks % processes] ?? first;
        looks += 1;
        await deliver.beginDue();
        await deliver.settled();
      }
    },
    expire: async () => {
      await collectionOf(connection, RECIPIENT_QUEUES).updateMany({}, { $set: { leaseUntil: null } });
    },
    said: async () => (await decisions()).map(({ findings }) => findings[0]?.text),
    calledFor: () => calls.map(({ webhook }) => `${webhook.alertId} ${webhook.action}`),
    close: async () => {
      await connection.dropDatabase();
      await connection.close();
    },
  };
}
