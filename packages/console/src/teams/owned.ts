import type { Answer } from '../api/answer.ts';

/** Something that a team owns, as its page lists it. */
export interface Owned {
  readonly key: string;
  readonly name: string;
  /** The page of it; undefined where the console has none. */
  readonly path?: string;
  readonly note?: string;
}

/** What a team owns of what the account has. */
export const ownedBy = <T extends { readonly ownerTeam?: { readonly id: string } | undefined }>(
  teamId: string,
  all: readonly T[],
): readonly T[] => all.filter(({ ownerTeam }) => ownerTeam?.id === teamId);

type Rule = Pick<Answer<'list-routing-rules'>['data'][number], 'isDefault' | 'notify'>;

/** Where a routing rule leads to. */
export function ruleNote({ isDefault, notify }: Rule): string {
  const rest = isDefault ? 'all other alerts ' : '';
  if (notify.type === 'none') return `${rest}to no one`;
  return `${rest}to ${notify.type} ${notify.name ?? 'that was deleted'}`;
}

type Heartbeat = Pick<Answer<'list-heartbeats'>['data']['heartbeats'][number], 'enabled' | 'expired' | 'lastPingTime'>;

/** How a heartbeat is at present. */
export function heartbeatNote({ enabled, expired, lastPingTime }: Heartbeat): string {
  if (!enabled) return 'disabled';
  if (lastPingTime === undefined) return 'no ping yet';
  return expired ? 'expired' : 'its pings come';
}
