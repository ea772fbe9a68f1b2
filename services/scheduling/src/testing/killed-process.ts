/** What processes share that are killed by tests. */
import type { OutboxOptions } from '@tocsin/persistence';
import { eventually, tellParent } from '@tocsin/testing';
import type { Timers } from '@tocsin/timers';

/** Settings of an outbox and of timers that take over soon from a process that died. */
export const OUTBOX_AT_ONCE = { leaseMs: 500, renewEveryMs: 20 };
export const TIMERS_AT_ONCE = { leaseMs: 500, pollMs: 10 };

export const silent: OutboxOptions['logger'] = { warn: () => undefined, error: () => undefined };

/** Writes what is published to the parent, one line for each lot. */
export const publisherToParent: OutboxOptions['publisher'] = {
  publish: (topic, messages) => {
    tellParent(JSON.stringify({ topic: topic.name, messages }));
    return Promise.resolve();
  },
};

/** Fires what is due now, also what a process that died has claimed. */
export async function fireDue(timers: Pick<Timers<unknown>, 'start' | 'due' | 'stop'>): Promise<void> {
  timers.start();
  await eventually(
    async () => {
      const due = await timers.due();
      if (due > 0) throw new Error(`${due} timers are due`);
    },
    { everyMs: 5 },
  );
  await timers.stop();
}
