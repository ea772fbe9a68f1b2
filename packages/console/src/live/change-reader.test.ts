import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { CallError } from '../api/call-error.ts';
import { ChangeReader, streamingStore } from './change-reader.ts';
import type { StreamHandlers } from './change-stream.ts';
import { liveOptions } from './live-queries.ts';

interface Stream extends StreamHandlers {
  readonly end: (error?: CallError) => void;
}

let client: QueryClient;
let reader: ChangeReader;
let streams: Stream[];
let reads: string[];
let failures: unknown[];
let answer: () => Promise<unknown>;

const refused = (status: number, retryAfterSeconds?: number) =>
  new CallError({ status, message: 'No.', retryAfterSeconds });
const stream = (): Stream => {
  const last = streams.at(-1);
  if (last === undefined) throw new Error('No stream was opened.');
  return last;
};
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const hint = { id: 'alert-1', version: '7' };

beforeEach(async () => {
  jest.useFakeTimers();
  [streams, reads, failures] = [[], [], []];
  answer = () => Promise.resolve('answer');
  client = new QueryClient();
  for (const [name, kind] of [
    ['alerts', 'alerts'],
    ['on-calls', 'schedules'],
  ] as const)
    new QueryObserver(client, {
      queryKey: [name],
      queryFn: () => {
        reads.push(name);
        return answer();
      },
      ...liveOptions({ kinds: [kind] }),
    }).subscribe(() => undefined);
  reader = new ChangeReader({
    client,
    follow: (handlers) =>
      new Promise((resolve, reject) => {
        streams.push({
          ...handlers,
          end: (error) => {
            if (error === undefined) resolve();
            else reject(error);
          },
        });
      }),
    onFailure: (error) => failures.push(error),
  });
  await pass(0);
  reads = [];
});

afterEach(() => {
  reader.stop();
  client.clear();
  jest.useRealTimers();
});

describe('a page without a stream', () => {
  test('It reads what it shows each 5 s.', async () => {
    reader.start();
    await pass(4_999);
    expect(reads).toEqual([]);
    await pass(1);
    expect(reads).toEqual(['alerts', 'on-calls']);
    await pass(55_000);
    expect(reads).toHaveLength(24);
  });

  test('It reads nothing twice at a time, and does not read before the wait that an answer asks for.', async () => {
    reader.start();
    const gate = Promise.withResolvers<unknown>();
    answer = () => gate.promise;
    await pass(30_000);
    expect(reads).toEqual(['alerts', 'on-calls']);
    gate.reject(refused(503, 20));
    await pass(19_000);
    expect(reads).toHaveLength(2);
    await pass(2_000);
    expect(reads).toHaveLength(4);
  });

  test('It tries a stream again after a pause that grows, and is at least what the answer asks for.', async () => {
    reader.start();
    const waits: number[] = [];
    for (let tries = 1; tries <= 7; tries += 1) {
      stream().end(refused(503));
      const from = performance.now();
      while (streams.length === tries) await pass(100);
      waits.push(performance.now() - from);
    }
    const bases = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
    for (const [index, base] of bases.entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(base);
      expect(waits[index]).toBeLessThanOrEqual(base * 1.5 + 100);
    }
    stream().end(refused(429, 60));
    await pass(59_900);
    expect(streams).toHaveLength(8);
    await pass(31_000);
    expect([streams.length, failures.length]).toEqual([9, 8]);
  });
});

describe('a page with a stream', () => {
  let readAtReady: readonly string[];

  beforeEach(async () => {
    reader.start();
    stream().onReady();
    await pass(500);
    readAtReady = reads.splice(0);
  });

  test('It reads once when the stream is ready, and then each 15 s: not every change has a hint.', async () => {
    expect([streamingStore.get(), readAtReady]).toEqual([true, ['alerts', 'on-calls']]);
    await pass(14_000);
    expect(reads).toEqual([]);
    await pass(500);
    expect(reads).toEqual(['alerts', 'on-calls']);
    await pass(45_000);
    expect(reads).toHaveLength(8);
  });

  test('It reads what a hint names, at once.', async () => {
    stream().onChanges({ alerts: [hint], users: 'many' });
    await pass(0);
    expect(reads).toEqual(['alerts']);
  });

  test('It reads at most twice a second, and once more after the last hint.', async () => {
    for (let n = 0; n < 95; n += 1) {
      stream().onChanges({ alerts: [hint] });
      await pass(20);
    }
    expect(reads).toHaveLength(4);
    await pass(10_000);
    expect(reads).toHaveLength(5);
  });

  test('A hint that comes during a read leads to another read after it.', async () => {
    const gate = Promise.withResolvers<unknown>();
    answer = () => gate.promise;
    stream().onChanges({ alerts: [hint] });
    await pass(600);
    stream().onChanges({ alerts: [hint] });
    await pass(3_000);
    expect(reads).toEqual(['alerts']);
    gate.resolve('answer');
    await pass(500);
    expect(reads).toEqual(['alerts', 'alerts']);
    await pass(5_000);
    expect(reads).toHaveLength(2);
  });

  test('Hints do not shorten the wait that an answer asks for.', async () => {
    answer = () => Promise.reject(refused(429, 7));
    stream().onChanges({ alerts: [hint] });
    await pass(0);
    stream().onChanges({ alerts: [hint] });
    await pass(6_900);
    expect(reads).toEqual(['alerts']);
    await pass(200);
    expect(reads).toContain('alerts');
    expect(reads.filter((name) => name === 'alerts')).toHaveLength(2);
  });

  test('A read that failed is repeated each 5 s.', async () => {
    answer = () => Promise.reject(refused(500));
    stream().onChanges({ alerts: [hint] });
    await pass(9_000);
    expect(reads).toEqual(['alerts', 'alerts']);
  });

  test.each([
    ['ends', undefined],
    ['breaks', refused(0)],
  ])('When it %s, the page reads at once, and then each 5 s until there is a stream again.', async (_, error) => {
    stream().end(error);
    await pass(0);
    expect(reads).toEqual(['alerts', 'on-calls']);
    expect(streamingStore.get()).toBe(false);
    await pass(11_000);
    expect([reads.length, streams.length]).toEqual([6, 2]);
    stream().onReady();
    await pass(0);
    expect([reads.length, streamingStore.get()]).toEqual([8, true]);
  });

  test('What it shows counts as fresh until the read after the end of the stream ends.', async () => {
    const gate = Promise.withResolvers<unknown>();
    answer = () => gate.promise;
    stream().end();
    await pass(3_000);
    expect(streamingStore.get()).toBe(true);
    gate.reject(refused(0));
    await pass(0);
    expect(streamingStore.get()).toBe(false);
  });

  test('After a stream that went on for more than a minute the next one is tried soon.', async () => {
    for (let tries = 2; tries < 6; tries += 1) {
      stream().end();
      await pass(31_000);
      expect(streams).toHaveLength(tries);
      if (tries < 5) stream().onReady();
    }
    stream().onReady();
    await pass(61_000);
    stream().end();
    await pass(1_600);
    expect(streams).toHaveLength(6);
  });

  test('While it is stopped it reads nothing and has no stream.', async () => {
    stream().onChanges({ alerts: [hint] });
    stream().onChanges({ alerts: [hint] });
    await pass(0);
    reads = [];
    reader.stop();
    expect([stream().signal.aborted, streamingStore.get()]).toEqual([true, false]);
    stream().end(refused(0));
    await pass(600_000);
    expect([reads, streams.length, failures]).toEqual([[], 1, []]);
  });

  test('Started again, it reads once when its stream is ready, and after 1 s where it is not.', async () => {
    reader.stop();
    await pass(60_000);
    reader.start();
    stream().onReady();
    await pass(4_000);
    expect([streams.length, reads]).toEqual([2, ['alerts', 'on-calls']]);
    reader.stop();
    await pass(60_000);
    reader.start();
    await pass(1_000);
    expect(reads).toHaveLength(4);
    await pass(5_000);
    expect(reads).toHaveLength(6);
  });
});
