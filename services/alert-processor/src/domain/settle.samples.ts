import type { AlertCommand } from '@tocsin/contracts';
import { settleCommands, type Changes, type Means, type World } from './settle.ts';

/** Everybody is known. */
export const MEANS: Means = {
  resolve: ({ id, name }) => ({ kind: 'known', id: id ?? `id-of-${name ?? ''}`, name: '' }),
  firstTinyId: 1,
  processedAt: new Date('2026-01-05T08:00:00.050Z'),
};
/** No alert, and nothing has settled. */
export const EMPTY: World = { settled: new Set(), alerts: [] };

export const settle = (commands: readonly AlertCommand[], world = EMPTY, means = MEANS): Changes =>
  settleCommands(commands, world, means);

/** The world after `changes`, as the next batch finds it. */
export function after(world: World, { inserted, updated, statuses }: Changes): World {
  const alerts = new Map(world.alerts.map((alert) => [alert.id, alert]));
  for (const alert of [...updated, ...inserted]) alerts.set(alert.id, alert);
  return {
    settled: new Set([...world.settled, ...statuses.map(({ requestId }) => requestId)]),
    alerts: [...alerts.values()],
  };
}

/** The one item that there is. @throws Error where there are none or several. */
export function only<T>(items: readonly T[]): T {
  if (items.length !== 1) throw new Error(`there are ${String(items.length)} items, not one`);
  return items[0] as T;
}
