import { expect, it } from '@jest/globals';
import type { EachBatchPayload } from 'kafkajs';
import { NetworkLink } from '../network.ts';
import { SeededChoices } from '../scheduler/choices.ts';
import { Scheduler, type SimulatedProcess } from '../scheduler/scheduler.ts';
import { MemoryKafkaConnection } from './connection.ts';
import { GroupError, MemoryGroups } from './groups.ts';
import { MemoryLog } from './log.ts';
import type { MemoryKafka } from './memory-kafka.ts';

const nothing = (): void => undefined;
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const message = (value: string, partition = 0, key = 'k') => ({ key, value, partition });
const valuesOf = (log: MemoryLog): readonly string[] => log.recordsOf('t').map(({ value }) => String(value));

/** A log with the topic `t`, and a clock that the test sets. */
function openLog(partitions = 1) {
  const clock = { nowMs: 1_000 };
  const log = new MemoryLog(() => clock.nowMs);
  log.createTopic('t', partitions);
  const groups = new MemoryGroups({
    now: () => clock.nowMs,
    sleep: (milliseconds) => {
      clock.nowMs += milliseconds;
      return Promise.resolve();
    },
    choose: () => 0,
    partitionsOf: (topic) => log.partitionsOf(topic),
  });
  return { clock, groups, log };
}

it('a repeated request of one producer is appended once, that of another one again', () => {
  const { log } = openLog();
  const request = { producerId: 1, sequence: 1, topic: 't', messages: [message('a'), message('b')] };
  expect(log.append(request)).toEqual(log.append(request));
  log.append({ ...request, producerId: 2 });
  log.append({ ...request, sequence: 2, messages: [message('c')] });
  expect(valuesOf(log)).toEqual(['a', 'b', 'a', 'b', 'c']);
  expect(() => log.append({ ...request, sequence: 4 })).toThrow('left out request 3');
});

it('compaction keeps the last record of each key, with its offset', () => {
  const { log } = openLog();
  const messages = [message('a1', 0, 'a'), message('b1', 0, 'b'), message('a2', 0, 'a')];
  log.append({ producerId: 1, sequence: 1, topic: 't', messages });
  log.compact('t');
  const { end, records } = log.fetch('t', 0, { offset: 0, limit: 10 });
  expect(records.map(({ offset, value }) => [offset, String(value)])).toEqual([
    [1, 'b1'],
    [2, 'a2'],
  ]);
  expect([end, log.bounds('t')]).toEqual([3, [{ partition: 0, low: 1, high: 3 }]]);
});

it('a silent member loses its partitions, and may commit no more', async () => {
  const { clock, groups } = openLog(2);
  const request = { groupId: 'g', memberId: undefined, topics: ['t'], sessionTimeoutMs: 1_000 };
  const first = await groups.join(request);
  expect(first.assignment).toEqual({ t: [0, 1] });
  groups.commit('g', first, new Map([['t/0', { offset: '3', metadata: null }]]));
  clock.nowMs += 1_001;
  const second = await groups.join(request);
  expect(second.assignment).toEqual({ t: [0, 1] });
  expect(() => {
    groups.commit('g', first, new Map([['t/0', { offset: '4', metadata: null }]]));
  }).toThrow(new GroupError('UNKNOWN_MEMBER_ID'));
  expect(groups.committed('g', 't', 0)?.offset).toBe('3');
});

it('a member that joins shares the partitions, once the others have joined again', async () => {
  const { groups } = openLog(2);
  const request = { groupId: 'g', topics: ['t'], sessionTimeoutMs: 60_000 };
  const first = await groups.join({ ...request, memberId: undefined });
  const joining = groups.join({ ...request, memberId: undefined });
  expect(() => {
    groups.heartbeat('g', first);
  }).toThrow(new GroupError('REBALANCE_IN_PROGRESS'));
  const again = await groups.join({ ...request, memberId: first.memberId });
  expect([again.assignment, (await joining).assignment]).toEqual([{ t: [0] }, { t: [1] }]);
  expect(again.generation).toBe(2);
  expect(() => {
    groups.heartbeat('g', first);
  }).toThrow(new GroupError('ILLEGAL_GENERATION'));
});

/** Runs processes with connections to one cluster until `isOver`. */
async function simulate(
  seed: number,
  work: (
    open: (name: string) => { readonly process: SimulatedProcess; readonly connection: MemoryKafkaConnection },
  ) => void,
  isOver: (kafka: MemoryKafka) => boolean,
): Promise<MemoryKafka> {
  const scheduler = new Scheduler({ choices: new SeededChoices(seed), startsAtMs: 0 });
  const host = scheduler.process('kafka');
  const log = new MemoryLog(() => host.nowMs);
  log.createTopic('t', 2);
  const groups = new MemoryGroups({
    now: () => host.nowMs,
    sleep: (milliseconds) => host.sleep(milliseconds),
    choose: (count) => scheduler.choose('assignment', count),
    partitionsOf: (topic) => log.partitionsOf(topic),
  });
  const kafka = { log, groups };
  work((name) => {
    const process = scheduler.process(name);
    const link = new NetworkLink(process, host, () => ({ lostOnceIn: scheduler.elapsedMs < 5_000 ? 5 : undefined }));
    return { process, connection: new MemoryKafkaConnection(link, kafka, SILENT) };
  });
  expect(await scheduler.run(() => isOver(kafka))).toBe(true);
  return kafka;
}

it.each([1, 2, 3, 4, 5])(
  'seed %i: members of a group read each record, in the order of its partition',
  async (seed) => {
    const read = new Map<number, string[]>();
    const consume = async (connection: MemoryKafkaConnection): Promise<void> => {
      const consumer = connection.consumer({ groupId: 'g', sessionTimeoutMs: 1_000 });
      await consumer.connect();
      for (;;)
        try {
          await consumer.subscribe({ topics: ['t'] });
          break;
        } catch {
          // Its request was lost.
        }
      const eachBatch = async (payload: EachBatchPayload): Promise<void> => {
        const { batch } = payload;
        for (const { offset, value } of batch.messages) {
          const values = read.get(batch.partition) ?? [];
          read.set(batch.partition, values);
          if (!values.includes(String(value))) values.push(String(value));
          payload.resolveOffset(offset);
          await consumer
            .commitOffsets([{ topic: 't', partition: batch.partition, offset: String(Number(offset) + 1) }])
            .catch(nothing);
        }
      };
      await consumer.run({ eachBatch });
    };
    const produce = async (connection: MemoryKafkaConnection): Promise<void> => {
      for (let number = 0; number < 20;) {
        const producer = connection.producer();
        try {
          await producer.connect();
          for (; number < 20; number += 1)
            await producer.send({ topic: 't', messages: [message(String(number), number % 2)] });
        } catch {
          // The next producer sends the message again.
        }
      }
    };
    const kafka = await simulate(
      seed,
      (open) => {
        for (const name of ['c1', 'c2', 'c3']) {
          const { connection, process } = open(name);
          process.run(() => void consume(connection));
        }
        const { connection, process } = open('p');
        process.run(() => void produce(connection));
      },
      () => [...read.values()].flat().length === 20,
    );
    for (const [partition, values] of read) {
      const numbers = values.map(Number);
      expect(numbers).toEqual(Array.from({ length: 10 }, (_, index) => 2 * index + partition));
    }
    expect(new Set(valuesOf(kafka.log)).size).toBe(20);
  },
);
