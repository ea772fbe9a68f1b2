import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SendResult } from '../../messages/attempts.ts';
import { replyCode } from '../../testing/act-samples.ts';
import type { ReplyCode } from '../../answers/reply.ts';
import type { TextMessage } from './message.ts';
import { AnswerableTexts } from './answerable-texts.ts';

const ATTEMPT = { deliveryId: 'd1', attempt: 1 };
const TEXT = { to: '1-5551234567', text: 'Disk full' };
const answerable = { text: 'Disk full Reply ack 7kqmxz or close 7kqmxz', codes: [replyCode()] };

let kept: ReplyCode[];
let sent: TextMessage[];
let troubles: unknown[];
let result: SendResult;

beforeEach(() => {
  [kept, sent, troubles] = [[], [], []];
  result = { kind: 'accepted', response: 'SM1' };
});

const codes = {
  keep: (code: ReplyCode): Promise<void> => {
    kept.push(code);
    return Promise.resolve();
  },
};

const texts = (keptIn = codes) =>
  new AnswerableTexts({
    provider: {
      name: 'twilio',
      sendsReceipts: true,
      send: (message) => {
        // A code is stored before a user can have it.
        if (message.text.includes('7kqmxz')) expect(kept).toContainEqual(replyCode());
        sent.push(message);
        return Promise.resolve(result);
      },
    },
    codes: keptIn,
    onFailure: (error) => troubles.push(error),
    storeTimeoutMs: 10,
  });

describe('text messages to which people may reply', () => {
  it('go out with their code, once that is kept', async () => {
    expect(await texts().send({ ...TEXT, answerable }, ATTEMPT)).toEqual(result);
    expect(sent).toEqual([{ to: TEXT.to, text: answerable.text }]);
    expect(kept).toEqual([replyCode()]);
  });

  it('go out without a code that cannot be kept', async () => {
    const failing = { keep: () => Promise.reject(new Error('the database is unavailable')) };
    expect(await texts(failing).send({ ...TEXT, answerable }, ATTEMPT)).toEqual(result);
    expect([sent, troubles]).toEqual([[TEXT], [new Error('the database is unavailable')]]);
  });

  it('have no code where they ask for no answer to an alert', async () => {
    await texts().send(TEXT, ATTEMPT);
    expect(sent).toEqual([TEXT]);
  });

  it.each(['temporary', 'permanent', 'unknown'] as const)(
    'repeat what the provider says, but nothing of it where it repeats a code in any form (%s)',
    async (kind) => {
      const send = () => texts().send({ ...TEXT, answerable }, ATTEMPT);
      for (const repeated of [
        'ack 7kqmxz',
        'ACK 7KQMXZ',
        '7 kq-mxz',
        '376b716d787a',
        '0037 006B 0071 006D 0078 007A',
      ]) {
        result = { kind, reason: `it answered 400: ${repeated} is odd` };
        expect(JSON.stringify(await send())).toMatch(
          /^\{"kind":"\w+","reason":"it (may have been|was) [a-z ]+ \(it answered 400\)"\}$/,
        );
        result = { kind: 'accepted', response: `it answered 200: ${repeated}` };
        expect(await send()).toEqual({ kind: 'accepted', response: 'it was taken (it answered 200)' });
      }
      result = { kind, reason: 'it answered 400: this number is odd' };
      expect(await send()).toEqual(result);
    },
  );

  it('are sent without a code that takes too long to store: a slow database does not delay a page', async () => {
    const slow = { keep: () => new Promise<void>(() => undefined) };
    expect(await texts(slow).send({ ...TEXT, answerable }, ATTEMPT)).toEqual(result);
    expect([sent, troubles]).toEqual([[TEXT], [new Error('it takes longer than 10 ms')]]);
  });

  it('are not sent once another process has the queue, which it may have taken while a code was kept', async () => {
    const failing = { keep: () => Promise.reject(new Error('the database is unavailable')) };
    for (const keptIn of [codes, failing])
      expect(await texts(keptIn).send({ ...TEXT, answerable }, { ...ATTEMPT, isLeased: () => false })).toMatchObject({
        kind: 'temporary',
      });
    expect(sent).toEqual([]);
  });

  it('are those of their provider, by its name', () => {
    expect(texts()).toMatchObject({ name: 'twilio', sendsReceipts: true });
  });
});
