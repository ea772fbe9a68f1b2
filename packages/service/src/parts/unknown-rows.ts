import type { ServiceContext } from '../context.ts';

const COUNT_EVERY_MS = 30_000;

/**
 * Adds a task that measures how many rows of `collection` wait for a newer release, by kind, and logs a warning when a kind is
 * new. `count` returns kind -> rows, without kinds that have no rows.
 */
export function watchUnknownRows(
  { logger, metrics, tasks }: Pick<ServiceContext, 'logger' | 'metrics' | 'tasks'>,
  collection: string,
  count: () => Promise<ReadonlyMap<string, number>>,
): void {
  let shown: ReadonlyMap<string, number> = new Map();
  const activate = async (): Promise<void> => {
    const found = await count();
    for (const kind of shown.keys()) metrics.unknownRows(collection, kind, 0);
    for (const [kind, rows] of found) metrics.unknownRows(collection, kind, rows);
    if ([...found.keys()].some((kind) => !shown.has(kind)))
      logger.warn({ collection, rows: Object.fromEntries(found) }, 'Rows wait for a newer release that knows them.');
    shown = found;
  };
  tasks.add({ name: `unknown-rows-${collection}`, everyMs: COUNT_EVERY_MS, activate });
}
