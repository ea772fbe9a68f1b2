import { beforeEach, describe, expect, it } from '@jest/globals';
import { adaBy, PHONE, useAnswers, type AnswersUnderTest } from '../testing/answers-fixture.ts';
import { ada } from '../testing/page-samples.ts';

const about = { alertId: 'a1', page: 'p1', userId: 'ada', tinyId: '7', to: PHONE };

const setUp = useAnswers();
let service: AnswersUnderTest;

beforeEach(async () => {
  service = await setUp(adaBy('voice'));
});

const urlOf = () => service.keyUrls.urlOf('twilio', { about, asked: 1 });

/** Twilio reports a pressed key. */
async function press(key: string, url = urlOf(), authToken?: string) {
  const fields = { CallSid: 'CA1', CallStatus: 'in-progress', Digits: key };
  const answer = await service.call(url, fields, authToken);
  return { ...answer, said: /<Say>([^<]*)<\/Say>/.exec(answer.text)?.[1] };
}

const nextIn = (twiml: string): string | undefined => / action="([^"]*)"/.exec(twiml)?.[1];

describe('a key that is pressed during a call', () => {
  it('acknowledges the alert where it is 1, in the name of the contact’s owner, and confirms it', async () => {
    expect(await press('1')).toMatchObject({
      status: 200,
      type: 'text/xml; charset=utf-8',
      text: '<Response><Say>Alert 7: your acknowledgement is accepted.</Say></Response>',
    });
    expect(await service.commands()).toMatchObject([
      {
        kind: 'acknowledge',
        requestId: 'answer:a1:p1:acknowledge',
        identifier: { type: 'id', value: 'a1' },
        actor: 'ada@example.com',
        source: 'voice',
      },
    ]);
    expect((await service.decisions())[0]?.findings[0]).toMatchObject({
      text: 'ada@example.com acknowledges the alert by the key of a call to •••67.',
      facts: { by: 'key', method: 'voice' },
    });
    expect(service.outcomes).toEqual(['acted']);
  });

  it('closes it where it is 2, also after an acknowledgement', async () => {
    await press('1');
    service.alertIs({ acknowledged: true });
    expect((await press('2')).said).toBe('Alert 7: your order to close it is accepted.');
    expect(await service.ordered()).toEqual(['acknowledge', 'close']);
  });

  it('acts once, however often it is pressed or reported', async () => {
    await Promise.all([press('1'), press('1')]);
    expect((await press('1')).said).toBe('Alert 7: you have acknowledged it already.');
    expect([await service.ordered(), service.outcomes.at(-1)]).toEqual([['acknowledge'], 'repeated']);
  });

  it.each([
    ['is acknowledged', '1', { acknowledged: true }, 'it is acknowledged already.'],
    ['is closed', '1', { status: 'closed' }, 'nothing was changed, it is closed.'],
    ['is closed', '2', { status: 'closed' }, 'it is closed already.'],
    ['was deleted', '2', 'gone', 'nothing was changed, it was deleted.'],
  ] as const)('changes nothing of an alert that %s (key %s)', async (_, key, change, said) => {
    service.alertIs(change);
    expect((await press(key)).said).toBe(`Alert 7: ${said}`);
    expect([await service.ordered(), service.outcomes]).toEqual([[], ['pointless']]);
  });

  it('ends a snooze by an acknowledgement', async () => {
    service.alertIs({ acknowledged: true, snoozed: true });
    await press('1');
    expect(await service.ordered()).toEqual(['acknowledge']);
  });

  it.each([
    ['a user who is gone', undefined, 'your user is blocked or gone.'],
    ['a user who is blocked', { ...adaBy('voice'), blocked: true }, 'your user is blocked or gone.'],
    ['a contact that is disabled', adaBy('voice', { enabled: false }), 'this number is not in use any more.'],
    ['a contact that is not verified', adaBy('voice', { unverified: true }), 'this number is not in use any more.'],
    ['a contact that is gone', ada(), 'this number is not in use any more.'],
    ['a contact of another method', adaBy('sms'), 'this number is not in use any more.'],
  ])('changes nothing for %s', async (_, user, said) => {
    service.userIs(user);
    expect((await press('1')).said).toBe(`Alert 7: nothing was changed, ${said}`);
    expect([await service.ordered(), service.outcomes]).toEqual([[], ['unusable']]);
  });

  it.each(['3', '*', '', '11', '1;DROP'])('says the choice again where it is %j, three times in all', async (key) => {
    const first = await press(key);
    const second = await press(key, nextIn(first.text));
    for (const { said } of [first, second])
      expect(said).toContain('means nothing, and nothing was changed. Press 1 to acknowledge, 2 to close.');
    const url = nextIn(second.text);
    const { said, text } = await press(key, url);
    expect([said, nextIn(text)]).toEqual(['Alert 7: this key means nothing, and nothing was changed.', undefined]);
    expect((await press('1', url)).said).toContain('your acknowledgement is accepted');
    expect(service.outcomes).toEqual(['unreadable', 'unreadable', 'unreadable', 'acted']);
  });

  it('is refused where Twilio has not signed it, where its URL is not signed by Tocsin, and once that has expired', async () => {
    const url = urlOf();
    expect(await press('1', url, 'a-guess')).toMatchObject({ status: 403 });
    expect(await press('1', url.replace('token=', 'token=x'))).toMatchObject({ status: 403 });
    service.clock.advance(3 * 86_400_000);
    expect(await press('1', url)).toMatchObject({ status: 404 });
    expect([await service.ordered(), service.outcomes]).toEqual([[], ['refused', 'refused', 'expired']]);
  });

  it('may be pressed again where directory does not answer who its user is', async () => {
    service.unavailable.directory = true;
    expect(await press('1')).toMatchObject({ status: 503 });
    service.unavailable.directory = false;
    expect((await press('1')).said).toContain('is accepted');
    expect(await service.ordered()).toEqual(['acknowledge']);
  });
});
