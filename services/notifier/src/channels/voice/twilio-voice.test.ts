import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OutgoingCaller } from '@tocsin/http';
import { anyCodePoint, startTwilio, TWILIO_ACCOUNT } from '@tocsin/testing';
import { TwilioVoice } from './twilio-voice.ts';
import { spokenTwice } from './twiml.ts';

const CALL = { to: '1-5551234567', text: 'Disk <full> & "gone"' };

describe('TwilioVoice', () => {
  it('calls, and says the text twice', async () => {
    const twilio = await startTwilio();
    const account = { accountSid: TWILIO_ACCOUNT.sid, authToken: TWILIO_ACCOUNT.token, url: twilio.url };
    const voice = new TwilioVoice(
      { ...account, from: '+15550001111' },
      new OutgoingCaller({ allowedRanges: ['127.0.0.1'] }),
    );
    expect(await voice.send(CALL, { deliveryId: 'd1', attempt: 1 })).toMatchObject({ kind: 'accepted' });
    const say = '<Say>Disk &lt;full&gt; &amp; &quot;gone&quot;</Say>';
    expect(await twilio.received(({ kind }) => kind === 'call')).toMatchObject({
      to: '+15551234567',
      content: `<Response><Pause length="1"/>${say}<Pause length="1"/>${say}</Response>`,
    });
    await twilio.stop();
  });
});

describe('TwiML', () => {
  it('of any text is well-formed, says nothing but the text, and fits', () => {
    const text = fc.string({ unit: anyCodePoint, maxLength: 5_000, size: 'max' });
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((part) => part + '&'.repeat(3_000)),
        ),
        (any) => {
          const twiml = spokenTwice(any);
          expect(twiml.length).toBeLessThanOrEqual(4_000);
          const said =
            /^<Response><Pause length="1"\/><Say>([^<>]*)<\/Say><Pause length="1"\/><Say>\1<\/Say><\/Response>$/.exec(
              twiml,
            );
          expect(said?.[1]).toMatch(/^(?:[^&]|&(?:amp|lt|gt|quot|apos);)*$/);
          expect(twiml.isWellFormed()).toBe(true);
          // eslint-disable-next-line no-control-regex -- XML knows none of them.
          expect(twiml).not.toMatch(/[\0-\x08\v\f\x0e-\x1f\uFFFE\uFFFF]/);
        },
      ),
      { numRuns: 50 },
    );
  });
});
