import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DeadLetter, DeadLetters, type Settlement } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { eventually, startKafka, testKafka } from '@tocsin/testing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CRASH_TOPIC, settledLines } from './crash-worker.contract.ts';
import {
  anyTopic,
  Corner,
  type Note,
  notes,
  noteTopic,
  RecordingMetrics,
  StoringHandler,
} from './real-kafka.contract.ts';

jest.setTimeout(90_000);
const topic = noteTopic('notes.v1');
const NEW_TOPIC = 'The topic is a new one under its old name; reading it from its beginning.';
const GONE = 'Records are gone from the log that were never settled.';
let corner: Corner;

beforeEach(async () => {
  corner = new Corner((await testKafka()).brokers);
  await corner.topics([topic]);
});
afterEach(() => corner.end());

const idle = async (consumer: { pending(): Promise<number> }): Promise<void> => {
  await eventually(
    async () => {
      expect(await consumer.pending()).toBe(0);
    },
    { timeoutMs: 40_000, everyMs: 50 },
  );
};

async function recreate(): Promise<void> {
  const wireName = corner.kafka.wireName(anyTopic(topic));
  await corner.kafka.ask((admin) => admin.deleteTopics({ topics: [wireName] }));
  await eventually(async () => {
    expect(await corner.kafka.ask((admin) => admin.listTopics())).not.toContain(wireName);
  });
  await eventually(() => corner.topics([topic]));
}

async function letters(): Promise<readonly DeadLetter[]> {
  const found = await corner.readAll(noteTopic(DeadLetters.name));
  return found.map(({ note }) => note as unknown as DeadLetter);
}

describe('BatchConsumer on real Kafka', () => {
  it('brings every message to its handler once, and then has nothing pending', async () => {
    const publisher = await corner.publisher();
    const handler = new StoringHandler();
    const metrics = new RecordingMetrics();
    const consumer = corner.consumer(publisher, topic, handler, { checkpoints: handler, metrics });
    await consumer.start();
    const all = notes(2_000);
    await publisher.publish(topic, all);
    await idle(consumer);
    expect(handler.wrong(all)).toEqual([]);
    for (const lag of metrics.lag.values()) expect(lag).toBe(0);
    expect(Math.max(...handler.sizes)).toBeLessThanOrEqual(300);
    expect(corner.fatal).toEqual([]);
  });

  it('goes on where its effects ended, whether Kafka still knows the position of the group or not', async () => {
    const publisher = await corner.publisher();
    const handler = new StoringHandler();
    const first = corner.consumer(publisher, topic, handler, { checkpoints: handler });
    await first.start();
    await publisher.publish(topic, notes(300));
    await idle(first);
    await first.stop();
    await eventually(() => corner.kafka.ask((admin) => admin.deleteGroups([`${corner.prefix}group`])));
    await publisher.publish(topic, notes(300, 'later'));
    const second = corner.consumer(publisher, topic, handler, { checkpoints: handler });
    await second.start();
    await idle(second);
    expect(handler.wrong([...notes(300), ...notes(300, 'later')])).toEqual([]);
    expect(corner.logger.errors()).toEqual([]);
  });

  it('has each effect once although its process is killed again and again between the effects and the offsets', async () => {
    await corner.topics([CRASH_TOPIC]);
    const publisher = await corner.publisher();
    const all = notes(1_500);
    await publisher.publish(CRASH_TOPIC, all);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'tocsin-crash-'));
    corner.atEnd(() => rm(folder, { recursive: true, force: true }));
    const file = path.join(folder, 'settled');
    const script = fileURLToPath(new URL('crash-worker.contract.ts', import.meta.url));
    const settled = (): readonly string[] => settledLines(file).flatMap(({ ids }) => ids);
    for (let round = 0; round < 20 && settled().length < all.length; round += 1) {
      const args = ['--conditions=source', script, corner.brokers.join(), corner.prefix, file, '9'];
      const worker = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      const gone = new Promise((resolve) => worker.once('exit', resolve));
      await Promise.race([
        gone,
        eventually(
          () => {
            expect(settled().length).toBeGreaterThanOrEqual(all.length);
          },
          { timeoutMs: 30_000 },
        ),
      ]);
      worker.kill('SIGKILL');
      await gone;
    }
    expect([...settled()].sort()).toEqual(all.map(({ id }) => id).sort());
  });

  it('has each effect once although another process takes the partitions over in the middle of a batch', async () => {
    const publisher = await corner.publisher();
    const store = new StoringHandler();
    const slow = new StoringHandler();
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const { promise: entered, resolve: enter } = Promise.withResolvers<undefined>();
    slow.before = async (batch) => {
      enter(undefined);
      await released;
      return store.settle(batch);
    };
    const first = corner.consumer(publisher, topic, slow, { checkpoints: store });
    await first.start();
    await publisher.publish(topic, notes(900));
    await entered;
    const second = corner.consumer(publisher, topic, store, { checkpoints: store });
    const taking = second.start();
    await eventually(
      () => {
        expect(store.effects.size).toBeGreaterThan(0);
      },
      { timeoutMs: 40_000 },
    );
    release(undefined);
    await taking;
    await eventually(
      () => {
        expect(store.wrong(notes(900))).toEqual([]);
      },
      { timeoutMs: 40_000 },
    );
  });

  it('tries again for as long as the trouble is its own, while the other partitions go on', async () => {
    const publisher = await corner.publisher({ topics: [anyTopic(topic)] });
    const handler = new StoringHandler();
    const sick = publisher.partitionFor(anyTopic(topic), 'k0');
    let tries = 0;
    let well = false;
    handler.before = ({ partition }): Promise<Settlement | undefined> => {
      if (partition !== sick || well) return Promise.resolve(undefined);
      tries += 1;
      return Promise.resolve({ outcome: 'retry', reason: 'MongoDB is away.' });
    };
    const consumer = corner.consumer(publisher, topic, handler, { checkpoints: handler });
    await consumer.start();
    const all = notes(600);
    await publisher.publish(topic, all);
    const others = all.filter(({ key }) => publisher.partitionFor(anyTopic(topic), key) !== sick);
    await eventually(() => {
      expect(handler.wrong(others)).toEqual([]);
    });
    await eventually(
      () => {
        expect(tries).toBeGreaterThanOrEqual(7);
      },
      { timeoutMs: 30_000 },
    );
    expect(handler.effects.size).toBe(others.length);
    well = true;
    await idle(consumer);
    expect(handler.wrong(all)).toEqual([]);
    expect(handler.buried).toEqual([]);
    expect(await letters()).toEqual([]);
  });

  it('goes on after a handler threw', async () => {
    const publisher = await corner.publisher();
    const handler = new StoringHandler();
    let throws = 2;
    handler.before = () => {
      throws -= 1;
      if (throws >= 0) throw new Error('a defect');
      return Promise.resolve(undefined);
    };
    const consumer = corner.consumer(publisher, topic, handler, { checkpoints: handler });
    await consumer.start();
    await publisher.publish(topic, notes(100));
    await idle(consumer);
    expect(handler.wrong(notes(100))).toEqual([]);
    expect(corner.fatal).toEqual([]);
  });

  it('sets a poison message aside with its bytes, whether it cannot be read or fails for ever, and settles all others', async () => {
    const publisher = await corner.publisher();
    const loose = noteTopic(topic.name);
    const handler = new StoringHandler();
    handler.before = ({ records }): Promise<Settlement | undefined> =>
      Promise.resolve(
        records.some(({ value }) => value.id === 'n500') ? { outcome: 'refused', reason: 'no such thing' } : undefined,
      );
    await publisher.publish(topic, notes(400));
    await publisher.publish(loose, [{ id: 7, key: 'k1' } as unknown as Note]);
    await publisher.erase(anyTopic(topic), ['k2']);
    await publisher.publish(topic, notes(1_000).slice(400));
    const metrics = new RecordingMetrics();
    const consumer = corner.consumer(publisher, topic, handler, { checkpoints: handler, metrics });
    await consumer.start();
    await idle(consumer);
    expect(handler.wrong(notes(1_000))).toEqual(['n500']);
    const found = await letters();
    expect(found.map(({ reason }) => reason).sort()).toEqual([
      'The value does not fit its topic: id Invalid input: expected string, received number',
      'The value is not JSON.',
      'no such thing',
    ]);
    const refused = found.find(({ reason }) => reason === 'no such thing');
    expect(JSON.parse(Buffer.from(refused?.value ?? '', 'base64').toString())).toMatchObject({ id: 'n500' });
    expect(metrics.deadLetters).toBe(3);
    expect(handler.buried).toHaveLength(3);
  });

  it('notices a topic that was made anew while it ran, and reads it from its beginning', async () => {
    const publisher = await corner.publisher();
    const handler = new StoringHandler();
    const consumer = corner.consumer(publisher, topic, handler, { checkpoints: handler });
    await consumer.start();
    await publisher.publish(topic, notes(300));
    await idle(consumer);
    await recreate();
    await publisher.publish(topic, notes(60, 'anew'), { deadlineMs: 30_000 });
    await eventually(
      () => {
        expect(handler.wrong(notes(60, 'anew'))).toEqual([]);
      },
      { timeoutMs: 40_000 },
    );
    expect(handler.wrong(notes(300))).toEqual([]);
    expect(corner.logger.errors()).toContain(NEW_TOPIC);
  });

  it('notices a topic that was made anew and grew past the checkpoint while it was away', async () => {
    const publisher = await corner.publisher();
    const handler = new StoringHandler();
    const first = corner.consumer(publisher, topic, handler, { checkpoints: handler });
    await first.start();
    await publisher.publish(topic, notes(60));
    await idle(first);
    await first.stop();
    await recreate();
    const again = await corner.publisher();
    await again.publish(topic, notes(600, 'anew'), { deadlineMs: 30_000 });
    const second = corner.consumer(again, topic, handler, { checkpoints: handler });
    await second.start();
    await idle(second);
    expect(handler.wrong(notes(600, 'anew'))).toEqual([]);
    expect(corner.logger.errors()).toContain(NEW_TOPIC);
  });

  it('says so when records that it never settled are gone from the log, and goes on behind them', async () => {
    const publisher = await corner.publisher({ topics: [anyTopic(topic)] });
    const handler = new StoringHandler();
    const first = corner.consumer(publisher, topic, handler, { checkpoints: handler });
    await first.start();
    const oneKey = (tag: string): readonly Note[] => notes(100, tag, 1);
    await publisher.publish(topic, oneKey('settled'));
    await idle(first);
    await first.stop();
    await publisher.publish(topic, oneKey('lost'));
    const partition = publisher.partitionFor(anyTopic(topic), 'k0');
    await corner.kafka.ask((admin) =>
      admin.deleteTopicRecords({
        topic: corner.kafka.wireName(anyTopic(topic)),
        partitions: [{ partition, offset: '200' }],
      }),
    );
    await publisher.publish(topic, oneKey('kept'));
    const second = corner.consumer(publisher, topic, handler, { checkpoints: handler });
    await second.start();
    await idle(second);
    expect(handler.wrong([...oneKey('settled'), ...oneKey('kept')])).toEqual([]);
    expect(corner.logger.errors()).toContain(GONE);
  });

  it('waits for a topic that is not there yet', async () => {
    const publisher = await corner.publisher();
    const late = noteTopic('late.v1');
    const handler = new StoringHandler();
    const consumer = corner.consumer(publisher, late, handler, { checkpoints: handler });
    const starting = consumer.start();
    await expect(publisher.publish(late, notes(1))).rejects.toThrow(UnavailableError);
    await corner.topics([late]);
    await publisher.publish(late, notes(10));
    await starting;
    await idle(consumer);
    expect(handler.wrong(notes(10))).toEqual([]);
  });

  it('waits for a broker that was killed, and then goes on with each effect once', async () => {
    const broker = await startKafka();
    const own = new Corner([broker.brokers]);
    corner.atEnd(() => broker.stop());
    corner.atEnd(() => own.end());
    await own.topics([topic]);
    const publisher = await own.publisher();
    const handler = new StoringHandler();
    const consumer = own.consumer(publisher, topic, handler, { checkpoints: handler });
    await consumer.start();
    await publisher.publish(topic, notes(500));
    await broker.kill();
    await broker.restart();
    await publisher.publish(topic, notes(1_000).slice(500), { deadlineMs: 60_000 });
    await idle(consumer);
    expect(handler.wrong(notes(1_000))).toEqual([]);
    expect(own.fatal).toEqual([]);
  });

  it('finishes the batch that is being settled before it stops, and tells Kafka', async () => {
    const publisher = await corner.publisher();
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const { promise: entered, resolve: enter } = Promise.withResolvers<undefined>();
    const handler = new StoringHandler();
    handler.before = async () => {
      enter(undefined);
      await released;
      return undefined;
    };
    const first = corner.consumer(publisher, topic, handler);
    await first.start();
    const oneKey = notes(100, 'n', 1);
    await publisher.publish(topic, oneKey);
    await entered;
    const stopping = first.stop();
    release(undefined);
    await stopping;
    const settled = handler.effects.size;
    expect(settled).toBeGreaterThan(0);
    // Nothing but Kafka's own position keeps what is done from being done again.
    handler.checkpoints.clear();
    const second = corner.consumer(publisher, topic, handler);
    await second.start();
    await idle(second);
    expect(handler.wrong(oneKey)).toEqual([]);
  });

  it('without checkpoints goes on where the group committed', async () => {
    const publisher = await corner.publisher();
    const handler = new StoringHandler();
    const first = corner.consumer(publisher, topic, handler);
    await first.start();
    await publisher.publish(topic, notes(200));
    await idle(first);
    await first.stop();
    handler.checkpoints.clear();
    await publisher.publish(topic, notes(200, 'later'));
    const second = corner.consumer(publisher, topic, handler);
    await second.start();
    await idle(second);
    expect(handler.wrong([...notes(200), ...notes(200, 'later')])).toEqual([]);
  });
});
