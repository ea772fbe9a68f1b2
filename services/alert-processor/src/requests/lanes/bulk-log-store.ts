import { AlertCommandsBulk, type NamedTopic } from '@tocsin/events';
import { logBounds, scanTopic, type KafkaConnection, type Publisher } from '@tocsin/kafka';
import { MongoCheckpoints, type Connection } from '@tocsin/mongo';
import type { BulkLog } from './command-lanes.ts';
import { reading } from '../../database.ts';

export interface BulkLogParts {
  readonly kafka: KafkaConnection;
  readonly connection: Connection;
  readonly publisher: Pick<Publisher, 'publish'>;
}

/** The topic `alert-commands-bulk.v1`, with the positions in the database. */
export function bulkLog({ connection, kafka, publisher }: BulkLogParts): BulkLog {
  return {
    bounds: () => logBounds(kafka, AlertCommandsBulk),
    positions: positionsOf(connection, AlertCommandsBulk),
    scan: (from, take) =>
      scanTopic({
        kafka,
        topic: AlertCommandsBulk,
        from,
        onRecord: ({ key = '' }, partition) => {
          take(key, partition);
        },
      }),
    publish: (commands) => publisher.publish(AlertCommandsBulk, commands),
  };
}

/** Up to where partitions of `topic` are processed, whichever process did it. */
export function positionsOf(
  connection: Connection,
  { name }: NamedTopic,
): (partitions: readonly number[]) => Promise<ReadonlyMap<number, number>> {
  const checkpoints = new MongoCheckpoints(connection);
  return async (partitions) => {
    const found = await reading(checkpoints.read(name, partitions));
    return new Map(found.map(({ offset, partition }) => [partition, offset]));
  };
}
