import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SendResult } from '../../domain/delivery.ts';
import { replyCode } from '../../testing/act-samples.ts';
import { MemoryReplyCodes } from '../../testing/memory-reply-codes.ts';
import type { TextMessage } from './message.ts';
import { AnswerableTexts } from './answerable-texts.ts';

const ATTEMPT = { deliveryId: 'd1', attempt: 1 };
const TEXT = { to: '1-5551234567', text: 'Disk full' };
const answerable = { text: 'Disk full Reply ack 7kqmxz or close 7kqmxz', codes: [replyCode()] };

let codes: MemoryReplyCodes;
let sent: TextMessage[];
let troubles: unknown[];
let result: SendResult;

beforeEach(() => {
  codes = new MemoryReplyCodes();
  [sent, troubles] = [[], []];
  result = { kind: 'accepted', response: 'SM1' };
});

const texts = (kept: Pick<MemoryReplyCodes, 'keep'> = codes) =>
  new AnswerableTexts({
    provider: {
      name: 'twilio',
      tellsReceipts: true,
      send: async (message) => {
        // Each code that somebody has is known.
        if (message.text.includes('7kqmxz')) expect(await codes.find('15551234567', '7kqmxz')).toBeDefined();
        sent.push(message);
        return result;
      },
    },
    codes: kept,
    onTrouble: (error) => troubles.push(error),
  });

describe('text messages to which people may reply', () => {
  it('go out with their code, once that is kept', async () => {
    expect(await texts().send({ ...TEXT, answerable }, ATTEMPT)).toEqual(result);
    expect(sent).toEqual([{ to: TEXT.to, text: answerable.text }]);
    expect(await codes.find('15551234567', '7kqmxz')).toEqual(replyCode());
  });

  it('go out without a code that cannot be kept', async () => {
    const away = { keep: () => Promise.reject(new Error('the database is away')) };
    expect(await texts(away).send({ ...TEXT, answerable }, ATTEMPT)).toEqual(result);
    expect([sent, troubles]).toEqual([[TEXT], [new Error('the database is away')]]);
  });

  it('have no code where they call nobody to an alert', async () => {
    await texts().send(TEXT, ATTEMPT);
    expect(sent).toEqual([TEXT]);
  });

  it.each(['temporary', 'permanent', 'unknown'] as const)(
    'tell no code where the provider repeats it (%s)',
    async (kind) => {
      result = { kind, reason: 'it answered 400: ack 7kqmxz is odd' };
      expect(await texts().send({ ...TEXT, answerable }, ATTEMPT)).toEqual({
        kind,
        reason: 'it answered 400: ack [code] is odd',
      });
      result = { kind: 'accepted', response: 'it answered 200: 7kqmxz' };
      expect(await texts().send({ ...TEXT, answerable }, ATTEMPT)).toMatchObject({
        response: 'it answered 200: [code]',
      });
    },
  );

  it('are those of their provider, by its name', () => {
    expect(texts()).toMatchObject({ name: 'twilio', tellsReceipts: true });
  });
});
