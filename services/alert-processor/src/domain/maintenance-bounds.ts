import { TOPIC_DAYS } from '@tocsin/contracts';
import { overAtMs, type Maintenance } from './maintenance.ts';

/** The most windows that the account, or one team, may have; every process that judges holds all of them. */
export const MOST_WINDOWS = 5_000;
/** The most rules that these may have together. */
export const MOST_RULES = 50_000;

const KEPT_MS = TOPIC_DAYS * 86_400_000;

/**
 * The windows of `kept` to delete so that `wanted` fits: windows of the same owner that were over so long ago that no
 * command of their time can still come. The earliest go first, and no more than needed. Undefined if all of them make
 * too little room. A replacement with no more rules than before always fits, so that every window can be ended.
 */
export function makingRoom(
  kept: readonly Maintenance[],
  wanted: Maintenance,
  now: Date,
): readonly Maintenance[] | undefined {
  const own = kept.filter(({ teamId }) => teamId === wanted.teamId);
  const others = own.filter(({ id }) => id !== wanted.id);
  const replaced = own.find(({ id }) => id === wanted.id);
  if (replaced !== undefined && replaced.rules.length >= wanted.rules.length) return [];
  let windows = others.length + 1;
  let rules = others.reduce((sum, other) => sum + other.rules.length, wanted.rules.length);
  const fits = () => windows <= MOST_WINDOWS && rules <= MOST_RULES;
  if (fits()) return [];
  const removed: Maintenance[] = [];
  const over = others.filter((other) => overAtMs(other) <= now.getTime() - KEPT_MS);
  for (const other of over.sort((a, b) => overAtMs(a) - overAtMs(b))) {
    removed.push(other);
    windows -= 1;
    rules -= other.rules.length;
    if (fits()) return removed;
  }
  return undefined;
}
