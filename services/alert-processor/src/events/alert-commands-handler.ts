import type { AlertCommand } from '@tocsin/contracts';
import { GatheredHandler, type BatchHandler } from '@tocsin/messaging';
import { failureOf } from '@tocsin/persistence';
import type { SettleAlertCommands } from '../application/settle-alert-commands.ts';

/** Settles `alert-commands.v1`. Batches of several partitions that arrive at once settle together. */
export function alertCommandsHandler(commands: SettleAlertCommands): BatchHandler<AlertCommand> {
  return new GatheredHandler({
    settle: (batches) => commands.settle(...batches).catch(failureOf),
    bury: (record, reason) => commands.bury(record, reason).catch(failureOf),
  });
}
