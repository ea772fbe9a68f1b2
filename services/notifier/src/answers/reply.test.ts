import { describe, expect, it } from '@jest/globals';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { replyHint, readReply } from './reply.ts';

const ack = { action: 'acknowledge', code: '12kqmxz' };
const close = { action: 'close', code: '12kqmxz' };

describe('a reply', () => {
  it.each([
    ['ack 12kqmxz', ack],
    ['ACK 12KQMXZ', ack],
    ['  Ack   #12kqmxz.', ack],
    ['acknowledge 12 kqmxz', ack],
    ['Ack: 12kqmxz\nSent from my phone', ack],
    ['"ack 12kqmxz"', ack],
    ['Close 12kqmxz', close],
    ['close\n#12kqmxz!', close],
    ['close 12kqmxz please', close],
  ])('%j asks for what it says', (text, asked) => {
    expect(readReply(text)).toEqual(asked);
  });

  it.each([
    '',
    'ack',
    'ack 12',
    'ack kqmxz',
    'ack12kqmxz',
    'ack 12kqm',
    'ack 12letters',
    'ack 12kqmxz7',
    'please ack 12kqmxz',
    'nack 12kqmxz',
    'closed 12kqmxz',
    'constructor 12kqmxz',
    'STOP',
    '1234567890123456kqmxz',
  ])('%j asks for nothing', (text) => {
    expect(readReply(text)).toBeUndefined();
  });

  it('asks for the action that the hint in a message names, whatever its alert', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{0,14}[bcdfghjkmnpqrstvwxz]{5}$/), (code) => {
        const [, one = '', other = ''] = /^ Reply (.*) or (.*)$/.exec(replyHint(code)) ?? [];
        expect([readReply(one), readReply(other)]).toEqual([
          { action: 'acknowledge', code },
          { action: 'close', code },
        ]);
      }),
    );
  });

  it('is read quickly with any text, and only a code in the right form is looked up', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCodePoint, maxLength: 2_000, size: 'max' }),
        fc.constantFrom('', 'ack ', 'close #12', 'ack 12 '),
        (text, start) => {
          const asked = readReply(start + text);
          expect(asked?.code ?? '0aaaaa').toMatch(/^\d{1,15}[a-z]{5}$/);
        },
      ),
    );
  });
});
