import { STATE_REPUBLISH_MS } from '@tocsin/contracts';
import {
  EntityStates,
  Outbox,
  type Connection,
  type EntityStatesOptions,
  type OutboxOptions,
  type RelayPublisher,
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

/** A run publishes all entities, a hundred at a time. */
const REPUBLISH_TIMEOUT_MS = 10 * 60_000;

/** Makes the states of a compacted topic, which the outbox relays, and publishes all of them now and every hour. */
export function openEntityStates<T>(
  { logger, tasks }: Pick<ServiceContext, 'logger' | 'tasks'>,
  options: Omit<EntityStatesOptions<T>, 'logger' | 'tombstoneMs'>,
): EntityStates<T> {
  const states = new EntityStates<T>({ ...options, logger });
  tasks.add({
    name: `republish-${options.topic.name}`,
    everyMs: STATE_REPUBLISH_MS,
    timeoutMs: REPUBLISH_TIMEOUT_MS,
    activate: (signal) => states.republish(signal),
  });
  return states;
}
