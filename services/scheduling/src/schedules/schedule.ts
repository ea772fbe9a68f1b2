import type { ScheduleState, StateMessage, TimeRestriction, Version } from '@tocsin/events';
import { WallClock } from '@tocsin/rules';
import { MINUTE_MS } from '../on-call/span.ts';
import type { Override } from './override.ts';

/** A user, or a team or an escalation to be opened. */
export interface NamedParticipant {
  readonly type: 'user' | 'team' | 'escalation';
  readonly id: string;
}

/** The holder of a turn; `none`: deliberately no user. */
export type Participant = NamedParticipant | { readonly type: 'none' };

export type RotationType = 'hourly' | 'daily' | 'weekly';

/** Participants who take turns of equal length on the wall clock of the schedule's zone (part 2, 2.5). */
export interface Rotation {
  readonly id: string;
  readonly name: string;
  readonly type: RotationType;
  /** Turns last this many hours, days or weeks. At least 1. */
  readonly length: number;
  /** Inclusive. */
  readonly startAt: Date;
  /** Exclusive. Undefined: it goes on for ever. */
  readonly endAt: Date | undefined;
  /** At least one; each may appear several times. */
  readonly participants: readonly Participant[];
  /** Turns advance outside of it, but put no participant on call (S3). */
  readonly timeRestriction: TimeRestriction | undefined;
}

/** Rotations in one time zone, and their overrides: they decide which users are on call (part 2, 2.4). */
export interface Schedule {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly timezone: string;
  readonly enabled: boolean;
  readonly ownerTeamId: string | undefined;
  readonly rotations: readonly Rotation[];
  /** In the order of their creation: where several cover an instant, the last one wins (S4). */
  readonly overrides: readonly Override[];
  readonly createdAt: Date;
  readonly version: Version;
}

/** A rotation as a caller requests it: nothing is snapped, and the name is optional. */
export interface RotationRequest extends Omit<Rotation, 'name'> {
  readonly name: string | undefined;
}

/** A rotation that can never have a turn. */
export interface EndsBeforeItStarts {
  readonly kind: 'ends-before-it-starts';
  /** Position in the list, from 0. */
  readonly index: number;
}

/**
 * The rotations of a schedule as they are kept: starts and ends on the half-hour grid, the unnamed ones called `Rot1`,
 * `Rot2`… by the first number that is free (S1). A start or end that `kept` has already stays as it is, even off the grid: the
 * zone may have changed since, and a caller who writes back what it has read must change nothing (E10).
 */
export function normalizeRotations(
  requests: readonly RotationRequest[],
  timezone: string,
  kept: readonly Pick<Rotation, 'id' | 'startAt' | 'endAt'>[] = [],
): readonly Rotation[] | EndsBeforeItStarts {
  const taken = new Set(requests.map(({ name }) => name));
  const rotations: Rotation[] = [];
  for (const [index, request] of requests.entries()) {
    const known = kept.find(({ id }) => id === request.id);
    const startAt = keptOrSnapped(request.startAt, known?.startAt, timezone);
    const endAt = request.endAt && keptOrSnapped(request.endAt, known?.endAt, timezone);
    if (endAt !== undefined && endAt <= startAt) return { kind: 'ends-before-it-starts', index };
    const name = request.name ?? firstFreeName(taken);
    taken.add(name);
    rotations.push({ ...request, name, startAt, endAt });
  }
  return rotations;
}

const keptOrSnapped = (at: Date, kept: Date | undefined, timezone: string): Date =>
  kept?.getTime() === at.getTime() ? kept : snapToHalfHour(at, timezone);

function firstFreeName(taken: ReadonlySet<string | undefined>): string {
  let number = 1;
  while (taken.has(`Rot${number}`)) number += 1;
  return `Rot${number}`;
}

/**
 * The schedule with `rotations` instead of its own. Removed rotations are also removed from overrides, and an override without a
 * rotation is removed (S14).
 */
export function withRotations(schedule: Schedule, rotations: readonly Rotation[]): Schedule {
  const keptIds = new Set(rotations.map(({ id }) => id));
  const overrides = schedule.overrides.flatMap((override) => {
    const rotationIds = override.rotationIds?.filter((id) => keptIds.has(id));
    return rotationIds?.length === 0 ? [] : [{ ...override, rotationIds }];
  });
  return { ...schedule, rotations, overrides };
}

/** The schedule without the rotation `id`, and without the overrides that named no other (S14). */
export function withoutRotation(schedule: Schedule, id: string): Schedule {
  const rotations = schedule.rotations.filter((rotation) => rotation.id !== id);
  return withRotations(schedule, rotations);
}

const HALF_HOUR_MS = 30 * MINUTE_MS;

/**
 * The full or half hour on the wall clock of `timeZone` that is nearest to `at` (S1). Seconds are dropped first; 15 and 45
 * minutes go up. An instant that is on this grid already stays the same, even within an hour that the clocks show twice.
 */
export function snapToHalfHour(at: Date, timeZone: string): Date {
  const clock = WallClock.of(timeZone);
  const shown = clock.at(at.getTime());
  const minute = Math.floor(shown / MINUTE_MS) * MINUTE_MS;
  const wall = Math.floor((minute + HALF_HOUR_MS / 2) / HALF_HOUR_MS) * HALF_HOUR_MS;
  const sameOffset = at.getTime() + (wall - shown);
  return new Date(clock.at(sameOffset) === wall ? sameOffset : clock.first(wall));
}

/** A schedule as `schedules.v1` carries it. */
export function scheduleMessage(schedule: Schedule): StateMessage<ScheduleState> {
  const { id, name, description, timezone, enabled, ownerTeamId, version } = schedule;
  const rotations = schedule.rotations.map(({ startAt, endAt, participants, timeRestriction, ...rotation }) => ({
    ...rotation,
    startDate: startAt.toISOString(),
    ...(endAt && { endDate: endAt.toISOString() }),
    participants: [...participants],
    ...(timeRestriction && { timeRestriction }),
  }));
  const state = {
    id,
    name,
    description,
    timezone,
    enabled,
    ...(ownerTeamId !== undefined && { ownerTeamId }),
    rotations,
  };
  return { id, version, deleted: false, state };
}
