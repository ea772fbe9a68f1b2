import { TOPIC_DAYS } from '@tocsin/contracts';
import { overAtMs, type Maintenance } from './maintenance.ts';

/** How many windows are kept at most that the account, or one team, has made; each judge holds all of them. */
export const MOST_WINDOWS = 5_000;
/** How many rules these have together at most. */
export const MOST_RULES = 50_000;

const KEPT_MS = TOPIC_DAYS * 86_400_000;

/**
 * Those of `kept` that go so that `wanted` fits in: of the same maker, and over for so long that no command of their time can
 * come; the earliest first, and no more than needed. Undefined where all of them would make too little room. What takes the
 * place of a window with as many rules always fits, so that every window can be ended.
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
