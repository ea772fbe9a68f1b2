import { describe, expect, it } from '@jest/globals';
import { kafkaProtocol, MONGO_PROTOCOL, SMTP_PROTOCOL } from './wire-protocols.ts';

const PRODUCE = 0;
const HEARTBEAT = 12;

/** A request of Kafka's protocol with a rest that names `topics`. */
function kafkaRequest(key: number, id: number, client: string, ...topics: readonly string[]): Buffer {
  const header = Buffer.alloc(14);
  header.writeInt16BE(key, 4);
  header.writeInt32BE(id, 8);
  header.writeInt16BE(client.length, 12);
  const request = Buffer.concat([header, Buffer.from(`${client}\0${topics.join('\0')}\0`)]);
  request.writeInt32BE(request.length - 4);
  return request;
}

describe("Kafka's protocol", () => {
  const protocol = kafkaProtocol('t1.');

  it('says who asks for what, and names each topic once, without its prefix', () => {
    const request = kafkaRequest(PRODUCE, 7, 'notifier-0', 't1.pages.v1', 't1.alert-events.v1', 't1.pages.v1');
    expect(protocol.askedBy(request)).toEqual({ id: 7, what: 'notifier-0 produce pages.v1 alert-events.v1' });
    expect(protocol.askedBy(kafkaRequest(HEARTBEAT, 8, 'x')).what).toBe('x heartbeat');
    expect(protocol.askedBy(kafkaRequest(99, 9, 'x')).what).toBe('x something else');
  });

  it('knows how long a message is once its length has come', () => {
    const request = kafkaRequest(PRODUCE, 7, 'notifier-0');
    expect([0, 3, 4, request.length].map((length) => protocol.lengthOf(request.subarray(0, length)))).toEqual([
      0,
      0,
      request.length,
      request.length,
    ]);
    expect(protocol.answeredBy(Buffer.from([0, 0, 0, 4, 0, 0, 0, 7]))).toBe(7);
  });
});

describe("MongoDB's protocol", () => {
  it('takes what is no message of today for something else', () => {
    const request = Buffer.alloc(40);
    request.writeInt32LE(40);
    request.writeInt32LE(3, 4);
    request.writeInt32LE(2_004, 12);
    expect(MONGO_PROTOCOL.lengthOf(request)).toBe(40);
    expect(MONGO_PROTOCOL.lengthOf(request.subarray(0, 2))).toBe(0);
    expect(MONGO_PROTOCOL.askedBy(request)).toEqual({ id: 3, what: 'something else' });
  });
});

describe('SMTP', () => {
  it.each([
    ['MAIL FROM:<a@b.c>\r\n', 'line'],
    ['a line that ends with a dot.\r\n', 'line'],
    ['text\r\n.\r\n', 'mail'],
    ['.\r\n', 'mail'],
  ])('takes %j for a %s', (request, what) => {
    expect(SMTP_PROTOCOL.askedBy(Buffer.from(request)).what).toBe(what);
  });
});
