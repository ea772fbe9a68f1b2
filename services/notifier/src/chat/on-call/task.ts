import type { ServiceContext } from '@tocsin/service';
import { addLeaseTask, type WorkLease } from '../../leased-work.ts';
import type { ShowOnCall } from './operations.ts';

const LOOK_EVERY_MS = 30_000;
/** A thousand channels that have news, some of which do not answer. */
const RUN_TIMEOUT_MS = 300_000;

const SHOW = 'show-on-call';

/** Shows who is on call until the stop, while this process holds the lease. */
export function addOnCallTasks(
  context: Pick<ServiceContext, 'tasks'>,
  { lease, show }: { readonly show: ShowOnCall; readonly lease: WorkLease },
): void {
  context.tasks.add({
    name: SHOW,
    everyMs: LOOK_EVERY_MS,
    timeoutMs: RUN_TIMEOUT_MS,
    activate: (stopping) => show.activate(stopping),
    runsWhenClockMoves: true,
  });
  addLeaseTask(context, { lease, name: 'lease-of-on-call', work: SHOW });
}
