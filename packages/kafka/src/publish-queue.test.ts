import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type OutgoingMessage, PublishQueue, type QueueLimits } from './publish-queue.ts';
import { Publication } from './publication.ts';

const LIMITS: QueueLimits = {
  messages: 100,
  bytes: 1_000,
  messagesPerPartition: 3,
  bytesPerPartition: 100,
  bytesPerRequest: 1_000,
};

function newPublication(messages: number): Publication {
  const publication = new Publication(messages, 60_000);
  publication.settled.catch(() => undefined);
  return publication;
}

function add(queue: PublishQueue, partition: number, keys: readonly string[], bytes = 1): Publication {
  const publication = newPublication(keys.length);
  const messages = keys.map((key): OutgoingMessage => ({
    partition,
    key,
    value: null,
    bytes,
    publication,
  }));
  queue.add(messages, publication);
  return publication;
}

const keys = (messages: readonly OutgoingMessage[]): readonly string[] => messages.map(({ key }) => key);
const end = (publication: Publication): void => {
  publication.fail(new Error('The test is over.'));
};

describe('PublishQueue', () => {
  it('takes a limited number of messages and bytes of each partition, oldest first', () => {
    const queue = new PublishQueue(LIMITS);
    const publications = [
      add(queue, 0, ['a', 'b', 'c', 'd']),
      add(queue, 1, ['e', 'f'], 60),
      add(queue, 2, ['g'], 500),
    ];
    expect(queue.hasFullRequest).toBe(true);
    expect(keys(queue.take())).toEqual(['a', 'b', 'c', 'e', 'g']);
    expect(keys(queue.take())).toEqual(['d', 'f']);
    expect(queue.take()).toEqual([]);
    publications.forEach(end);
  });

  it('refuses a message over its limits, but never where the queue is empty', () => {
    const queue = new PublishQueue(LIMITS);
    expect(queue.fits(500, 5_000)).toBe(true);
    const first = add(queue, 0, ['a'], 400);
    expect(queue.fits(99, 600)).toBe(true);
    expect(queue.fits(100, 100)).toBe(false);
    expect(queue.fits(1, 601)).toBe(false);
    end(first);
  });

  it('has room again as soon as a caller has given up, and never sends its messages', () => {
    const queue = new PublishQueue(LIMITS);
    const first = add(queue, 0, ['a', 'b'], 400);
    const second = add(queue, 0, ['c'], 10);
    end(first);
    expect(queue.length).toBe(1);
    expect(queue.fits(1, 990)).toBe(true);
    expect(keys(queue.take())).toEqual(['c']);
    end(second);
  });

  it('does not count a message twice when its caller is answered after it was taken', () => {
    const queue = new PublishQueue(LIMITS);
    const first = add(queue, 0, ['a', 'b', 'c', 'd']);
    queue.take();
    end(first);
    expect(queue.length).toBe(0);
  });

  it('does not keep messages of callers that no longer wait, however long the brokers are unavailable', () => {
    const queue = new PublishQueue(LIMITS);
    for (let round = 0; round < 5_000; round += 1) end(add(queue, round % 3, ['x']));
    const last = add(queue, 0, ['y']);
    expect(keys(queue.take())).toEqual(['y']);
    end(last);
  });

  it('lets no partition starve behind a long one', () => {
    const queue = new PublishQueue({ ...LIMITS, bytesPerRequest: 1 });
    const publications = [add(queue, 0, ['a', 'b', 'c', 'd', 'e', 'f', 'g']), add(queue, 1, ['z'])];
    expect(keys(queue.take())).toEqual(['a', 'b', 'c']);
    expect(keys(queue.take())).toEqual(['z']);
    publications.forEach(end);
  });

  it('always gives every message once, in the order of its partition', () => {
    const sizes = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(fc.array(sizes, { maxLength: 30 }), (added) => {
        const queue = new PublishQueue(LIMITS);
        const sent: OutgoingMessage[] = [];
        let next = 0;
        const publications = added.map(([partition, count]) =>
          add(
            queue,
            partition,
            Array.from({ length: count }, () => String((next += 1))),
          ),
        );
        for (let request = queue.take(); request.length > 0; request = queue.take()) sent.push(...request);
        expect(sent).toHaveLength(next);
        for (const partition of [0, 1, 2, 3]) {
          const order = sent.filter((message) => message.partition === partition).map(({ key }) => Number(key));
          expect(order).toEqual(order.toSorted((a, b) => a - b));
        }
        publications.forEach(end);
      }),
    );
  });
});
