import type { AlertCommand, CommandTrial, CommandTrialAnswer, TriedCommand } from '@tocsin/events';
import { modifiedCommands } from '../policies/apply-operations.ts';
import { maySee, type Alert } from './alert.ts';
import { applyCommands, type StoredState } from './apply-commands.ts';
import type { CommandBatches } from './consumer.ts';

export interface CommandTrialsPorts {
  readonly batches: Pick<CommandBatches, 'prepareTrial'>;
  /** Reads the state on which commands are decided. */
  readonly read: (commands: readonly AlertCommand[]) => Promise<StoredState>;
}

/** Says what commands would come to, by the functions that process commands. Writes nothing (Q5). */
export class CommandTrials {
  readonly #ports: CommandTrialsPorts;

  constructor(ports: CommandTrialsPorts) {
    this.#ports = ports;
  }

  /** @throws UnavailableError when the database is unavailable. */
  async try({ commands, teamId }: CommandTrial): Promise<CommandTrialAnswer> {
    const prepared = await this.#ports.batches.prepareTrial(commands);
    const modified = modifiedCommands(commands, prepared.policyResults);
    const stored = await this.#ports.read(modified);
    const { hookItems, statuses } = applyCommands(modified, stored, prepared);
    const statusOf = new Map(statuses.map(({ requestId, status }) => [requestId, status]));
    const visible = new Map(stored.alerts.filter((alert) => maySee(alert, teamId)).map((alert) => [alert.id, alert]));
    return {
      commands: hookItems.map(({ alertId = '', outcome, requestId }) => {
        const alert = visible.get(alertId);
        const status = statusOf.get(requestId) ?? '';
        return { requestId, outcome, status, ...(alert !== undefined && { alert: shown(alert) }) };
      }),
    };
  }
}

const shown = ({ acknowledged, id, priority, status, tinyId }: Alert): TriedCommand['alert'] => ({
  id,
  tinyId: String(tinyId),
  status,
  acknowledged,
  priority,
});
