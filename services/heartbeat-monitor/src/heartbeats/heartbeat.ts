import type { IntervalUnit } from '@tocsin/api';
import { UnavailableError } from '@tocsin/core';
import type { Priority } from '@tocsin/events';
import type { Outage } from './outage.ts';

/** The integration whose key created a heartbeat: its alerts carry it (H4), and its team is the scope of their alias (A16). */
interface CreatedBy {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly ownerTeamId: string | undefined;
}

/** A system that is expected to ping at least once in each interval (part 1, 2.6; wire facts 5). */
export interface Heartbeat {
  /** A UUID; a heartbeat that is created again under an old name has another one. */
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly description: string;
  readonly interval: number;
  readonly intervalUnit: IntervalUnit;
  readonly enabled: boolean;
  readonly ownerTeamId: string | undefined;
  readonly alertMessage: string | undefined;
  readonly alertTags: readonly string[];
  readonly alertPriority: Priority | undefined;
  readonly createdBy: CreatedBy;
  readonly lastPingAt: Date | undefined;
  /** From this instant on (inclusive) it is expired unless a ping comes first. Only while it is enabled, from its first ping on. */
  readonly expiresAt: Date | undefined;
  /** When the task next checks whether it expires: at `expiresAt` or, after an outage of Tocsin, later. Present as `expiresAt` is. */
  readonly nextDueAt: Date | undefined;
  /** How often its alert was opened or closed so far: odd while it is expired. */
  readonly step: number;
  /** When its alert was last opened or closed. */
  readonly steppedAt: Date | undefined;
}

/** The fields that a PATCH may change; undefined ones stay. */
export interface HeartbeatChange {
  readonly description?: string | undefined;
  readonly interval?: number | undefined;
  readonly intervalUnit?: IntervalUnit | undefined;
  readonly enabled?: boolean | undefined;
  readonly ownerTeamId?: string | undefined;
  readonly alertMessage?: string | undefined;
  readonly alertTags?: readonly string[] | undefined;
  readonly alertPriority?: Priority | undefined;
}

const MS_OF: Readonly<Record<IntervalUnit, number>> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** The interval in milliseconds. */
export const intervalMsOf = ({ interval, intervalUnit }: Pick<Heartbeat, 'interval' | 'intervalUnit'>): number =>
  interval * MS_OF[intervalUnit];

/** Whether it was silent for too long, and its alert is open. */
export const isExpired = ({ step }: Pick<Heartbeat, 'step'>): boolean => step % 2 === 1;

const after = (heartbeat: Heartbeat, at: Date): Date => new Date(at.getTime() + intervalMsOf(heartbeat));

const later = (one: Date | undefined, other: Date): Date => (one !== undefined && one >= other ? one : other);

function nextStep(heartbeat: Heartbeat, at: Date): Heartbeat {
  return { ...heartbeat, step: heartbeat.step + 1, steppedAt: at };
}

const expiryAt = (instant: Date | undefined) => ({ expiresAt: instant, nextDueAt: instant });

const closed = (heartbeat: Heartbeat, at: Date): Heartbeat =>
  isExpired(heartbeat) ? nextStep(heartbeat, at) : heartbeat;

/**
 * After a ping at `at` (H1). A disabled one stays as it is (H2), and so does one that was pinged then or later: of
 * two pings the later counts, in whatever order they come.
 */
export function applyPing(heartbeat: Heartbeat, at: Date): Heartbeat {
  const { enabled, expiresAt, lastPingAt, nextDueAt } = heartbeat;
  if (!enabled || (lastPingAt !== undefined && lastPingAt >= at)) return heartbeat;
  const until = after(heartbeat, at);
  return {
    ...closed(heartbeat, at),
    lastPingAt: at,
    expiresAt: later(expiresAt, until),
    nextDueAt: later(nextDueAt, until),
  };
}

/** Enabling counts as a ping at `at`, whatever it was before (H3). */
export function applyEnable(heartbeat: Heartbeat, at: Date): Heartbeat {
  return { ...closed(heartbeat, at), enabled: true, lastPingAt: at, ...expiryAt(after(heartbeat, at)) };
}

/** It does not expire any more, and its alert is closed (H4). So is the alert of one that is deleted. */
export function applyDisable(heartbeat: Heartbeat, at: Date): Heartbeat {
  return { ...closed(heartbeat, at), enabled: false, ...expiryAt(undefined) };
}

/**
 * After silence until `now`, with `outages` of Tocsin, the latest last (H1, H2). One that an outage puts off is due later, and one
 * that is not due stays as it is.
 */
export function applyExpiry(heartbeat: Heartbeat, now: Date, outages: readonly Outage[]): Heartbeat {
  const dueAt = dueAtOf(heartbeat, outages);
  if (dueAt === undefined) return heartbeat;
  if (dueAt <= now) return { ...nextStep(heartbeat, dueAt), ...expiryAt(undefined) };
  return later(heartbeat.nextDueAt, dueAt) === heartbeat.nextDueAt ? heartbeat : { ...heartbeat, nextDueAt: dueAt };
}

/**
 * When it expires: one interval after the last outage of Tocsin ended (H2). Outages that come more often than that do not put it off for
 * ever: it expires at the latest when Tocsin has accepted pings for one whole interval since `expiresAt`.
 */
export function dueAtOf(heartbeat: Heartbeat, outages: readonly Outage[]): Date | undefined {
  const { expiresAt } = heartbeat;
  const last = outages.at(-1);
  if (expiresAt === undefined || last === undefined) return expiresAt;
  const lostMs = outages.reduce(
    (sum, { from, to }) => sum + Math.max(0, Number(to) - Number(later(from, expiresAt))),
    0,
  );
  const afterAll = after(heartbeat, new Date(expiresAt.getTime() + lostMs));
  const afterLast = after(heartbeat, last.to);
  return later(expiresAt, afterLast < afterAll ? afterLast : afterAll);
}

/**
 * After a PATCH at `at`. One that names the interval or its unit begins a new one, if the heartbeat was ever pinged (H2);
 * `enabled` means what enabling and disabling mean.
 */
export function applyChange(heartbeat: Heartbeat, change: HeartbeatChange, at: Date): Heartbeat {
  const { enabled: wanted, ...rest } = change;
  const named = Object.entries(rest).filter(([, value]) => value !== undefined);
  const next: Heartbeat = { ...heartbeat, ...Object.fromEntries(named) };
  if (wanted !== undefined) return wanted ? applyEnable(next, at) : applyDisable(next, at);
  const restarts = rest.interval !== undefined || rest.intervalUnit !== undefined;
  if (!restarts || !next.enabled || next.lastPingAt === undefined) return next;
  return { ...closed(next, at), ...expiryAt(after(next, at)) };
}

/** What callers write of a heartbeat besides its name. */
export type HeartbeatContent = Pick<Heartbeat, keyof HeartbeatChange>;

/**
 * After a write at `at` of all that callers write. What is the same stays, the last ping and the expiry too. Another interval is as in a
 * PATCH, and another `enabled` is enabling or disabling (H2, H3).
 */
export function applyContent(heartbeat: Heartbeat, content: HeartbeatContent, at: Date): Heartbeat {
  const { alertMessage, alertPriority, alertTags, description, enabled, interval, intervalUnit, ownerTeamId } = content;
  const rest = { alertMessage, alertPriority, alertTags, description, interval, intervalUnit, ownerTeamId };
  const next: Heartbeat = { ...heartbeat, ...rest };
  const isSameInterval = intervalMsOf(next) === intervalMsOf(heartbeat);
  const change = {
    interval: isSameInterval ? undefined : interval,
    enabled: enabled === heartbeat.enabled ? undefined : enabled,
  };
  return applyChange(next, change, at);
}

/** Other changes of the same heartbeat were written first, again and again. The database is there. */
export class ContendedError extends UnavailableError {}
