import { afterEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { DeadLetters, type DeadLetter } from '@tocsin/events';
import { eventually, readTopic, testKafka } from '@tocsin/testkit';
import { DeadLetterRedrive, type BatchingPublisher, type RedriveResult } from './index.ts';
import { scanTopic } from './topic-scan.ts';
import { TestCluster, type Note, notes, noteTopic, StoringProcessor } from './testing/real-kafka.ts';

const topic = noteTopic('notes.v1');
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function open() {
  const testCluster = new TestCluster((await testKafka()).brokers);
  ends.unshift(() => testCluster.end());
  await testCluster.topics([topic]);
  const box = new DeadLetterRedrive({ kafka: testCluster.kafka, clock: systemClock });
  const redrive = async (...addresses: readonly string[]): Promise<readonly RedriveResult[]> => {
    const redriven: RedriveResult[] = [];
    const entries = await box.entries();
    await box.redrive(
      entries.filter(({ address }) => addresses.includes(address)),
      (result) => redriven.push(result),
    );
    return redriven;
  };
  return { testCluster, box, redrive, publisher: await testCluster.publisher() };
}

/** A consumer that refuses the notes of `bad`, until they are taken out of it. */
async function consumer(testCluster: TestCluster, publisher: BatchingPublisher, bad: Set<string>) {
  const handler = new StoringProcessor();
  handler.before = ({ records }) =>
    Promise.resolve(
      records.some(({ value }) => bad.has(value.id)) ? { outcome: 'refused', reason: 'too odd' } : undefined,
    );
  const running = testCluster.consumer(publisher, topic, handler, { checkpoints: handler });
  await running.start();
  const idle = () =>
    eventually(async () => {
      expect(await running.pending()).toBe(0);
    });
  return { handler, idle };
}

const letter = (own: Partial<DeadLetter>): DeadLetter => ({
  topic: topic.name,
  partition: 0,
  offset: 0,
  groupId: 'group',
  reason: 'not JSON',
  failedAt: '2026-03-02T00:00:00.000Z',
  ...own,
});

describe('the dead letters of an installation', () => {
  it('are none without a dead letter', async () => {
    const { box } = await open();
    expect(await box.entries()).toEqual([]);
  });

  it('are redriven to their partition with their bytes, are processed then, and are known to be redriven', async () => {
    const { testCluster, box, redrive, publisher } = await open();
    const bad = new Set(['n7']);
    const { handler, idle } = await consumer(testCluster, publisher, bad);
    await publisher.publish(topic, notes(20));
    await idle();
    const [entry] = await box.entries();
    expect(entry).toMatchObject({ topic: topic.name, reason: 'too odd', whole: true, redrivenAt: undefined });
    const [whole] = await box.letters(entry === undefined ? [] : [entry]);
    const value = Buffer.from(whole?.value ?? '', 'base64').toString();
    expect(JSON.parse(value)).toEqual({ id: 'n7', key: 'k7' });

    bad.clear();
    const address = entry?.address ?? '';
    expect(await redrive(address)).toEqual([{ address, refused: undefined }]);
    await idle();
    expect(handler.wrong(notes(20))).toEqual([]);
    expect(await box.entries()).toMatchObject([{ address, redrivenAt: expect.any(String) }]);
    const again = (await testCluster.readAll(topic)).filter(({ note }) => note.id === 'n7');
    expect(again).toEqual([0, 1].map(() => ({ partition: entry?.partition, note: { id: 'n7', key: 'k7' } })));
  });

  it('that fail again are new letters, at the place of the new record', async () => {
    const { testCluster, box, redrive, publisher } = await open();
    const { idle } = await consumer(testCluster, publisher, new Set(['n0']));
    await publisher.publish(topic, notes(1));
    await idle();
    const [first] = await box.entries();
    await redrive(first?.address ?? '');
    await idle();
    expect(await box.entries()).toMatchObject([
      { offset: 0, redrivenAt: expect.any(String) },
      { offset: 1, redrivenAt: undefined },
    ]);
  });

  it('keep bytes that are no text, key and value, and the version of their schema', async () => {
    const { testCluster, redrive, publisher } = await open();
    const [key, value] = [Buffer.from([0, 255, 1]), Buffer.from([254, 0, 123])];
    const own = letter({ partition: 2, key: key.toString('base64'), value: value.toString('base64'), version: 2 });
    await publisher.publish(DeadLetters, [own]);
    await redrive(DeadLetters.key(own));
    const found = await readTopic(testCluster.kafka, topic);
    expect(found).toEqual([{ topic: topic.name, partition: 2, key, value, headers: { v: '2' } }]);
    const versions: unknown[] = [];
    await scanTopic({
      kafka: testCluster.kafka,
      topic,
      onRecord: ({ schemaVersion }) => void versions.push(schemaVersion),
    });
    expect(versions).toEqual([2]);
  });

  it('are refused one by one where their record cannot be put on its topic, and the others go on', async () => {
    const { box, redrive, publisher } = await open();
    const value = Buffer.from(JSON.stringify({ id: 'n1', key: 'k1' } satisfies Note)).toString('base64');
    const all = [
      letter({ offset: 1 }),
      letter({ offset: 2, topic: 'gone.v1', value }),
      letter({ offset: 3, partition: 9, value }),
      letter({ offset: 4, value }),
    ];
    await publisher.publish(DeadLetters, all);
    const results = await redrive(...all.map(DeadLetters.key));
    expect(new Map(results.map(({ address, refused }) => [address, refused]))).toEqual(
      new Map([
        ['notes.v1/0/1', 'The letter does not hold the value of its record.'],
        ['gone.v1/0/2', 'There is no topic gone.v1.'],
        ['notes.v1/9/3', 'notes.v1 has no partition 9.'],
        ['notes.v1/0/4', undefined],
      ]),
    );
    const redriven = (await box.entries()).filter(({ redrivenAt }) => redrivenAt !== undefined);
    expect(redriven.map(({ address }) => address)).toEqual(['notes.v1/0/4']);
  });

  it('stay after the redrive was aborted', async () => {
    const { testCluster, box, publisher } = await open();
    const all = notes(300).map((note, offset) =>
      letter({ offset, partition: offset % 3, value: Buffer.from(JSON.stringify(note)).toString('base64') }),
    );
    await publisher.publish(DeadLetters, all);
    let redriven = 0;
    const broken = box.redrive(await box.entries(), () => {
      redriven += 1;
      if (redriven === 10) throw new Error('broken off');
    });
    await expect(broken).rejects.toThrow('broken off');
    expect(redriven).toBe(10);
    expect((await box.entries()).filter(({ redrivenAt }) => redrivenAt !== undefined)).toHaveLength(10);
    expect(await testCluster.readAll(topic)).toHaveLength(10);
  });

  it('by the thousand are redriven each once', async () => {
    const { testCluster, box, redrive, publisher } = await open();
    const all = notes(1_000).map((note, offset) =>
      letter({ offset, partition: offset % 3, value: Buffer.from(JSON.stringify(note)).toString('base64') }),
    );
    await publisher.publish(DeadLetters, all);
    expect(await redrive(...all.map(DeadLetters.key))).toHaveLength(1_000);
    const found = await testCluster.readAll(topic);
    expect(new Set(found.map(({ note }) => note.id)).size).toBe(1_000);
    expect(found).toHaveLength(1_000);
    expect((await box.entries()).filter(({ redrivenAt }) => redrivenAt === undefined)).toEqual([]);
  });
});
