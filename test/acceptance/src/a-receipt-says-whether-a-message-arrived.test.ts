import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  postForm,
  sendTwilioReceipt,
  startMessageGateway,
  startTwilio,
  twilioSettings,
  type Scenario,
  type TwilioMessage,
} from '@tocsin/testkit';
import { watchProviders } from './system/providers.ts';
import { useSystem } from './system/system.ts';

const twilio = await startTwilio();
const gateway = await startMessageGateway();
const system = useSystem({
  SMS_PROVIDERS: 'twilio,http',
  ...twilioSettings(twilio.url),
  SMS_HTTP_URL: `${gateway.url}/send`,
  SMS_HTTP_BODY: '{"to": "{{to}}", "text": "{{text}}", "callback": "{{callbackUrl}}"}',
  CALLBACK_URL: 'https://tocsin.example.com',
});
watchProviders(twilio, gateway);
const PHONE = '1-5551234567';
let scenario: Scenario;
let ada: string;

/** Ada has a phone: her rule mails her at once, and sends a text after 5 minutes (U1). */
beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  ada = scenario.address('ada');
  await system.api.create(`/v2/users/${ada}/contacts`, { method: 'sms', to: PHONE });
  await system.settle();
});

/** The text message about an alert, as Twilio has taken it. */
async function textOf(of: string): Promise<TwilioMessage> {
  await scenario.alert({ message: `Disk of ${of}`, alias: scenario.name(of), responders: [scenario.user('ada')] });
  await system.mailed(ada, `Disk of ${of}`);
  await system.pass(5);
  return twilio.received(({ content }) => content.includes(`Disk of ${of}`), { timeoutMs: 0 });
}

/** Sends the report of Twilio about a message to the gateway of the system; resolves with the status of the answer. */
async function sendReceipt(
  message: TwilioMessage,
  status: string,
  options: { authToken?: string; errorCode?: number } = {},
) {
  const heard = await sendTwilioReceipt(message, status, { ...options, at: system.api.url });
  await system.settle();
  return heard;
}

const log = (of: string) => scenario.logOf(scenario.name(of));
async function acknowledge(of: string): Promise<void> {
  await scenario.act(scenario.name(of), 'acknowledge');
  await system.settle();
}

describe('a text message that arrived', () => {
  it('is in the log once, however often and in whatever order the provider says so', async () => {
    const message = await textOf('db');
    expect(await sendReceipt(message, 'delivered')).toBe(200);
    expect(await sendReceipt(message, 'sent')).toBe(200);
    expect(await sendReceipt(message, 'delivered')).toBe(200);
    expect(await sendReceipt(message, 'undelivered', { errorCode: 30_003 })).toBe(200);
    await system.pass(1);
    const said = `The text message to ${ada} was delivered: its receipt says delivered.`;
    const entries = (await log('db')).split('\n').filter((entry) => entry.includes('receipt'));
    expect(entries).toEqual([expect.stringContaining(said)]);
    await acknowledge('db');
  });
});

describe('a text message that did not arrive after all', () => {
  it('goes to the next provider, which says what became of it by the URL that it was given', async () => {
    const message = await textOf('queue');
    await system.pass(2);
    expect(await sendReceipt(message, 'undelivered', { errorCode: 30_003 })).toBe(200);
    const { body } = await gateway.received(() => true, { timeoutMs: 0 });
    const { callback, text, to } = JSON.parse(body) as { callback: string; text: string; to: string };
    expect([to, text]).toEqual(['+15551234567', expect.stringContaining('Disk of queue')]);
    expect(await sendReceipt(message, 'undelivered', { errorCode: 30_003 })).toBe(200);
    const { pathname, search } = new URL(callback);
    expect(await postForm(`${system.api.url}${pathname}${search}`, { status: 'DELIVRD' })).toBe(200);
    await system.settle();
    const said = await log('queue');
    expect(said).toContain(
      `The text message to ${ada} failed by [twilio] and goes to another provider: its receipt says undelivered (30003).`,
    );
    expect(said).toContain(`The text message to ${ada} was delivered by [http]: its receipt says DELIVRD.`);
    await acknowledge('queue');
  });

  it('goes to no user after an acknowledgement', async () => {
    const message = await textOf('web');
    await acknowledge('web');
    expect(await sendReceipt(message, 'failed')).toBe(200);
    expect(await log('web')).toContain(`The text message to ${ada} was not sent: the alert was acknowledged.`);
  });

  it('goes to no user once its time is over', async () => {
    const message = await textOf('cache');
    await system.pass(16);
    expect(await sendReceipt(message, 'failed')).toBe(200);
    expect(await log('cache')).toContain(`The text message to ${ada} failed: its receipt says failed.`);
    await acknowledge('cache');
  });
});

describe('a call that is not the provider’s', () => {
  it('is refused, and changes nothing', async () => {
    const message = await textOf('mail');
    expect(await sendReceipt(message, 'delivered', { authToken: 'a-guess' })).toBe(403);
    const forged = {
      ...message,
      parameters: { StatusCallback: 'https://tocsin.example.com/callbacks/twilio?token=a.1.b' },
    };
    expect(await sendReceipt(forged, 'delivered')).toBe(403);
    expect(await log('mail')).not.toContain('receipt');
    await acknowledge('mail');
  });
});
