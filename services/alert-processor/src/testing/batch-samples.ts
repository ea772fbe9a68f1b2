import { AlertCommands, type AlertCommand, type ConsumedBatch } from '@tocsin/events';

/** A batch as a consumer gets it, from `offset` on. */
export function batchOf(commands: readonly AlertCommand[], offset = 0, partition = 0): ConsumedBatch<AlertCommand> {
  const records = commands.map((value, index) => ({
    offset: offset + index,
    key: AlertCommands.key(value),
    timestampMs: Date.parse(value.acceptedAt),
    value,
  }));
  return { topic: AlertCommands.name, partition, clusterId: 'cluster', records };
}
