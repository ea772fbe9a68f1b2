import { lengthText } from '../ui/time.ts';
import type { Heartbeat } from './queries.ts';

const MINUTE_MS = 60_000;
const UNIT_MS: Readonly<Record<Heartbeat['intervalUnit'], number>> = {
  minutes: MINUTE_MS,
  hours: 60 * MINUTE_MS,
  days: 24 * 60 * MINUTE_MS,
};

/** `new`: it never had a ping, and does not expire before its first one (H1). `overdue`: its time is over, and it has not expired yet (H2). */
export type HeartbeatState = 'expired' | 'overdue' | 'active' | 'new' | 'disabled';

type Facts = Pick<Heartbeat, 'enabled' | 'expired' | 'interval' | 'intervalUnit' | 'lastPingTime'>;

/** One interval after its last ping; undefined where it does not expire. */
export function expiryOf({ enabled, expired, interval, intervalUnit, lastPingTime }: Facts): number | undefined {
  if (!enabled || expired || lastPingTime === undefined) return undefined;
  return Date.parse(lastPingTime) + interval * UNIT_MS[intervalUnit];
}

export function stateOf(heartbeat: Facts, now: number): HeartbeatState {
  if (heartbeat.expired) return 'expired';
  if (!heartbeat.enabled) return 'disabled';
  const expiry = expiryOf(heartbeat);
  if (expiry === undefined) return 'new';
  return expiry <= now ? 'overdue' : 'active';
}

/** The state in a sentence, counted down to the second. */
export function stateText(heartbeat: Facts, now: number): string {
  const { lastPingTime } = heartbeat;
  switch (stateOf(heartbeat, now)) {
    case 'expired':
      return `Expired: no ping for ${lengthText(now - Date.parse(lastPingTime ?? ''))}.`;
    case 'disabled':
      return 'Disabled: it does not expire.';
    case 'new':
      return 'No ping yet: it does not expire before its first ping.';
    case 'overdue':
      return 'Its time is over. It expires now, or after an outage of Tocsin one interval later.';
    case 'active':
      return `Expires in ${lengthText((expiryOf(heartbeat) ?? now) - now)}.`;
  }
}

const ORDER: readonly HeartbeatState[] = ['expired', 'overdue', 'active', 'new', 'disabled'];

/** Expired ones first, then those that expire next; the same by name. */
export function inOrder(heartbeats: readonly Heartbeat[], now: number): readonly Heartbeat[] {
  const placeOf = (heartbeat: Heartbeat) => ORDER.indexOf(stateOf(heartbeat, now));
  return heartbeats.toSorted(
    (one, other) =>
      placeOf(one) - placeOf(other) ||
      (expiryOf(one) ?? 0) - (expiryOf(other) ?? 0) ||
      one.name.localeCompare(other.name),
  );
}

/** Those whose name or team has a text. */
export const found = (heartbeats: readonly Heartbeat[], text: string): readonly Heartbeat[] =>
  heartbeats.filter(({ name, ownerTeam }) =>
    `${name} ${ownerTeam?.name ?? ''}`.toLowerCase().includes(text.trim().toLowerCase()),
  );

/** Such as `every 5 minutes`. */
export const intervalText = ({ interval, intervalUnit }: Pick<Heartbeat, 'interval' | 'intervalUnit'>): string =>
  interval === 1 ? `every ${intervalUnit.replace(/s$/, '')}` : `every ${interval} ${intervalUnit}`;

/** A command that pings a heartbeat; the key is to be filled in. */
export const pingCommand = (origin: string, name: string): string =>
  [
    `curl -X POST '${origin}/v2/heartbeats/${encodeURIComponent(name).replaceAll("'", '%27')}/ping'`,
    "-H 'Authorization: GenieKey YOUR-KEY'",
  ].join(' \\\n  ');
