import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OutgoingCaller } from '@tocsin/http';
import { anyCodePoint, startTwilio, TWILIO_ACCOUNT } from '@tocsin/testkit';
import type { Call } from '../voice/message.ts';
import { TwilioVoice, type TwilioVoiceSettings } from './twilio.ts';
import { spokenOnce, spokenTwice } from './twiml.ts';

const CALL = { to: '1-5551234567', text: 'Disk <full> & "gone"' };
const ABOUT = { alertId: 'a1', page: 'p1', userId: 'ada', tinyId: '7', to: CALL.to };
const URL = 'https://tocsin.example.com/callbacks/twilio?token=a.1.b';
const KEYS = { choice: 'Press 1.', url: URL };

/** The TwiML of a call. */
async function callOf(call: Call, keyUrls?: TwilioVoiceSettings['keyUrls']) {
  const twilio = await startTwilio();
  const account = { accountSid: TWILIO_ACCOUNT.sid, authToken: TWILIO_ACCOUNT.token, url: twilio.url };
  const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
  const voice = new TwilioVoice({ ...account, from: '+15550001111', keyUrls }, outgoing);
  expect(await voice.send(call, { deliveryId: 'd1', attempt: 1 })).toMatchObject({ kind: 'accepted' });
  const { content, to } = await twilio.received(({ kind }) => kind === 'call');
  await twilio.stop();
  return { content, to };
}

describe('TwilioVoice', () => {
  const say = '<Say>Disk &lt;full&gt; &amp; &quot;gone&quot;</Say>';
  const plain = `<Response><Pause length="1"/>${say}<Pause length="1"/>${say}</Response>`;

  it('calls, and says the text twice', async () => {
    expect(await callOf(CALL)).toEqual({ to: '+15551234567', content: plain });
  });

  it('takes a key as the answer to an alert, and says what the keys do', async () => {
    const asked: unknown[] = [];
    const urlOf = (...question: unknown[]): string => {
      asked.push(question);
      return `${URL}&more`;
    };
    const { content } = await callOf({ ...CALL, about: ABOUT }, { urlOf });
    const spoken = say.replace('</Say>', ' Press 1 to acknowledge, 2 to close.</Say>');
    const gather = `<Gather numDigits="1" finishOnKey="" timeout="8" method="POST" action="${URL}&amp;more">`;
    expect(content).toBe(
      `<Response><Pause length="1"/>${gather}${spoken}<Pause length="1"/>${spoken}</Gather></Response>`,
    );
    expect(asked).toEqual([['twilio', { about: ABOUT, asked: 1 }]]);
  });

  it('asks for no key where Twilio has no URL to report it to, and in a call that is about no alert', async () => {
    expect((await callOf({ ...CALL, about: ABOUT })).content).toBe(plain);
    expect((await callOf(CALL, { urlOf: () => URL })).content).toBe(plain);
  });
});

describe('TwiML', () => {
  const text = fc.string({ unit: anyCodePoint, maxLength: 5_000, size: 'max' });
  const anyText = fc.oneof(
    text,
    text.map((part) => part + '&'.repeat(3_000)),
  );
  const SAID = /^<Response><Pause length="1"\/><Say>([^<>]*)<\/Say><Pause length="1"\/><Say>\1<\/Say><\/Response>$/;

  /** Checks what holds of any; answers what is said. */
  function checked(twiml: string): string {
    expect(twiml.length).toBeLessThanOrEqual(4_000);
    const [, said = ''] = SAID.exec(twiml.replace(/<Gather [^<>]*>/, '').replace('</Gather>', '')) ?? ['', '&'];
    expect(said).toMatch(/^(?:[^&]|&(?:amp|lt|gt|quot|apos);)*$/);
    expect(twiml.isWellFormed()).toBe(true);
    // eslint-disable-next-line no-control-regex -- XML knows none of them.
    expect(twiml).not.toMatch(/[\0-\x08\v\f\x0e-\x1f\uFFFE\uFFFF]/);
    return said;
  }

  it('of any text is well-formed, says nothing but the text, and fits', () => {
    fc.assert(
      fc.property(anyText, (any) => {
        checked(spokenTwice(any));
      }),
      { numRuns: 50 },
    );
  });

  it('always says what the keys do, however long the text is', () => {
    fc.assert(
      fc.property(anyText, (any) => {
        expect(checked(spokenTwice(any, KEYS))).toMatch(/ Press 1\.$/);
      }),
      { numRuns: 50 },
    );
  });

  it('says an answer once, and asks again only where there is a URL to report the key to', () => {
    expect(spokenOnce('Taken & done')).toBe('<Response><Say>Taken &amp; done</Say></Response>');
    expect(spokenOnce('Again.', KEYS)).toMatch(
      /^<Response><Gather [^<>]*><Say>Again\. Press 1\.<\/Say><\/Gather><\/Response>$/,
    );
  });
});
