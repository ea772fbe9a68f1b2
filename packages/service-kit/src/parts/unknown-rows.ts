import type { ServiceContext } from '../context.ts';
import { everySeconds } from '../every.ts';

const COUNT_EVERY_SECONDS = 30;

/**
 * Measures how many rows of `collection` wait for a newer release, by kind, and logs a warning when a kind is new. `count`
 * returns kind -> rows, without kinds that have no rows.
 */
export async function watchUnknownRows(
  context: Pick<ServiceContext, 'clock' | 'lifecycle' | 'logger' | 'metrics'>,
  collection: string,
  count: () => Promise<ReadonlyMap<string, number>>,
): Promise<void> {
  const { logger, metrics } = context;
  let shown: ReadonlyMap<string, number> = new Map();
  await everySeconds(context, COUNT_EVERY_SECONDS, `looking for unknown rows of ${collection}`, async () => {
    const found = await count();
    for (const kind of shown.keys()) metrics.unknownRows(collection, kind, 0);
    for (const [kind, rows] of found) metrics.unknownRows(collection, kind, rows);
    if ([...found.keys()].some((kind) => !shown.has(kind)))
      logger.warn({ collection, rows: Object.fromEntries(found) }, 'rows wait for a newer release that knows them');
    shown = found;
  });
}
