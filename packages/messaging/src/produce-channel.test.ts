import { TooLargeError, UnavailableError } from '@tocsin/errors';
import { describe, expect, it } from '@jest/globals';
import type { ProducerRecord, RecordMetadata } from 'kafkajs';
import { type ChannelProducer, ProduceChannel } from './produce-channel.ts';
import type { OutgoingMessage } from './publish-queue.ts';
import { PublishTicket } from './publish-ticket.ts';

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
  return { channel: new ProduceChannel({ connect, logger }), requests };
}

function message(key: string, partition = 0, deadlineMs = 60_000): OutgoingMessage {
  return { partition, key, value: null, bytes: 1, ticket: new PublishTicket(1, deadlineMs) };
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
    await Promise.all(messages.map(({ ticket }) => ticket.settled));
    expect(requests).toEqual([{ producer: 1, keys: ['a', 'b'] }]);
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
    await only.ticket.settled;
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
    await Promise.all(messages.map(({ ticket }) => ticket.settled));
    expect(requests).toHaveLength(2);
  });

  it('refuses a too large message to its own caller only, and keeps the order of the others', async () => {
    const { channel, requests } = channelOf((partitions, keys) => {
      if (keys.includes('huge')) throw tooLarge();
      return partitions;
    });
    const messages = ['a', 'b', 'huge', 'c', 'd'].map((key) => message(key));
    const answers = Promise.allSettled(messages.map(({ ticket }) => ticket.settled));
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
    const [answer] = await Promise.allSettled([only.ticket.settled, channel.deliver('t', [only])]);
    expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(UnavailableError) as unknown });
  });
});
