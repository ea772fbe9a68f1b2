import { setTimeout as pause } from 'node:timers/promises';
import { ContactMethod } from '@tocsin/events';
import type { Connection, Outbox } from '@tocsin/mongo';
import {
  removeInBatches,
  type ServiceContext,
  SWEEP_TIMEOUT_MS,
  watchOverdue,
  watchUnknownRows,
} from '@tocsin/service';
import type { AnswerAlerts } from './answers/operations.ts';
import { DeliverMessages, RESULT_PAUSE_MS } from './queue/deliver-operations.ts';
import { LEASE_MS } from './queue/lease-store.ts';
import { SendToUsers, type SendToUsersPorts, traceHandOver } from './messages/operations.ts';
import { type CallbackOutcome, TakeCallbacks } from './channels/operations.ts';
import { TakeKeys, TakeReplies } from './answers/phone-operations.ts';
import { TakeReceipts, type TakeReceiptsPorts } from './receipts/operations.ts';
import { type Callbacks, openCallbacks } from './channels/callbacks/open-callbacks.ts';
import type { Pauses } from './channels/channel.ts';
import { openChannels } from './channels/providers/open-channels.ts';
import { PushedPages } from './channels/push/pushed-page-store.ts';
import { shadowPorts } from './compose-shadow.ts';
import type { Config } from './config.ts';
import type { UserDelivery } from './messages/delivery.ts';
import { DeliveryStore } from './queue/delivery-store.ts';
import { EarlyRetries, type EarlyRetriesParts, EARLY_RETRY_EVERY_MS } from './queue/early-retry-store.ts';
import { NewDeliveries } from './queue/new-delivery-store.ts';
import { RecipientQueues } from './queue/recipient-queue-store.ts';
import { addSendTasks } from './queue/task.ts';
import { ReplyCodes } from './answers/store.ts';
import { ReceiptStore } from './receipts/store.ts';
import { UndeliveredMessages } from './queue/undelivered-store.ts';
import type { ShadowGate } from './shadow/operations.ts';
import { NumberLimits } from './channels/sms/number-limits.ts';

const SEND = 'send';
/** How often content is removed that was kept for receipts and is no longer needed, in real time. */
const FORGET_EVERY_MS = 60_000;

export interface SendingParts extends Pick<SendToUsersPorts, 'users' | 'onNotice'> {
  readonly shadow: ShadowGate;
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly answers: AnswerAlerts;
  readonly pauses: Pauses;
}

export interface Sending {
  /** The methods that have a provider. */
  readonly methods: ReadonlySet<ContactMethod>;
  readonly deliveries: NewDeliveries;
  readonly deliver: DeliverMessages;
  readonly undelivered: UndeliveredMessages;
  /** Takes the callbacks of providers; undefined without `CALLBACK_URL`. */
  readonly callbacks: TakeCallbacks | undefined;
  readonly start: () => Promise<void>;
}

/** Opens the queue of deliveries. Messages are sent once `start` was called. */
export async function openSending(context: ServiceContext<Config>, parts: SendingParts): Promise<Sending> {
  const { activity, clock, logger, tasks } = context;
  const { answers, connection, onNotice, outbox, pauses, shadow, users } = parts;
  const queues = new RecipientQueues(connection, LEASE_MS);
  const bundles = context.config.bundleLimits;
  const store = new DeliveryStore({ connection, outbox, queues, bundles });
  const onFailure = (error: unknown): void => {
    logger.error({ err: error }, 'Messages cannot be begun, or their results not written. It is tried again.');
  };
  const nextDueAt = () => queues.nextDueAt(ContactMethod.options);
  const codes = new ReplyCodes(connection);
  const calling = openCallbacks(context.config, clock);
  const pages = new PushedPages(connection, (error) => {
    logger.warn({ err: error }, 'the page that a push replaces cannot be read; the push is a message of its own');
  });
  const onWaiting = (): void => {
    tasks.wake(SEND);
  };
  const earlyRetries = openEarlyRetries(context, { connection, queues, onWaiting });
  const onAccepted = (method: ContactMethod, provider: string) => earlyRetries.accepted({ method, provider });
  const channels = await openChannels(context, calling, { codes, onAccepted, pages, pauses, users });
  const ports = { ...handOverMetrics(context), ...shadowPorts(context, shadow) };
  const kind = new SendToUsers({ ...ports, channels, store, users, clock, onNotice });
  const deliver = new DeliverMessages({
    store,
    kind,
    clock,
    onFailure,
    pause: () => pause(RESULT_PAUSE_MS),
    maxUnderWay: context.config.smtpMaxConnections,
  });
  activity.add('recipient_queues', { pending: () => queues.countDue(clock.now(), kind.methods), nextDueAt });
  activity.add('sending', { pending: () => deliver.underWay.length });
  const start = async (): Promise<void> => {
    watchOverdue(context, 'recipient_queues', nextDueAt);
    watchUnknownRows(context, 'recipient_queues', () => queues.countUnknown(clock.now()));
    await addSendTasks(context, { name: SEND, deliver, store, nextDueAt });
  };
  const deliveries = new NewDeliveries({ connection, queues, bundles, onWaiting });
  const undelivered = new UndeliveredMessages(connection, queues);
  const receipts = new ReceiptStore({ connection, outbox, queues, onWaiting });
  const callbacks = openTakeCallbacks(context, { calling, channels, store: receipts, onNotice, answers, codes });
  tasks.add({
    name: 'remove-receipts',
    everyMs: FORGET_EVERY_MS,
    timeoutMs: SWEEP_TIMEOUT_MS,
    activate: async (stopping) => {
      await removeInBatches(() => receipts.forget(clock.now()), { stopping });
    },
  });
  return { methods: new Set(channels.keys()), deliveries, deliver, undelivered, callbacks, start };
}

/** What tries messages early, and the task for providers that accept message after message. */
function openEarlyRetries(
  { clock, logger, tasks }: ServiceContext<Config>,
  parts: Pick<EarlyRetriesParts, 'connection' | 'queues' | 'onWaiting'>,
): EarlyRetries {
  const onFailure = (error: unknown): void => {
    logger.warn({ err: error }, 'Messages that a provider had refused cannot be tried before their time.');
  };
  const earlyRetries = new EarlyRetries({ ...parts, clock, onFailure });
  tasks.add({ name: 'early-retries', everyMs: EARLY_RETRY_EVERY_MS, activate: () => earlyRetries.lookAgain() });
  return earlyRetries;
}

interface CallbackParts extends Pick<TakeReceiptsPorts, 'channels' | 'store' | 'onNotice'> {
  readonly calling: Callbacks | undefined;
  readonly answers: AnswerAlerts;
  readonly codes: Pick<ReplyCodes, 'keep' | 'find' | 'isKnown'>;
}

/** Takes the callbacks of providers, where there is a `CALLBACK_URL`. */
function openTakeCallbacks(
  { clock, metrics }: ServiceContext<Config>,
  { answers, calling, codes, ...parts }: CallbackParts,
): TakeCallbacks | undefined {
  metrics.takingCallbacks();
  const onDelivered = (seconds: number): void => {
    metrics.stage('receipt', seconds);
  };
  const receipts = new TakeReceipts({ ...parts, clock, onDelivered });
  const onCallback = (outcome: CallbackOutcome): void => {
    metrics.callback(outcome);
  };
  const keys = new TakeKeys(answers);
  const replies = new TakeReplies({ codes, answers, limits: new NumberLimits(), clock });
  return calling && new TakeCallbacks({ ...calling, receipts, keys, replies, onCallback });
}

/** The metrics and traces of hand-overs. */
function handOverMetrics({ metrics, tracer }: ServiceContext<Config>) {
  metrics.handingOver();
  return {
    random: () => Math.random(),
    onHandedOver: (seconds: number) => {
      metrics.stage('handed-over', seconds);
    },
    onBundle: (method, pages) => {
      metrics.bundled(method, pages);
    },
    onRefused: (result) => {
      metrics.handOverFailed(result);
    },
    ...(tracer.on && { tracing: (delivery: UserDelivery) => traceHandOver(tracer, delivery) }),
  } satisfies Partial<SendToUsersPorts>;
}
