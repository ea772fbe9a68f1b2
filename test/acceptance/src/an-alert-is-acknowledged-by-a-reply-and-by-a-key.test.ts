import { beforeEach, describe, expect, it } from '@jest/globals';
import { pressKey, sendText, startTwilio, twilioSettings, type Scenario, type TwilioMessage } from '@tocsin/testkit';
import { watchProviders } from './system/providers.ts';
import { useSystem } from './system/system.ts';

const twilio = await startTwilio();
const system = useSystem({
  SMS_PROVIDERS: 'twilio',
  VOICE_PROVIDERS: 'twilio',
  ...twilioSettings(twilio.url),
  CALLBACK_URL: 'https://tocsin.example.com',
});
watchProviders(twilio);
const PHONE = '1-5551234567';
/** The URLs in the settings at Twilio. */
const REPLY_URL = 'https://tocsin.example.com/callbacks/twilio';
let scenario: Scenario;
let ada: string;

/** Ada has a phone: her rule mails her at once, sends a text after 5 minutes, and calls her after 10 (U1). */
beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  ada = scenario.address('ada');
  for (const method of ['sms', 'voice']) await system.api.create(`/v2/users/${ada}/contacts`, { method, to: PHONE });
  await system.settle();
});

interface AlertRead {
  readonly acknowledged: boolean;
  readonly status: string;
  readonly owner: string;
  readonly tinyId: string;
}

/** Where Twilio reaches the gateway of the system. */
const here = (options: { authToken?: string } = {}) => ({ ...options, at: system.api.url });
let id: string;
const read = () => system.api.read<AlertRead>(`/v2/alerts/${id}`);
const explained = async () => JSON.stringify(await system.api.read(`/v2/alerts/${id}/explanation`));

async function open(of: string): Promise<void> {
  await scenario.alert({ message: `Disk of ${of}`, alias: scenario.name(of), responders: [scenario.user('ada')] });
  await system.mailed(ada, `Disk of ${of}`);
  ({ id } = await scenario.alertOf<{ id: string }>(scenario.name(of)));
}

/** The messages about an alert that Twilio accepted. */
const taken = (kind: TwilioMessage['kind'], of: string) =>
  twilio.received((message) => message.kind === kind && message.content.includes(`Disk of ${of}`), { timeoutMs: 0 });

/** The call about an alert, after the text message that came before it. */
async function callOf(of: string): Promise<TwilioMessage> {
  await open(of);
  await system.pass(5);
  await taken('message', of);
  await system.pass(5);
  return taken('call', of);
}

describe('a key that is pressed during a call', () => {
  it('acknowledges its alert where it is 1, and later closes it where it is 2', async () => {
    const call = await callOf('db');
    expect(call.content).toContain('Press 1 to acknowledge, 2 to close.');
    const { tinyId } = await read();
    expect(await pressKey(call, '1', here())).toEqual({
      status: 200,
      type: 'text/xml; charset=utf-8',
      content: `<Response><Say>Alert ${tinyId}: your acknowledgement is accepted.</Say></Response>`,
    });
    await system.settle();
    expect(await read()).toMatchObject({ acknowledged: true, status: 'open', owner: ada });
    expect((await pressKey(call, '1', here())).content).toContain('you have acknowledged it already.');
    expect((await pressKey(call, '2', here())).content).toContain('your order to close it is accepted.');
    await system.settle();
    expect(await read()).toMatchObject({ acknowledged: true, status: 'closed' });
    const said = await explained();
    expect(said).toContain(`${ada} acknowledges the alert by the key of a call to •••67.`);
    expect(said).toContain(`${ada} closes the alert by the key of a call to •••67.`);
  });

  it('changes nothing where it has no meaning, and where it is not Twilio that reports it', async () => {
    const call = await callOf('queue');
    const again = await pressKey(call, '7', here());
    expect(again.content).toContain('means nothing, and nothing was changed. Press 1 to acknowledge, 2 to close.');
    expect(await pressKey(call, '1', here({ authToken: 'a-guess' }))).toMatchObject({ status: 403 });
    await system.settle();
    expect(await read()).toMatchObject({ acknowledged: false, status: 'open' });
    expect((await pressKey(again, '2', here())).content).toContain('your order to close it is accepted.');
    await system.settle();
    expect(await read()).toMatchObject({ status: 'closed' });
  });
});

describe('a reply to a text message', () => {
  /** The code in the text message about an alert. */
  async function codeOf(of: string): Promise<string> {
    await open(of);
    await system.pass(5);
    const { content } = await taken('message', of);
    const [, code = ''] = / Reply ack (\d+[a-z]{5}) or close \1$/.exec(content) ?? [];
    return code;
  }

  const reply = (text: string, from = '+15551234567', options = {}) =>
    sendText(REPLY_URL, { from, text }, here(options));

  it('acknowledges its alert with ack, so that no user is called, and later closes it with close', async () => {
    const code = await codeOf('web');
    const { tinyId } = await read();
    expect(await reply(`Ack #${code.toUpperCase()} `)).toEqual({
      status: 200,
      type: 'text/xml; charset=utf-8',
      content: `<Response><Message>#${tinyId}: your acknowledgement is accepted.</Message></Response>`,
    });
    await system.settle();
    expect(await read()).toMatchObject({ acknowledged: true, status: 'open', owner: ada });
    await system.pass(10);
    expect(twilio.unexpected()).toEqual([]);
    expect((await reply(`ack ${code}`)).content).toContain('you have acknowledged it already.');
    expect((await reply(`close ${code}`)).content).toContain('your order to close it is accepted.');
    await system.settle();
    expect(await read()).toMatchObject({ status: 'closed' });
    expect((await reply(`ack ${code}`)).content).toContain('nothing was changed, it is closed.');
    const said = await explained();
    expect(said).toContain(`${ada} acknowledges the alert by the reply of a text message to •••67.`);
    expect(said).toContain(`${ada} closes the alert by the reply of a text message to •••67.`);
  });

  it('changes nothing from another number, with another code, or where it is not Twilio that reports it', async () => {
    const code = await codeOf('mail');
    expect(await reply(`ack ${code}`, '+15557654321')).toMatchObject({ status: 200, content: '<Response/>' });
    expect((await reply('ack 7zzzzz')).content).toContain('Nothing was changed. Reply ack or close');
    expect(await reply(`ack ${code}`, undefined, { authToken: 'a-guess' })).toMatchObject({ status: 403 });
    await system.settle();
    expect(await read()).toMatchObject({ acknowledged: false, status: 'open' });
    expect((await reply(`close ${code}`)).content).toContain('is accepted');
    await system.settle();
  });
});
