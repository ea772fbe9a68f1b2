import { TooLargeError, UnavailableError } from '@tocsin/core';
import { describe, expect, it } from '@jest/globals';
import kafkajs, { type ProducerRecord, type RecordMetadata } from 'kafkajs';
import { isLate } from './publish-deadline.ts';
import { type ChannelProducer, ProduceChannel } from './produce-channel.ts';
import type { OutgoingMessage } from './publish-queue.ts';
import { Publication } from './publication.ts';

const { KafkaJSError, KafkaJSNonRetriableError, KafkaJSNumberOfRetriesExceeded } = kafkajs;
const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

type Answer = (partitions: readonly number[], keys: readonly string[]) => readonly number[];

/** A channel whose producers answer by `answer`: the partitions that were written, or a throw. */
function channelOf(answer: Answer) {
  const requests: { producer: number; keys: readonly string[] }[] = [];
  const ended = new Set<number>();
  let producers = 0;
  const connect = (): Promise<ChannelProducer> => {
    producers += 1;
    const producer = producers;
    return Promise.resolve({
      disconnect: () => {
        ended.add(producer);
        return Promise.resolve();
      },
      send: ({ messages }: ProducerRecord) => {
        if (ended.has(producer)) throw new Error('A producer was used after its end.');
        const sent = messages.map(({ key }) => String(key));
        requests.push({ producer, keys: sent });
        const partitions = [...new Set(messages.map(({ partition = 0 }) => partition))];
        const written = answer(partitions, sent).map((partition): RecordMetadata => ({
          topicName: 't',
          partition,
          errorCode: 0,
        }));
        return Promise.resolve(written);
      },
    });
  };
  return { channel: new ProduceChannel({ connect, logger }), requests, ended };
}

function message(key: string, partition = 0, deadlineMs = 60_000): OutgoingMessage {
  return { partition, key, value: null, bytes: 1, publication: new Publication(1, deadlineMs) };
}

const tooLarge = (): Error =>
  Object.assign(new Error('The request included a message larger than the max message size'), {
    type: 'MESSAGE_TOO_LARGE',
  });

describe('ProduceChannel', () => {
  it('answers each caller once its messages are written', async () => {
    const { channel, requests } = channelOf((partitions) => partitions);
    const messages = [message('a'), message('b', 1)];
    await channel.deliver('t', messages);
    await Promise.all(messages.map(({ publication }) => publication.settled));
    expect(requests).toEqual([{ producer: 1, keys: ['a', 'b'] }]);
  });

  it('makes one producer where messages come before it is open', async () => {
    const { channel, requests, ended } = channelOf((partitions) => partitions);
    const [first, second] = [message('a'), message('b')];
    await Promise.all([channel.open(), channel.deliver('t', [first])]);
    await channel.deliver('t', [second]);
    await channel.close();
    expect(requests.map(({ producer }) => producer)).toEqual([1, 1]);
    expect([...ended]).toEqual([1]);
  });

  it('leaves no producer connected that connects after it was closed', async () => {
    const { channel, ended } = channelOf((partitions) => partitions);
    const opening = channel.open();
    await channel.close();
    await opening;
    expect([...ended]).toEqual([1]);
  });

  it('never uses a producer again that had a request rejected', async () => {
    let refusals = 2;
    const { channel, requests } = channelOf((partitions) => {
      refusals -= 1;
      if (refusals >= 0) throw new Error('OUT_OF_ORDER_SEQUENCE_NUMBER');
      return partitions;
    });
    const only = message('a');
    await channel.deliver('t', [only]);
    await only.publication.settled;
    expect(requests.map(({ producer }) => producer)).toEqual([1, 2, 3]);
  });

  it('sends again what an answer does not confirm', async () => {
    let answers = 0;
    const { channel, requests } = channelOf((partitions) => {
      answers += 1;
      return answers === 1 ? partitions.slice(1) : partitions;
    });
    const messages = [message('a'), message('b', 1)];
    await channel.deliver('t', messages);
    await Promise.all(messages.map(({ publication }) => publication.settled));
    expect(requests).toHaveLength(2);
  });

  it('refuses a too large message to its own caller only, and keeps the order of the others', async () => {
    const { channel, requests } = channelOf((partitions, keys) => {
      if (keys.includes('huge')) throw tooLarge();
      return partitions;
    });
    const messages = ['a', 'b', 'huge', 'c', 'd'].map((key) => message(key));
    const answers = Promise.allSettled(messages.map(({ publication }) => publication.settled));
    await channel.deliver('t', messages);
    const refused = (await answers).map((answer) => (answer.status === 'rejected' ? (answer.reason as unknown) : 'ok'));
    expect(refused).toEqual(['ok', 'ok', expect.any(TooLargeError), 'ok', 'ok']);
    const written = requests.filter(({ keys }) => !keys.includes('huge')).flatMap(({ keys }) => keys);
    expect(written).toEqual(['a', 'b', 'c', 'd']);
  });

  it('stops trying for callers that no longer wait', async () => {
    const { channel } = channelOf(() => {
      throw new Error('refused');
    });
    const only = message('a', 0, 20);
    const [answer] = await Promise.allSettled([only.publication.settled, channel.deliver('t', [only])]);
    expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(UnavailableError) as unknown });
  });
});

describe('a message that expires', () => {
  /** Each partition is stamped by the clock of its leader, `aheadMs(partition)` ahead of the clock here. */
  function stampingChannel(aheadMs: (partition: number) => number) {
    const log: { readonly partition: number; readonly isLate: boolean }[] = [];
    const send = ({ messages, topic }: ProducerRecord): Promise<RecordMetadata[]> => {
      const stamps = new Map(messages.map(({ partition = 0 }) => [partition, Date.now() + aheadMs(partition)]));
      for (const { headers, partition = 0 } of messages)
        log.push({ partition, isLate: isLate(headers, stamps.get(partition) ?? 0) });
      return Promise.resolve(
        [...stamps].map(([partition, at]) => ({
          topicName: topic,
          partition,
          errorCode: 0,
          logAppendTime: String(at),
        })),
      );
    };
    const connect = () => Promise.resolve({ send, disconnect: () => Promise.resolve() });
    return { channel: new ProduceChannel({ connect, logger }), log };
  }

  const expiring = (partition = 0): OutgoingMessage => ({ ...message('a', partition, 1_400), expires: true });

  /** The results of the callers that publish to `partitions`, one after the other. */
  async function answered(channel: ProduceChannel, partitions: readonly number[]): Promise<readonly string[]> {
    const answers: string[] = [];
    for (const partition of partitions) {
      const sent = expiring(partition);
      await channel.deliver('t', [sent]);
      answers.push(
        await sent.publication.settled.then(
          () => 'taken',
          (error: unknown) => (error as Error).constructor.name,
        ),
      );
    }
    return answers;
  }

  it('is refused to its caller where its consumer will refuse it, because the clock of the broker was set', async () => {
    let ahead = 0;
    const { channel, log } = stampingChannel(() => ahead);
    expect(await answered(channel, [0])).toEqual(['taken']);
    ahead = 120_000;
    expect(await answered(channel, [0, 0])).toEqual(['UnavailableError', 'taken']);
    expect(log.map((each) => each.isLate)).toEqual([false, true, false]);
  });

  it('is accepted with either of two brokers with different clocks as leader, after both have answered', async () => {
    const { channel, log } = stampingChannel((partition) => partition * 90_000);
    expect(await answered(channel, [1, 0, 1, 0, 1])).toEqual(['taken', 'taken', 'taken', 'taken', 'taken']);
    expect(log.map((each) => each.isLate)).toEqual([false, false, false, false, false]);
  });
});

describe('opening a channel', () => {
  const producer: ChannelProducer = { disconnect: () => Promise.resolve(), send: () => Promise.resolve([]) };
  const opening = (...failures: readonly Error[]) => {
    const left = [...failures];
    let tries = 0;
    const connect = (): Promise<ChannelProducer> => {
      tries += 1;
      const failure = left.shift();
      return failure === undefined ? Promise.resolve(producer) : Promise.reject(failure);
    };
    return { channel: new ProduceChannel({ connect, logger }), tries: () => tries };
  };

  it('waits while the brokers are unavailable', async () => {
    const timeout = new KafkaJSError('Request InitProducerId(key: 22, version: 1) timed out');
    const { channel, tries } = opening(timeout, timeout);
    await channel.open();
    expect(tries()).toBe(3);
  });

  it('waits while the controller has no producer id to give, after kafkajs has given up', async () => {
    const loading = new KafkaJSError('The coordinator is loading');
    const { channel, tries } = opening(new KafkaJSNumberOfRetriesExceeded(loading, { retryCount: 5, retryTime: 300 }));
    await channel.open();
    expect(tries()).toBe(2);
  });

  it('fails at once when a broker refuses us', async () => {
    const { channel, tries } = opening(new KafkaJSNonRetriableError('Cluster authorization failed'));
    await expect(channel.open()).rejects.toThrow('Cluster authorization failed');
    expect(tries()).toBe(1);
  });
});
