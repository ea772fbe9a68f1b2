import type { ServiceContext } from '@tocsin/service-kit';
import type { HeartbeatWatch } from '../application/heartbeat-watch.ts';

/** A heartbeat that is due is noticed within a second. */
const LOOK_EVERY_MS = 500;

/** Adds a task that expires heartbeats. */
export function watchHeartbeats({ activity, tasks }: ServiceContext, watch: HeartbeatWatch): void {
  activity.add('heartbeats', { pending: () => watch.pending(), nextDueAt: () => watch.nextDueAt() });
  tasks.add({
    name: 'heartbeats',
    everyMs: LOOK_EVERY_MS,
    activate: (signal) => watch.turn(signal),
    runsWhenClockMoves: true,
    oldestDueAt: () => watch.nextDueAt(),
  });
}
