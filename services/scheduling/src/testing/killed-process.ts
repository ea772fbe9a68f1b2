/** Parts of the processes that tests kill. */
import type { OutboxOptions } from '@tocsin/mongo';
import { tellParent } from '@tocsin/testkit';

/** Settings of an outbox whose lease another process gets soon after its holder died. */
export const OUTBOX_AT_ONCE = { leaseMs: 500, renewEveryMs: 20 };

export const silent: OutboxOptions['logger'] = { warn: () => undefined, error: () => undefined };

/** Writes the published messages to the parent, one line for each batch. */
export const publisherToParent: OutboxOptions['publisher'] = {
  publish: (topic, messages) => {
    tellParent(JSON.stringify({ topic: topic.name, messages }));
    return Promise.resolve();
  },
};
