import { ApiReadError } from '../answer.ts';
import type { Json } from '../json.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';
import { factsOf } from './history-file.ts';

/** The most that one page has. */
export const ALERTS_OF_PAGE = 100;
/** The API lists no further than this item of a list. */
export const MAX_LISTED = 20_000;

interface Start {
  /** Epoch milliseconds of the creation. */
  readonly fromMs: number;
  /** Alerts to leave out. */
  readonly known?: ReadonlySet<string>;
  /** What else the alerts have to be, such as `status: open`. */
  readonly condition?: string;
}

/**
 * The alerts that were created since, page by page, each alert once, in the order of their creation. Each page begins with the last alert
 * of the page before, so that no deletion moves an alert out of sight and the limit of 20 000 items is not reached.
 *
 * @throws ApiReadError as the client; where more than 20 000 alerts were created in one millisecond.
 */
export async function* oldestFirst(
  client: OpsgenieClient,
  { condition, fromMs, known }: Start,
): AsyncGenerator<readonly Json[]> {
  const always = known ?? new Set<string>();
  const and = condition === undefined ? '' : `${condition} AND `;
  let [seen, since] = [always, fromMs];
  for (let offset = 0; ;) {
    const page = await client.list('/v2/alerts', {
      ...{ query: `${and}createdAt >= ${since}`, sort: 'createdAt', order: 'asc', limit: ALERTS_OF_PAGE },
      ...(offset > 0 && { offset }),
    });
    const ids = page.map((alert) => factsOf(alert).id);
    yield page.filter((_, at) => !seen.has(ids[at] ?? ''));
    if (page.length < ALERTS_OF_PAGE) return;
    const lastMs = Math.max(...page.map((alert) => factsOf(alert).atMs));
    if (lastMs > since) [seen, since, offset] = [new Set([...always, ...ids]), lastMs, 0];
    else [seen, offset] = [new Set([...seen, ...ids]), offset + ALERTS_OF_PAGE];
    if (offset + ALERTS_OF_PAGE > MAX_LISTED)
      throw new ApiReadError('answer', `More than ${MAX_LISTED} alerts were created at ${since}.`);
  }
}
