import { setTimeout as pause } from 'node:timers/promises';
import type { Connection, Outbox } from '@tocsin/persistence';
import type { ServiceContext } from '@tocsin/service-kit';
import { Deliver, type DeliverPorts } from '../application/deliver.ts';
import type { Config } from '../config.ts';
import { SmtpMailProvider, smtpSettings } from '../providers/smtp-mail-provider.ts';
import type { MongoAlertStandings } from '../storage/mongo-alert-standings.ts';
import { MongoDeliveryStore } from '../storage/mongo-delivery-store.ts';
import { MongoNewDeliveries } from '../storage/mongo-new-deliveries.ts';
import { MongoTurns } from '../storage/mongo-turns.ts';
import { SendLoop } from './send-loop.ts';

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
  readonly deliveries: MongoNewDeliveries;
  readonly deliver: Deliver;
  readonly start: () => Promise<unknown>;
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
  const deliver = new Deliver({ ...(await openMail(context)), store, users, clock, onNotice, onTrouble });
  const loop = new SendLoop({ deliver, store, clock, nextDueAt, onTrouble, keepEveryMs: KEEP_EVERY_MS });
  activity.add('turns', { pending: () => turns.due(clock.now()), nextDueAt });
  activity.add('sending', { pending: () => deliver.underWay.length });
  const start = () =>
    lifecycle.start(
      'sending',
      () => {
        loop.start();
      },
      () => loop.stop(),
    );
  const onWaiting = (): void => {
    loop.wake();
  };
  const deliveries = new MongoNewDeliveries({ connection, turns, standings, onWaiting });
  return { deliveries, deliver, start };
}

/** What the hand-over needs of the outside. */
async function openMail({ config, lifecycle, metrics }: ServiceContext<Config>) {
  const mail = await lifecycle.start(
    'smtp',
    () => new SmtpMailProvider(smtpSettings(config)),
    (provider) => {
      provider.close();
    },
  );
  const { accountName, messageIdHost, publicUrl } = config;
  return {
    mail,
    random: () => Math.random(),
    onHandedOver: (seconds: number) => {
      metrics.stage('handed-over', seconds);
    },
    pause: () => pause(RESULT_PAUSE_MS),
    sender: { accountName, messageIdHost, publicUrl },
    window: config.smtpMaxConnections,
  } satisfies Partial<DeliverPorts>;
}
