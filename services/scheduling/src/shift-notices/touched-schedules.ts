import { applyChange, type Change, type Configuration } from '../configuration/configuration.ts';
import { mayHaveShiftOf } from '../on-call/calendar-shifts.ts';

/** The ids of schedules whose final timelines a change may alter. */
export interface TouchedSchedules {
  /** Those that exist after the change. */
  readonly kept: readonly string[];
  readonly removed: readonly string[];
}

/**
 * The schedules that `change` writes, and those with a user from whom a forwarding rule that it writes forwards, directly or
 * through other rules, before or after the change.
 */
export function touchedSchedules(present: Configuration, change: Change<unknown>): TouchedSchedules {
  const { forwardingRules = {}, schedules = {} } = change;
  const removed = (schedules.removed ?? []).map(({ id }) => id);
  const kept = new Set((schedules.put ?? []).map(({ id }) => id));
  const rules = [...(forwardingRules.put ?? []), ...(forwardingRules.removed ?? [])];
  if (rules.length > 0) {
    const after = applyChange(present, change);
    // A rule that is replaced may have forwarded from another user.
    const before = rules.flatMap(({ id }) => present.forwardingRules.get(id) ?? []);
    const holders = new Set([...rules, ...before].map(({ fromUserId }) => fromUserId));
    const forwarders = new Set(
      [...holders].flatMap((userId) =>
        [present, after].flatMap(({ forwardings }) => [...forwardings.leadingTo(userId)]),
      ),
    );
    for (const schedule of after.schedules.all()) if (mayHaveShiftOf(schedule, forwarders)) kept.add(schedule.id);
  }
  return { kept: [...kept], removed };
}
