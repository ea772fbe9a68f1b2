import type { AlertCommand } from '@tocsin/contracts';
import { GatheredHandler, type BatchHandler } from '@tocsin/messaging';
import type { SettleAlertCommands } from '../application/settle-alert-commands.ts';
import { orFailure } from './failure.ts';

/** Settles `alert-commands.v1`: what comes of several partitions at once, together. */
export function alertCommandsHandler(commands: SettleAlertCommands): BatchHandler<AlertCommand> {
  return new GatheredHandler({
    settle: (batches) => orFailure(commands.settle(...batches)),
    bury: (record, reason) => orFailure(commands.bury(record, reason)),
  });
}
