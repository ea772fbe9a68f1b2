import { setTimeout as pause } from 'node:timers/promises';
import type { ContactMethod } from '@tocsin/contracts';
import type { Connection, Outbox } from '@tocsin/persistence';
import {
  removeInBatches,
  SWEEP_TIMEOUT_MS,
  watchOverdue,
  watchUnknownRows,
  type ServiceContext,
} from '@tocsin/service-kit';
import type { AnswerAlerts } from '../application/answer-alerts.ts';
import { Deliver, type DeliverPorts } from '../application/deliver.ts';
import { TakeCallbacks, type CallbackOutcome } from '../application/take-callbacks.ts';
import { TakeKeys } from '../application/take-keys.ts';
import { TakeReplies } from '../application/take-replies.ts';
import { TakeReceipts, type TakeReceiptsPorts } from '../application/take-receipts.ts';
import { openCallbacks, type Callbacks } from '../channels/open-callbacks.ts';
import { openChannels } from '../channels/open-channels.ts';
import { NumberLimits } from '../channels/sms/number-limits.ts';
import type { Config } from '../config.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { ReplyCodes } from '../ports/reply-codes.ts';
import type { MongoAlertStandings } from '../storage/mongo-alert-standings.ts';
import { MongoDeliveryStore } from '../storage/mongo-delivery-store.ts';
import { MongoNewDeliveries } from '../storage/mongo-new-deliveries.ts';
import { MongoReceiptStore } from '../storage/mongo-receipt-store.ts';
import { MongoReplyCodes } from '../storage/mongo-reply-codes.ts';
import { MongoTurns } from '../storage/mongo-turns.ts';
import { MongoUndelivered } from '../storage/mongo-undelivered.ts';
import { addSendTasks } from './send-tasks.ts';
import { traceHandOver } from './trace-hand-over.ts';

/** How long the turns of a dead process stay held, in milliseconds; a living process renews its own. */
const LEASE_MS = 5_000;
const SEND = 'send';
/** Between two tries to write a result while the database is away. */
const RESULT_PAUSE_MS = 500;
/** How often content goes that was kept for receipts and is needed no more, in real time. */
const FORGET_EVERY_MS = 60_000;

export interface SendingParts extends Pick<DeliverPorts, 'users' | 'onNotice'> {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly standings: MongoAlertStandings;
  readonly answers: AnswerAlerts;
}

export interface Sending {
  /** The methods by which people can be told. */
  readonly methods: ReadonlySet<ContactMethod>;
  readonly deliveries: MongoNewDeliveries;
  readonly deliver: Deliver;
  readonly undelivered: MongoUndelivered;
  /** Takes what providers tell later; undefined where none is told to. */
  readonly callbacks: TakeCallbacks | undefined;
  readonly start: () => Promise<void>;
}

/** Makes the store to which deliveries are added, and what hands them over once `start` was called. */
export async function openSending(context: ServiceContext<Config>, parts: SendingParts): Promise<Sending> {
  const { activity, clock, logger, tasks } = context;
  const { answers, connection, onNotice, outbox, standings, users } = parts;
  const turns = new MongoTurns(connection, LEASE_MS);
  const bundles = context.config.bundleLimits;
  const store = new MongoDeliveryStore({ connection, outbox, turns, standings, bundles });
  const onTrouble = (error: unknown): void => {
    logger.error({ err: error }, 'messages cannot be begun or concluded yet; it is tried again');
  };
  const nextDueAt = () => turns.nextDueAt();
  const codes = new MongoReplyCodes(connection);
  const calling = openCallbacks(context.config, clock);
  const channels = await openChannels(context, calling, codes);
  const deliver = new Deliver({ ...outside(context), channels, store, users, clock, onNotice, onTrouble });
  activity.add('turns', { pending: () => turns.due(clock.now()), nextDueAt });
  activity.add('sending', { pending: () => deliver.underWay.length });
  const start = async (): Promise<void> => {
    watchOverdue(context, 'turns', nextDueAt);
    watchUnknownRows(context, 'turns', () => turns.countUnknown(clock.now()));
    await addSendTasks(context, { name: SEND, deliver, store, nextDueAt });
  };
  const onWaiting = (): void => {
    tasks.wake(SEND);
  };
  const deliveries = new MongoNewDeliveries({ connection, turns, standings, bundles, onWaiting });
  const undelivered = new MongoUndelivered(connection, turns);
  const receipts = new MongoReceiptStore({ connection, outbox, turns, onWaiting });
  const callbacks = takeCallbacks(context, { calling, channels, store: receipts, onNotice, answers, codes });
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

interface TakingParts extends Pick<TakeReceiptsPorts, 'channels' | 'store' | 'onNotice'> {
  readonly calling: Callbacks | undefined;
  readonly answers: AnswerAlerts;
  readonly codes: ReplyCodes;
}

/** Takes what providers tell, where they are told to. */
function takeCallbacks(
  { clock, metrics }: ServiceContext<Config>,
  { answers, calling, codes, ...parts }: TakingParts,
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

/** What the hand-over needs of the outside. */
function outside({ config, metrics, tracer }: ServiceContext<Config>) {
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
    ...(tracer.on && { tracing: (delivery: Delivery) => traceHandOver(tracer, delivery) }),
    pause: () => pause(RESULT_PAUSE_MS),
    window: config.smtpMaxConnections,
  } satisfies Partial<DeliverPorts>;
}
