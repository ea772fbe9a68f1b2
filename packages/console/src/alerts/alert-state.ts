import { lengthText } from '../ui/time.ts';
import type { AlertItem } from './queries.ts';

/** The state of an alert in words. */
export function stateText(
  {
    acknowledged,
    snoozed,
    snoozedUntil,
    status,
  }: Pick<AlertItem, 'acknowledged' | 'snoozed' | 'snoozedUntil' | 'status'>,
  now: number,
): string {
  if (status === 'closed') return 'closed';
  if (snoozed && snoozedUntil !== undefined) return `snoozed for ${lengthText(Date.parse(snoozedUntil) - now)}`;
  return acknowledged ? 'acknowledged' : 'open';
}

/** The searches that the page offers. */
export function savedViews(username: string): readonly { readonly name: string; readonly query: string }[] {
  return [
    { name: 'Open', query: OPEN },
    { name: 'Mine', query: `${OPEN} AND owner:"${username.replaceAll('"', '')}"` },
    { name: 'All', query: '' },
  ];
}

/** The search that the page begins with. */
export const OPEN = 'status:open';
