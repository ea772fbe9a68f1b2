import type { MaintenanceBody, MaintenanceRule, MaintenanceTime, MaintenanceType } from '@tocsin/contracts';
import { abbreviated } from '@tocsin/rules';

/** A window that silences integrations, or switches policies on or off (part 1, 2.7; P9, P14). */
export interface Maintenance {
  readonly id: string;
  readonly createdAt: Date;
  readonly description: string;
  /** The team whose key wrote its rules, which affect only what the team owns; undefined means the account (K4). */
  readonly teamId: string | undefined;
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

const LONGEST_DESCRIPTION = 100;

/** The label of a window in logs and statuses, such as `[Upgrade]`: its description, or its id if that is empty. */
export function maintenanceLabel({ id, description }: Pick<Maintenance, 'id' | 'description'>): string {
  return `[${description === '' ? id : abbreviated(description, LONGEST_DESCRIPTION)}]`;
}

/** When it ceases to be in force: at its end, cancellation or deletion (P9). Epoch milliseconds, or Infinity. */
export function overAtMs({ endsAt, cancelledAt, deletedAt }: Maintenance): number {
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
