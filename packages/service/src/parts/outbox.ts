import { STATE_REPUBLISH_MS } from '@tocsin/events';
import {
  EntityStates,
  Outbox,
  type Connection,
  type EntityStatesOptions,
  type OutboxOptions,
  requireNoRestore,
  type RelayPublisher,
} from '@tocsin/mongo';
import type { ServiceContext } from '../context.ts';
import { watchUnknownRows } from './unknown-rows.ts';

/**
 * Starts the outbox of a database. It stops with the service, and publishes before that what it still can.
 *
 * @throws Error while the database is restored. A restore marks the database and then looks for leases; this takes its leases and then
 * looks for the marker. So one of both sees the other, also where a service has waited for Kafka since it opened its database.
 */
export async function openOutbox(
  context: ServiceContext,
  connection: Connection,
  publisher: RelayPublisher,
  topics: OutboxOptions['topics'],
  options: Pick<OutboxOptions, 'mayRelay'> = {},
): Promise<Outbox> {
  const { activity, lifecycle, logger, metrics } = context;
  const outbox = new Outbox({ ...options, connection, publisher, topics, logger, metrics });
  activity.add('outbox', { pending: () => outbox.pending() });
  watchUnknownRows(context, 'outbox', () => outbox.countUnknown());
  await lifecycle.start(
    'outbox',
    () => {
      outbox.start();
    },
    () => outbox.stop(),
  );
  await outbox.whenLeasesTried();
  await requireNoRestore(connection);
  return outbox;
}

/** Of one run, which publishes all states and tombstones, some at a time. */
const REPUBLISH_TIMEOUT_MS = 10 * 60_000;

interface OpenedStates<T> extends Omit<EntityStatesOptions<T>, 'logger' | 'tombstoneMs'> {
  /** While false, nothing is published again. Wake `republish-<topic>` when it becomes true. */
  readonly mayRepublish?: () => boolean;
}

/** Makes the {@link EntityStates} of a topic that `outbox` relays. They are published again at the start and every hour. */
export function openEntityStates<T>(
  { logger, tasks }: Pick<ServiceContext, 'logger' | 'tasks'>,
  { mayRepublish = () => true, ...options }: OpenedStates<T>,
): EntityStates<T> {
  const announcements = new EntityStates<T>({ ...options, logger });
  tasks.add({
    name: `republish-${options.topic.name}`,
    everyMs: STATE_REPUBLISH_MS,
    timeoutMs: REPUBLISH_TIMEOUT_MS,
    activate: (signal) => (mayRepublish() ? announcements.republish(signal) : Promise.resolve()),
  });
  return announcements;
}
