import {
  Outbox,
  StateOutbox,
  type Connection,
  type OutboxOptions,
  type RelayPublisher,
  type StateOutboxOptions,
} from '@tocsin/persistence';
import type { ServiceContext } from '../context.ts';
import { watchUnknownRows } from './unknown-rows.ts';

/** Starts the outbox of a database. The stop publishes what it can. */
export async function openOutbox(
  context: ServiceContext,
  connection: Connection,
  publisher: RelayPublisher,
  topics: OutboxOptions['topics'],
): Promise<Outbox> {
  const { activity, lifecycle, logger, metrics } = context;
  const outbox = new Outbox({ connection, publisher, topics, logger, metrics });
  activity.add('outbox', { pending: () => outbox.pending() });
  watchUnknownRows(context, 'outbox', () => outbox.countUnknown());
  return lifecycle.start(
    'outbox',
    () => {
      outbox.start();
      return outbox;
    },
    () => outbox.stop(),
  );
}

/** Starts the outbox of a compacted topic. */
export async function openStateOutbox<T>(
  context: ServiceContext,
  options: Pick<StateOutboxOptions<T>, 'connection' | 'topic' | 'load' | 'ids' | 'publisher'>,
): Promise<StateOutbox<T>> {
  const { activity, clock, lifecycle, logger, metrics } = context;
  const outbox = new StateOutbox<T>({ ...options, clock, logger, metrics });
  activity.add(`state of ${options.topic.name}`, { pending: () => outbox.pending() });
  return lifecycle.start(
    `state of ${options.topic.name}`,
    () => {
      outbox.start();
      return outbox;
    },
    () => outbox.stop(),
  );
}
