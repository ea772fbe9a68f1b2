import { agoText } from '../ui/time.ts';
import { kindOf, takesAlerts } from './integration.ts';
import type { LastTraffic, Traffic } from './queries.ts';

/** When an integration was last used, as its row in the list says it; undefined where it takes no alerts. */
export function trafficNote(
  type: string,
  { lastAlertAt, lastRefusal }: Partial<LastTraffic>,
  now: number,
): string | undefined {
  if (!takesAlerts(kindOf(type))) return undefined;
  const ago = (at: string): string => agoText(Date.parse(at), now);
  const alert = lastAlertAt === undefined ? 'no alert yet' : `last alert ${ago(lastAlertAt)}`;
  return lastRefusal === undefined
    ? alert
    : `${alert} · last refused ${ago(lastRefusal.at)}: ${refusalText(lastRefusal.status)}`;
}

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'the request was not valid',
  403: 'its key lacks the right',
  404: 'what it named does not exist',
  409: 'it conflicted with what exists',
  413: 'the request was too large',
  415: 'the body was not JSON',
  422: 'the request was not valid',
  429: 'its rate was over the limit',
};

/** Why a request was refused, as far as the status of its answer says. */
export const refusalText = (status: number): string =>
  `${REFUSALS[status] ?? (status >= 500 ? 'the server could not answer' : 'the request was refused')} (${status})`;

const HOUR_MS = 3_600_000;

/** Alerts and refused requests of the hours that begin at `since` or later. */
function countsSince({ hours }: Pick<Traffic, 'hours'>, since: number): { alerts: number; refused: number } {
  const counted = hours.filter(({ from }) => Date.parse(from) >= since);
  return {
    alerts: counted.reduce((sum, { alerts }) => sum + alerts, 0),
    refused: counted.reduce((sum, { refused }) => sum + refused, 0),
  };
}

const times = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** How much an integration was used in this hour, the last 24 hours and the last 7 days, at `now`. */
export function trafficCounts(traffic: Pick<Traffic, 'hours'>, now: number): readonly (readonly [string, string])[] {
  const hour = now - (now % HOUR_MS);
  const text = (hoursBefore: number): string => {
    const { alerts, refused } = countsSince(traffic, hour - hoursBefore * HOUR_MS);
    return `${times(alerts, 'alert', 'alerts')}, ${times(refused, 'request', 'requests')} refused`;
  };
  return [
    ['In this hour', text(0)],
    ['In 24 hours', text(23)],
    ['In 7 days', text(167)],
  ];
}
