import type { AlertCommand } from '@tocsin/events';
import { applyCommands, type Changes, type CommandContext, type StoredState } from '../alerts/apply-commands.ts';

/** Everybody is known. */
export const CONTEXT: CommandContext = {
  resolve: ({ id, name }) => ({ kind: 'known', id: id ?? `id-of-${name ?? ''}`, name: '' }),
  firstTinyId: 1,
  processedAt: new Date('2026-01-05T08:00:00.050Z'),
};
/** No alert, and nothing has been processed. */
export const EMPTY: StoredState = { processed: new Set(), alerts: [] };

export const apply = (commands: readonly AlertCommand[], stored = EMPTY, context = CONTEXT): Changes =>
  applyCommands(commands, stored, context);

/** The stored state after `changes`, as the next batch reads it. */
export function after(
  stored: StoredState,
  { inserted, updated, statuses }: Pick<Changes, 'inserted' | 'updated' | 'statuses'>,
): StoredState {
  const alerts = new Map(stored.alerts.map((alert) => [alert.id, alert]));
  for (const alert of [...updated, ...inserted]) alerts.set(alert.id, alert);
  return {
    processed: new Set([...stored.processed, ...statuses.map(({ requestId }) => requestId)]),
    alerts: [...alerts.values()],
  };
}

/** The only item. @throws Error when there are none or several. */
export function only<T>(items: readonly T[]): T {
  if (items.length !== 1) throw new Error(`there are ${String(items.length)} items, not one`);
  return items[0] as T;
}
