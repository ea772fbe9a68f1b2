import type { Alert } from '@tocsin/alert-processor/search-app';
import { PRIORITIES, wordAt } from './search-words.ts';

/** How many of each thing the alerts of the search bench speak of. */
export const VARIETY = { teams: 20, tags: 500, entities: 200, hosts: 2_000, users: 50, words: 5_000 } as const;

const DAY_MS = 86_400_000;
const DAYS = 365;
const BEGINS_AT = Date.UTC(2025, 0, 1);
const OPEN_SHARE = 0.1;

/** The same numbers for the same alert in every run: mulberry32. */
function chance(seed: number): () => number {
  let state = (seed * 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Few are frequent and many are rare: the first of `among` comes far more often than the last. */
const skewed = (random: () => number, among: number): number => Math.floor(among ** random()) - 1;
const evenly = (random: () => number, among: number): number => Math.floor(random() * among);

const text = (random: () => number, words: number): string =>
  Array.from({ length: words }, () => wordAt(skewed(random, VARIETY.words))).join(' ');

export const teamId = (index: number): string => `7e4a0000-0000-4000-8000-${index.toString().padStart(12, '0')}`;
export const tagAt = (index: number): string => `tag-${index}`;
export const entityAt = (index: number): string => `db-${index}.example.com`;
export const hostAt = (index: number): string => `host-${index}`;
export const userAt = (index: number): string => `user-${index}@example.com`;
export const alertIdAt = (index: number): string =>
  `a1e70000-0000-4000-8000-${index.toString().padStart(12, '0')}-${index}`;

/** The alert of a number among `count`, the first one the oldest: a year of alerts, of which one in ten is open. */
export function searchAlert(index: number, count: number): Alert {
  const random = chance(index + 1);
  const createdAt = new Date(BEGINS_AT + Math.floor((index / count) * DAYS * DAY_MS));
  const open = random() < OPEN_SHARE;
  const acknowledged = random() < 0.3;
  const owner = acknowledged ? userAt(evenly(random, VARIETY.users)) : '';
  const changedAt = new Date(createdAt.getTime() + Math.floor(random() * DAY_MS));
  const minutes = changedAt.getTime() - createdAt.getTime();
  return {
    id: alertIdAt(index),
    tinyId: index + 1,
    alias: `check-${index % 7_919}-${index}`,
    status: open ? 'open' : 'closed',
    acknowledged,
    seen: acknowledged,
    snoozed: false,
    snoozedUntil: undefined,
    count: 1 + skewed(random, 50),
    owner,
    message: text(random, 7),
    description: text(random, 15),
    source: `monitor-${evenly(random, 10)}`,
    entity: entityAt(evenly(random, VARIETY.entities)),
    priority: PRIORITIES[evenly(random, 5)] ?? 'P3',
    tags: [...new Set([0, 1, 2].map(() => tagAt(skewed(random, VARIETY.tags))))],
    actions: [],
    details: {
      host: hostAt(evenly(random, VARIETY.hosts)),
      region: `region-${evenly(random, 5)}`,
      build: String(index),
    },
    responders: [{ type: 'team', id: teamId(evenly(random, VARIETY.teams)) }],
    visibleTo: [],
    unresolved: undefined,
    ownerTeamId: undefined,
    integration: { id: 'integration-1', name: 'Default API', type: 'API' },
    report: {
      ...(acknowledged && { ackTimeMs: minutes, acknowledgedBy: owner }),
      ...(!open && { closeTimeMs: minutes, closedBy: userAt(evenly(random, VARIETY.users)) }),
    },
    createdAt,
    updatedAt: changedAt,
    lastOccurredAt: createdAt,
    flowStartedAt: createdAt,
    flow: { responders: 1 },
    cycle: 1,
    notifications: { kind: 'active' },
    version: 2,
    hold: undefined,
    autoClose: undefined,
    autoRestart: undefined,
    lastPosition: undefined,
  };
}
