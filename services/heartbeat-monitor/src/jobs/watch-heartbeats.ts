import { everySeconds, type ServiceContext } from '@tocsin/service-kit';
import type { HeartbeatWatch } from '../application/heartbeat-watch.ts';

/** In seconds of real time: what is due is noticed within a second. */
const TURN_SECONDS = 0.5;

/** Lets the watch take its turns until the stop. */
export async function watchHeartbeats(context: ServiceContext, watch: HeartbeatWatch): Promise<void> {
  context.activity.add('heartbeats', { pending: () => watch.pending(), nextDueAt: () => watch.nextDueAt() });
  await everySeconds(context, TURN_SECONDS, 'watching heartbeats', () => watch.turn());
}
