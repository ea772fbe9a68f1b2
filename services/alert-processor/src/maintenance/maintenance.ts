import type { MaintenanceBody, MaintenanceRule, MaintenanceTime, MaintenanceType } from '@tocsin/api';
import { TOPIC_DAYS } from '@tocsin/events';
import { abbreviated } from '@tocsin/rules';

/** A window that silences integrations, or switches policies on or off (part 1, 2.7; P9). */
export interface Maintenance {
  readonly id: string;
  readonly createdAt: Date;
  readonly description: string;
  /** The team whose key wrote its rules, which affect only what the team owns; undefined means the account (K4). */
  readonly teamId: string | undefined;
  /** The key or the person that wrote its rules, as limits name them; undefined of windows from before there was this limit. */
  readonly madeBy: string | undefined;
  readonly type: MaintenanceType;
  /** Inclusive. */
  readonly startsAt: Date;
  /** Exclusive; undefined if it lasts until it is cancelled. */
  readonly endsAt: Date | undefined;
  readonly cancelledAt: Date | undefined;
  /** Set once callers do not see it any more. It is kept for commands that were accepted before. */
  readonly deletedAt: Date | undefined;
  readonly rules: readonly MaintenanceRule[];
}

const MAX_DESCRIPTION_LENGTH = 100;

/** The label of a window in logs and statuses, such as `[Upgrade]`: its description, or its id if that is empty. */
export function maintenanceLabel({ id, description }: Pick<Maintenance, 'id' | 'description'>): string {
  return `[${description === '' ? id : abbreviated(description, MAX_DESCRIPTION_LENGTH)}]`;
}

/** When it ceases to be in force: at its end, cancellation or deletion (P9). Epoch milliseconds, or Infinity. */
function overAtMs({ endsAt, cancelledAt, deletedAt }: Maintenance): number {
  const [end, cancellation, deletion] = [endsAt, cancelledAt, deletedAt].map((instant) => instant?.getTime());
  return Math.min(end ?? Infinity, cancellation ?? Infinity, deletion ?? Infinity);
}

/** The status of a window, as callers see it (part 1, 2.7; P9). */
export type MaintenanceStatus = 'planned' | 'active' | 'past' | 'cancelled';

/** The status at `at`, from time and cancellation alone. Exactly the active windows are in force. */
export function maintenanceStatus(
  { startsAt, endsAt, cancelledAt }: Pick<Maintenance, 'startsAt' | 'endsAt' | 'cancelledAt'>,
  at: Date,
): MaintenanceStatus {
  if (cancelledAt !== undefined) return 'cancelled';
  if (at < startsAt) return 'planned';
  return endsAt === undefined || at < endsAt ? 'active' : 'past';
}

const MINUTE_MS = 60_000;

/** The durations of the types that start when they are written; undefined: until cancelled. */
const LASTING_MS: Readonly<Record<Exclude<MaintenanceType, 'schedule'>, number | undefined>> = {
  'for-5-minutes': 5 * MINUTE_MS,
  'for-30-minutes': 30 * MINUTE_MS,
  'for-1-hour': 60 * MINUTE_MS,
  indefinitely: undefined,
};

/** The start and end of a window whose time is written at `now`. */
export function lastingOf(time: MaintenanceTime, now: Date): Pick<Maintenance, 'type' | 'startsAt' | 'endsAt'> {
  if (time.type === 'schedule') return { type: time.type, startsAt: time.startDate, endsAt: time.endDate };
  const lastingMs = LASTING_MS[time.type];
  const endsAt = lastingMs === undefined ? undefined : new Date(now.getTime() + lastingMs);
  return { type: time.type, startsAt: now, endsAt };
}

/** Why a window stays as it is, in words for the caller; `field` names the wrong field, if it was one. */
export interface Refused {
  readonly refused: string;
  readonly field?: string;
}

/** The window, replaced as a whole by `body`; planned windows only (P9). */
export function replaced(maintenance: Maintenance, body: MaintenanceBody, now: Date): Maintenance | Refused {
  const { description, rules, time } = body;
  const status = maintenanceStatus(maintenance, now);
  if (status === 'planned') return { ...maintenance, description, rules, ...lastingOf(time, now) };
  const instead = status === 'active' ? ' Its end date can be changed.' : '';
  return { refused: `Only a planned maintenance can be updated, and this one is ${status}.${instead}` };
}

/**
 * The window as an import describes it: the same value where nothing differs, also where it was cancelled here. It is replaced as {@link replaced}
 * says; of an active one the end may differ.
 */
export function reimported(maintenance: Maintenance, body: MaintenanceBody, now: Date): Maintenance | Refused {
  const { description, rules, time } = body;
  const { type, startsAt, endsAt } = lastingOf(time, maintenance.startsAt);
  if (!isSame({ description, rules, type, startsAt }, maintenance)) return replaced(maintenance, body, now);
  if (endsAt?.getTime() === maintenance.endsAt?.getTime()) return maintenance;
  if (endsAt === undefined || maintenanceStatus(maintenance, now) !== 'active') return replaced(maintenance, body, now);
  return endingAt(maintenance, endsAt, now);
}

type BeforeItsEnd = Pick<Maintenance, 'description' | 'rules' | 'type' | 'startsAt'>;

const isSame = (one: BeforeItsEnd, other: BeforeItsEnd): boolean =>
  one.description === other.description &&
  one.type === other.type &&
  one.startsAt.getTime() === other.startsAt.getTime() &&
  JSON.stringify(one.rules) === JSON.stringify(other.rules);

/** The window with another end, so of type `schedule`; active windows only (P9). */
export function endingAt(maintenance: Maintenance, endsAt: Date, now: Date): Maintenance | Refused {
  const status = maintenanceStatus(maintenance, now);
  if (status !== 'active')
    return { refused: `Only the end date of an active maintenance can be changed, and this one is ${status}.` };
  if (endsAt <= now) return { refused: 'should be in the future', field: 'endDate' };
  return { ...maintenance, type: 'schedule', endsAt };
}

/** The window, cancelled at `now`; planned or active windows only (P9). */
export function cancelled(maintenance: Maintenance, now: Date): Maintenance | Refused {
  const status = maintenanceStatus(maintenance, now);
  if (status === 'planned' || status === 'active') return { ...maintenance, cancelledAt: now };
  return { refused: `Only a planned or active maintenance can be cancelled, and this one is ${status}.` };
}

/** When it was cancelled or deleted: from then on it is kept only for commands that were accepted before. */
export function endedByHandAt({ cancelledAt, deletedAt }: Maintenance): Date | undefined {
  return cancelledAt ?? deletedAt;
}

/** The most windows that the account, or one team, may have; each process holds all of them. */
export const MAX_WINDOWS = 5_000;
/** The most rules that these may have together. */
export const MAX_RULES = 50_000;
/** How much of both one key, or one person, may take. */
const SHARE_OF_MAKER = 0.5;

const KEPT_MS = TOPIC_DAYS * 86_400_000;

/**
 * The windows of `kept` to delete so that `wanted` fits into the share of its maker and the limit of its owner: windows of the same owner
 * that were over so long ago that no command of their time can still come. The earliest go first, and no more than needed. Undefined if
 * `wanted` does not fit even without all of them. A replacement with no more rules than before always fits, so that every window can be
 * ended.
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
  const ofMaker = others.filter(({ madeBy }) => madeBy === wanted.madeBy);
  const first = roomWithin(SHARE_OF_MAKER, ofMaker, wanted, now);
  if (first === undefined) return undefined;
  const rest = others.filter((other) => !first.includes(other));
  const second = roomWithin(1, rest, wanted, now);
  return second && [...first, ...second];
}

/** The windows of `others` to delete so that `wanted` fits into that share of the limits; undefined if it does not. */
function roomWithin(
  share: number,
  others: readonly Maintenance[],
  wanted: Maintenance,
  now: Date,
): readonly Maintenance[] | undefined {
  let windows = others.length + 1;
  let rules = others.reduce((sum, other) => sum + other.rules.length, wanted.rules.length);
  const fits = () => windows <= MAX_WINDOWS * share && rules <= MAX_RULES * share;
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

/** A window and the state that it gives a thing. */
interface MaintenanceOverride {
  readonly maintenance: Maintenance;
  readonly state: MaintenanceRule['state'];
}

/** An integration or a policy, and its owner team; undefined means the account. */
interface OwnedThing {
  readonly id: string;
  readonly ownerTeamId?: string | undefined;
}

/**
 * The effects of the windows in force at one instant on integrations and policies. A team's window affects only the things of the team,
 * and not those that were given to another team (K4, K8).
 */
export interface MaintenanceAt {
  /** The window that silences the integration, the one created first if several do; undefined if none does. */
  silencing(integration: OwnedThing): Maintenance | undefined;
  /**
   * The state that overrides the policy's own flag; undefined if no window does. `disabled` wins over `enabled`; of
   * several windows with the winning state, the one created first is named.
   */
  ofPolicy(policy: OwnedThing): MaintenanceOverride | undefined;
}

/** An override, prepared for a fast look-up. */
interface Ranked extends MaintenanceOverride {
  /** The lowest wins: `disabled` before `enabled`, then the order of creation. */
  readonly rank: number;
  readonly fromMs: number;
  readonly overAtMs: number;
}

type ByEntity = Readonly<Record<MaintenanceRule['entity']['type'], Map<string, Ranked[]>>>;

const compiled = new WeakMap<readonly Maintenance[], ByEntity>();

/**
 * The effects of `maintenances`, in order of creation, on a command accepted at `at` (P9). A look-up reads only the windows of its
 * thing that are not over then: the list is compiled once, not once per call.
 */
export function maintenanceAt(maintenances: readonly Maintenance[], at: Date): MaintenanceAt {
  const known = compiled.get(maintenances) ?? compile(maintenances);
  compiled.set(maintenances, known);
  return {
    silencing: (integration) => inForce(known.integration, integration, at.getTime())?.maintenance,
    ofPolicy: (policy) => inForce(known.policy, policy, at.getTime()),
  };
}

function inForce(
  known: ReadonlyMap<string, readonly Ranked[]>,
  { id, ownerTeamId }: OwnedThing,
  atMs: number,
): MaintenanceOverride | undefined {
  let best: Ranked | undefined;
  for (const one of known.get(id) ?? []) {
    if (one.overAtMs <= atMs) break;
    const { teamId } = one.maintenance;
    if (one.fromMs > atMs || (teamId !== undefined && teamId !== ownerTeamId)) continue;
    if (best === undefined || one.rank < best.rank) best = one;
  }
  return best && { maintenance: best.maintenance, state: best.state };
}

function compile(maintenances: readonly Maintenance[]): ByEntity {
  const known: ByEntity = { integration: new Map(), policy: new Map() };
  for (const [index, maintenance] of maintenances.entries()) {
    const lasting = { fromMs: maintenance.startsAt.getTime(), overAtMs: overAtMs(maintenance) };
    for (const { entity, state } of maintenance.rules) {
      const rank = state === 'disabled' ? index : maintenances.length + index;
      const ofEntity = known[entity.type].get(entity.id) ?? [];
      ofEntity.push({ maintenance, state, rank, ...lasting });
      known[entity.type].set(entity.id, ofEntity);
    }
  }
  for (const ofEntity of [...known.integration.values(), ...known.policy.values()])
    ofEntity.sort((a, b) => (a.overAtMs === b.overAtMs ? 0 : b.overAtMs - a.overAtMs));
  return known;
}
