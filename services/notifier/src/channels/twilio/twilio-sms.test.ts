import { describe, expect, it } from '@jest/globals';
import { OutgoingCaller } from '@tocsin/http';
import { startTwilio, TWILIO_ACCOUNT } from '@tocsin/testkit';
import { TwilioSms } from './twilio.ts';

const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
const account = { accountSid: TWILIO_ACCOUNT.sid, authToken: TWILIO_ACCOUNT.token };
const ATTEMPT = { deliveryId: 'd1', attempt: 1 };
const text = 'Disk full & 100 % + "ü" 🔥\nnow';

describe('TwilioSms', () => {
  it('sends the text as it is, to the number as Twilio writes it', async () => {
    const twilio = await startTwilio();
    const sms = new TwilioSms({ ...account, url: `${twilio.url}/`, from: '+15550001111' }, outgoing);
    await sms.send({ to: '44-7700900123', text }, ATTEMPT);
    expect(await twilio.received(({ kind }) => kind === 'message')).toMatchObject({
      to: '+447700900123',
      from: '+15550001111',
      content: text,
    });
    expect(twilio.unexpected()).toEqual([]);
    await twilio.stop();
  });

  it('sends by a messaging service where the sender is one, and names the URL for receipts', async () => {
    const twilio = await startTwilio();
    const service = `MG${'a'.repeat(32)}`;
    await new TwilioSms({ ...account, url: twilio.url, from: service }, outgoing).send(
      { to: '1-5551234567', text },
      { ...ATTEMPT, callbackUrl: 'https://tocsin.example.com/callbacks/twilio?token=a.b' },
    );
    expect(twilio.taken[0]?.parameters).toEqual({
      To: '+15551234567',
      MessagingServiceSid: service,
      Body: text,
      StatusCallback: 'https://tocsin.example.com/callbacks/twilio?token=a.b',
    });
    await twilio.stop();
  });

  it('gives the reason of Twilio against a message', async () => {
    const twilio = await startTwilio();
    const sms = new TwilioSms({ ...account, url: twilio.url, from: '+15550001111' }, outgoing);
    expect(await sms.send({ to: '1', text }, ATTEMPT)).toEqual({
      kind: 'permanent',
      reason: "it answered 400: 21211 The 'To' number +1 is not a valid phone number.",
    });
    await twilio.stop();
  });
});
