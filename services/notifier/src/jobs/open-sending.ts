import { setTimeout as pause } from 'node:timers/promises';
import type { ContactMethod } from '@tocsin/contracts';
import type { Connection, Outbox } from '@tocsin/persistence';
import { watchOverdue, type ServiceContext } from '@tocsin/service-kit';
import { Deliver, type DeliverPorts } from '../application/deliver.ts';
import { openChannels } from '../channels/open-channels.ts';
import type { Config } from '../config.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { MongoAlertStandings } from '../storage/mongo-alert-standings.ts';
import { MongoDeliveryStore } from '../storage/mongo-delivery-store.ts';
import { MongoNewDeliveries } from '../storage/mongo-new-deliveries.ts';
import { MongoTurns } from '../storage/mongo-turns.ts';
import { MongoUndelivered } from '../storage/mongo-undelivered.ts';
import { SendLoop } from './send-loop.ts';
import { traceHandOver } from './trace-hand-over.ts';

/** How long the turns of a dead process stay held, in milliseconds; a living process renews its own. */
const LEASE_MS = 5_000;
const KEEP_EVERY_MS = 1_000;
/** Between two tries to write a result while the database is away. */
const RESULT_PAUSE_MS = 500;

export interface SendingParts extends Pick<DeliverPorts, 'users' | 'onNotice'> {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly standings: MongoAlertStandings;
}

export interface Sending {
  /** The methods by which people can be told. */
  readonly methods: ReadonlySet<ContactMethod>;
  readonly deliveries: MongoNewDeliveries;
  readonly deliver: Deliver;
  readonly undelivered: MongoUndelivered;
  readonly start: () => Promise<void>;
}

/** Makes the store to which deliveries are added, and what hands them over once `start` was called. */
export async function openSending(context: ServiceContext<Config>, parts: SendingParts): Promise<Sending> {
  const { activity, clock, lifecycle, logger } = context;
  const { connection, onNotice, outbox, standings, users } = parts;
  const turns = new MongoTurns(connection, LEASE_MS);
  const store = new MongoDeliveryStore({ connection, outbox, turns, standings });
  const onTrouble = (error: unknown): void => {
    logger.error({ err: error }, 'messages cannot be begun or concluded yet; it is tried again');
  };
  const nextDueAt = () => turns.nextDueAt();
  const channels = await openChannels(context);
  const deliver = new Deliver({ ...outside(context), channels, store, users, clock, onNotice, onTrouble });
  const loop = new SendLoop({ deliver, store, clock, nextDueAt, onTrouble, keepEveryMs: KEEP_EVERY_MS });
  activity.add('turns', { pending: () => turns.due(clock.now()), nextDueAt });
  activity.add('sending', { pending: () => deliver.underWay.length });
  const start = async (): Promise<void> => {
    await watchOverdue(context, 'turns', nextDueAt);
    await lifecycle.start(
      'sending',
      () => {
        loop.start();
      },
      () => loop.stop(),
    );
  };
  const onWaiting = (): void => {
    loop.wake();
  };
  const deliveries = new MongoNewDeliveries({ connection, turns, standings, onWaiting });
  const undelivered = new MongoUndelivered(connection, turns);
  return { methods: new Set(channels.keys()), deliveries, deliver, undelivered, start };
}

/** What the hand-over needs of the outside. */
function outside({ config, metrics, tracer }: ServiceContext<Config>) {
  metrics.handingOver();
  return {
    random: () => Math.random(),
    onHandedOver: (seconds: number) => {
      metrics.stage('handed-over', seconds);
    },
    onRefused: (result) => {
      metrics.handOverFailed(result);
    },
    ...(tracer.on && { tracing: (delivery: Delivery) => traceHandOver(tracer, delivery) }),
    pause: () => pause(RESULT_PAUSE_MS),
    window: config.smtpMaxConnections,
  } satisfies Partial<DeliverPorts>;
}
