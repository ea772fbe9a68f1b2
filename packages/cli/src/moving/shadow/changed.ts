import { type Json, textIn } from '../json.ts';
import { ALERTS_OF_PAGE, MAX_LISTED } from '../history/oldest-first.ts';
import { factsOf } from '../history/history-file.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';

/** When an alert was last changed, in epoch milliseconds; else when it was created. */
export function changedAtMs(alert: Json): number {
  const ms = Date.parse(textIn(alert, 'updatedAt') ?? '');
  return Number.isNaN(ms) ? factsOf(alert).atMs : ms;
}

export interface Changed {
  /** Each alert once, the one that was changed first first. */
  readonly alerts: readonly Json[];
  /** Whether they are all: a list goes no further than 20 000 alerts. */
  readonly isWhole: boolean;
}

/**
 * The alerts that were changed since. An alert that is changed while the list is read moves to its front, and comes with the next look;
 * one that moves back to a page that is still to be read comes twice, and counts once.
 */
export async function changedSince(client: OpsgenieClient, sinceMs: number): Promise<Changed> {
  const found = new Map<string, Json>();
  const inOrder = (): readonly Json[] =>
    [...found.values()].toSorted((one, other) => changedAtMs(one) - changedAtMs(other));
  for (let offset = 0; offset + ALERTS_OF_PAGE <= MAX_LISTED; offset += ALERTS_OF_PAGE) {
    const page = await client.list('/v2/alerts', {
      ...{ sort: 'updatedAt', order: 'desc', limit: ALERTS_OF_PAGE },
      ...(offset > 0 && { offset }),
    });
    for (const alert of page) {
      const { id } = factsOf(alert);
      if (changedAtMs(alert) >= sinceMs && !found.has(id)) found.set(id, alert);
    }
    const [last] = page.slice(-1);
    if (page.length < ALERTS_OF_PAGE || last === undefined || changedAtMs(last) < sinceMs)
      return { alerts: inOrder(), isWhole: true };
  }
  return { alerts: inOrder(), isWhole: false };
}

/** When the alert was changed that was changed last; undefined in an account without alerts. */
export async function lastChangeMs(client: OpsgenieClient): Promise<number | undefined> {
  const [last] = await client.list('/v2/alerts', { sort: 'updatedAt', order: 'desc', limit: 1 });
  return last === undefined ? undefined : changedAtMs(last);
}
