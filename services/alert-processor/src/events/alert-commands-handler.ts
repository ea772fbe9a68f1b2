import type { AlertCommand } from '@tocsin/contracts';
import type { BatchHandler } from '@tocsin/messaging';
import type { SettleAlertCommands } from '../application/settle-alert-commands.ts';
import { orFailure } from './failure.ts';

/** Settles `alert-commands.v1`, batch by batch. */
export function alertCommandsHandler(commands: SettleAlertCommands): BatchHandler<AlertCommand> {
  return {
    settle: (batch) => orFailure(commands.settle(batch)),
    bury: (record, reason) => orFailure(commands.bury(record, reason)),
  };
}
