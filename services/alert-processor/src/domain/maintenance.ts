import type { MaintenanceBody, MaintenanceRule, MaintenanceTime, MaintenanceType } from '@tocsin/contracts';
import { abbreviated } from '@tocsin/rules';

/** A window in which integrations are silent, or policies are switched (part 1, 2.7; P9, P14). */
export interface Maintenance {
  readonly id: string;
  readonly createdAt: Date;
  readonly description: string;
  /** The team whose key wrote its rules; the account's where undefined (K4). They count for what is that team's alone. */
  readonly teamId: string | undefined;
  readonly type: MaintenanceType;
  /** Inclusive. */
  readonly startsAt: Date;
  /** Exclusive; undefined where it lasts until it is cancelled. */
  readonly endsAt: Date | undefined;
  readonly cancelledAt: Date | undefined;
  /** Nobody sees it any more. It is kept for commands that were accepted before. */
  readonly deletedAt: Date | undefined;
  readonly rules: readonly MaintenanceRule[];
}

const LONGEST_DESCRIPTION = 100;

/** How the log and a status call a window, such as `[Upgrade]`: by its description, or its id where it has none. */
export function maintenanceLabel({ id, description }: Pick<Maintenance, 'id' | 'description'>): string {
  return `[${description === '' ? id : abbreviated(description, LONGEST_DESCRIPTION)}]`;
}

/** From when on it governs nothing any more, by its end, its cancellation or its deletion (P9): in milliseconds, infinite where none is known. */
export function overAtMs({ endsAt, cancelledAt, deletedAt }: Maintenance): number {
  const [end, cancellation, deletion] = [endsAt, cancelledAt, deletedAt].map((instant) => instant?.getTime());
  return Math.min(end ?? Infinity, cancellation ?? Infinity, deletion ?? Infinity);
}

/** What a window is for whoever reads it (part 1, 2.7; P9). */
export type MaintenanceStatus = 'planned' | 'active' | 'past' | 'cancelled';

/** The status at `at`: from time and cancellation alone. An active window is in force, and no other is. */
export function maintenanceStatus(
  { startsAt, endsAt, cancelledAt }: Pick<Maintenance, 'startsAt' | 'endsAt' | 'cancelledAt'>,
  at: Date,
): MaintenanceStatus {
  if (cancelledAt !== undefined) return 'cancelled';
  if (at < startsAt) return 'planned';
  return endsAt === undefined || at < endsAt ? 'active' : 'past';
}

const MINUTE_MS = 60_000;

/** How long the types last that begin when they are written; undefined where until they are cancelled. */
const LASTING_MS: Readonly<Record<Exclude<MaintenanceType, 'schedule'>, number | undefined>> = {
  'for-5-minutes': 5 * MINUTE_MS,
  'for-30-minutes': 30 * MINUTE_MS,
  'for-1-hour': 60 * MINUTE_MS,
  indefinitely: undefined,
};

/** From when to when a window lasts whose time is written at `now`. */
export function lastingOf(time: MaintenanceTime, now: Date): Pick<Maintenance, 'type' | 'startsAt' | 'endsAt'> {
  if (time.type === 'schedule') return { type: time.type, startsAt: time.startDate, endsAt: time.endDate };
  const lastingMs = LASTING_MS[time.type];
  const endsAt = lastingMs === undefined ? undefined : new Date(now.getTime() + lastingMs);
  return { type: time.type, startsAt: now, endsAt };
}

/** Why a window stays as it is, in words for the caller; of the field where that is wrong. */
export interface Refused {
  readonly refused: string;
  readonly field?: string;
}

/** The window with what `body` says in place of all that it said before: of a planned one only (P9). */
export function replaced(maintenance: Maintenance, body: MaintenanceBody, now: Date): Maintenance | Refused {
  const { description, rules, time } = body;
  const status = maintenanceStatus(maintenance, now);
  if (status === 'planned') return { ...maintenance, description, rules, ...lastingOf(time, now) };
  const instead = status === 'active' ? ' Its end date can be changed.' : '';
  return { refused: `Only a planned maintenance can be updated, and this one is ${status}.${instead}` };
}

/** The window with another end, and so a schedule from its start to there: of an active one only (P9). */
export function endingAt(maintenance: Maintenance, endsAt: Date, now: Date): Maintenance | Refused {
  const status = maintenanceStatus(maintenance, now);
  if (status !== 'active')
    return { refused: `Only the end date of an active maintenance can be changed, and this one is ${status}.` };
  if (endsAt <= now) return { refused: 'should be in the future', field: 'endDate' };
  return { ...maintenance, type: 'schedule', endsAt };
}

/** The window that ends now, or never begins: of a planned or active one only (P9). */
export function cancelled(maintenance: Maintenance, now: Date): Maintenance | Refused {
  const status = maintenanceStatus(maintenance, now);
  if (status === 'planned' || status === 'active') return { ...maintenance, cancelledAt: now };
  return { refused: `Only a planned or active maintenance can be cancelled, and this one is ${status}.` };
}

/** From when on the window is kept only for commands that were accepted inside of it; undefined while it is shown for itself. */
export function endedByHandAt({ cancelledAt, deletedAt }: Maintenance): Date | undefined {
  return cancelledAt ?? deletedAt;
}
