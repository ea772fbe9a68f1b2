import { beforeEach, describe, expect, it } from '@jest/globals';
import { HOW_TO_REPLY } from './reply.ts';
import { replyCode } from '../testing/act-samples.ts';
import { adaBy, AGREED_TOKEN, BASE_URL, PHONE, useAnswers, type AnswersUnderTest } from '../testing/answers-fixture.ts';
import { ada } from '../testing/page-samples.ts';

const URL_OF_TWILIO = `${BASE_URL}/callbacks/twilio`;
const URL_OF_GATEWAY = `${BASE_URL}/callbacks/http?token=${AGREED_TOKEN}`;
const FROM = '+15551234567';

const setUp = useAnswers();
let service: AnswersUnderTest;

/** Ada got a text message about the alert `a1`, with a code. */
beforeEach(async () => {
  service = await setUp(adaBy('sms'));
  await service.codes.keep(replyCode());
});

/** Twilio reports a text message, which it has given an id. */
async function reply(text: string, from = FROM, authToken?: string) {
  const fields = { MessageSid: 'SM1', From: from, To: '+15550100', Body: text };
  const answer = await service.call(URL_OF_TWILIO, fields, authToken);
  return { ...answer, said: /<Message>([^<]*)<\/Message>/.exec(answer.text)?.[1] };
}

const SILENCE = { status: 200, type: 'text/xml; charset=utf-8', text: '<Response/>' };

describe('a reply to a text message', () => {
  it('acknowledges the alert of its code, in the name of the contact’s owner, and is confirmed', async () => {
    expect(await reply(' Ack #7KQMXZ.')).toMatchObject({
      status: 200,
      type: 'text/xml; charset=utf-8',
      text: '<Response><Message>#7: your acknowledgement is accepted.</Message></Response>',
    });
    expect(await service.commands()).toMatchObject([
      { kind: 'acknowledge', requestId: 'answer:a1:p1:acknowledge', actor: 'ada@example.com', source: 'sms' },
    ]);
    expect((await service.decisions())[0]?.findings[0]).toMatchObject({
      text: 'ada@example.com acknowledges the alert by the reply of a text message to •••67.',
      facts: { by: 'reply', method: 'sms' },
    });
    expect(service.outcomes).toEqual(['acted']);
  });

  it('closes it, also after an acknowledgement', async () => {
    await reply('ack 7kqmxz');
    service.alertIs({ acknowledged: true });
    expect((await reply('close 7kqmxz')).said).toBe('#7: your order to close it is accepted.');
    expect(await service.ordered()).toEqual(['acknowledge', 'close']);
  });

  it('acts once, however often it is reported', async () => {
    await Promise.all([reply('ack 7kqmxz'), reply('ack 7kqmxz')]);
    expect((await reply('ack 7kqmxz')).said).toBe('#7: you have acknowledged it already.');
    expect([await service.ordered(), service.outcomes.at(-1)]).toEqual([['acknowledge'], 'repeated']);
  });

  it('is one act with a key of the same page', async () => {
    service.userIs(ada({ contacts: [...adaBy('sms').contacts, ...adaBy('voice').contacts] }));
    const about = { alertId: 'a1', page: 'p1', userId: 'ada', tinyId: '7', to: PHONE };
    await service.call(service.keyUrls.urlOf('twilio', { about, asked: 1 }), { Digits: '1' });
    expect((await reply('ack 7kqmxz')).said).toBe('#7: you have acknowledged it already.');
    expect(await service.ordered()).toEqual(['acknowledge']);
  });

  it('acts for the user whose code it has, where two users have one number', async () => {
    await service.codes.keep(replyCode({ code: '7bcdfg', userId: 'grace', page: 'p2' }));
    service.userIs({ ...adaBy('sms'), id: 'grace', username: 'grace@example.com' });
    await reply('ack 7bcdfg');
    expect(await service.commands()).toMatchObject([{ actor: 'grace@example.com' }]);
  });

  it.each([
    ['is acknowledged', 'ack', { acknowledged: true }, 'it is acknowledged already.'],
    ['is closed', 'ack', { status: 'closed' }, 'nothing was changed, it is closed.'],
    ['is closed', 'close', { status: 'closed' }, 'it is closed already.'],
    ['was deleted', 'ack', 'gone', 'nothing was changed, it was deleted.'],
  ] as const)('changes nothing of an alert that %s (%s)', async (_, word, change, said) => {
    service.alertIs(change);
    expect((await reply(`${word} 7kqmxz`)).said).toBe(`#7: ${said}`);
    expect([await service.ordered(), service.outcomes]).toEqual([[], ['pointless']]);
  });

  it.each([
    ['a user who is gone', undefined, 'your user is blocked or gone.'],
    ['a user who is blocked', { ...adaBy('sms'), blocked: true }, 'your user is blocked or gone.'],
    ['a contact that is disabled', adaBy('sms', { enabled: false }), 'this number is not in use any more.'],
    [
      'a contact with another number by now',
      adaBy('sms', { to: '1-5550000000' }),
      'this number is not in use any more.',
    ],
  ])('changes nothing for %s', async (_, user, said) => {
    service.userIs(user);
    expect((await reply('ack 7kqmxz')).said).toBe(`#7: nothing was changed, ${said}`);
    expect([await service.ordered(), service.outcomes]).toEqual([[], ['unusable']]);
  });

  it('changes nothing once its code has expired, and says so', async () => {
    service.clock.advance(7 * 86_400_000 - 1);
    await reply('ack 7kqmxz');
    service.clock.advance(1);
    expect((await reply('close 7kqmxz')).said).toBe('#7: nothing was changed, the code has expired.');
    expect(await service.ordered()).toEqual(['acknowledge']);
  });

  it('with an unknown code, or an unreadable one, is answered with instructions, and changes nothing', async () => {
    expect((await reply('ack 7zzzzz')).said).toBe(HOW_TO_REPLY);
    expect((await reply('who is this?')).said).toBe(HOW_TO_REPLY);
    expect(await reply('I am on holiday')).toMatchObject(SILENCE);
    service.clock.advance(600_000);
    expect((await reply('ack')).said).toBe(HOW_TO_REPLY);
    expect([await service.ordered(), new Set(service.outcomes)]).toEqual([[], new Set(['unreadable'])]);
  });

  it.each(['+15559999999', '5551234567', '', 'ALERTS', '+1555123456712345678901'])(
    'from %j, to which no message went, is not answered, whatever it says',
    async (from) => {
      expect(await reply('ack 7kqmxz', from)).toMatchObject(SILENCE);
      expect(await reply('hello', from)).toMatchObject(SILENCE);
      expect([await service.ordered(), service.outcomes]).toEqual([[], ['stranger', 'stranger']]);
    },
  );

  it('is not heard any more beyond twenty of one number, until a minute has passed', async () => {
    for (let sent = 0; sent < 20; sent += 1) await reply('ack 7zzzzz');
    expect(await reply('ack 7kqmxz')).toMatchObject(SILENCE);
    expect([await service.ordered(), service.outcomes.at(-1)]).toEqual([[], 'limited']);
    service.clock.advance(60_000);
    expect((await reply('ack 7kqmxz')).said).toContain('is accepted');
  });

  it('is refused where Twilio has not signed it', async () => {
    expect(await reply('ack 7kqmxz', FROM, 'a-guess')).toMatchObject({ status: 403 });
    expect([await service.ordered(), service.outcomes]).toEqual([[], ['refused']]);
  });

  it('may be sent again where directory does not answer who its user is', async () => {
    service.unavailable.directory = true;
    expect(await reply('ack 7kqmxz')).toMatchObject({ status: 503 });
    service.unavailable.directory = false;
    expect((await reply('ack 7kqmxz')).said).toContain('is accepted');
    expect(await service.ordered()).toEqual(['acknowledge']);
  });

  it('is ignored where Twilio reports something else at its URL', async () => {
    const answer = await service.call(URL_OF_TWILIO, { MessageSid: 'SM1', MessageStatus: 'delivered' });
    expect([answer.status, service.outcomes]).toEqual([200, ['ignored']]);
  });
});

describe('a reply by a gateway', () => {
  const fields = { sender: '0015551234567', content: 'ack 7kqmxz' };

  it('is accepted with the agreed token and the fields of the settings, and gets an empty answer', async () => {
    const { status, text } = await service.call(URL_OF_GATEWAY, fields);
    expect([status, JSON.parse(text)]).toMatchObject([200, { result: 'Taken' }]);
    expect([await service.ordered(), service.outcomes]).toEqual([['acknowledge'], ['acted']]);
  });

  it('is refused with another token, without one, and with that of a provider that signs', async () => {
    for (const url of [`${URL_OF_GATEWAY}x`, `${BASE_URL}/callbacks/http`, URL_OF_GATEWAY.replace('/http', '/twilio')])
      expect(await service.call(url, fields)).toMatchObject({ status: 403 });
    expect([await service.ordered(), new Set(service.outcomes)]).toEqual([[], new Set(['refused'])]);
  });
});
