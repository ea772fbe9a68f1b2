import { beforeEach, describe, expect, it } from '@jest/globals';
import { startMessageGateway, startTwilio, twilioSettings, type Scenario } from '@tocsin/testkit';
import { watchProviders } from './system/providers.ts';
import { useSystem } from './system/system.ts';

const twilio = await startTwilio();
const gateway = await startMessageGateway();
const system = useSystem({
  SMS_PROVIDERS: 'twilio,http',
  VOICE_PROVIDERS: 'twilio',
  ...twilioSettings(twilio.url),
  SMS_HTTP_URL: `${gateway.url}/send`,
  SMS_HTTP_BODY: '{"to": "{{to}}", "text": "{{text}}"}',
});
watchProviders(twilio, gateway);
const PHONE = '1-5551234567';
let scenario: Scenario;
let ada: string;

/** Ada has a phone for text messages and calls: her rule mails her at once, sends a text after 5 and calls her after 10 minutes (U1). */
beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  ada = scenario.address('ada');
  for (const method of ['sms', 'voice']) await system.api.create(`/v2/users/${ada}/contacts`, { method, to: PHONE });
  await system.settle();
});

const alertAda = (of: string) =>
  scenario.alert({ message: `Disk of ${of}`, alias: scenario.name(of), responders: [scenario.user('ada')] });
async function acknowledge(of: string): Promise<void> {
  await scenario.act(scenario.name(of), 'acknowledge');
  await system.settle();
}

/** The messages that Twilio accepted and the test did not request yet. */
async function taken(): Promise<readonly string[]> {
  const came = twilio.unexpected().map(({ content, kind, to }) => `${kind} to ${to}: ${content}`);
  while (twilio.unexpected().length > 0) await twilio.received(() => true, { timeoutMs: 0 });
  return came;
}

describe('a person with a mailbox and a phone', () => {
  it('is mailed at once, gets a text after 5 minutes and is called after 10', async () => {
    await alertAda('db');
    await system.mailed(ada, 'Disk of db');
    await system.pass(4);
    expect(await taken()).toEqual([]);
    await system.pass(1);
    expect(await taken()).toEqual([expect.stringMatching(/^message to \+15551234567: P3 #\d+: Disk of db$/)]);
    await system.pass(4);
    expect(await taken()).toEqual([]);
    await system.pass(1);
    expect(await taken()).toEqual([
      expect.stringMatching(/^call to \+15551234567: .*priority 3\. It says: Disk of db<\/Say>/),
    ]);
    await system.pass(60);
  });

  it('receives no further message after an acknowledgement', async () => {
    await alertAda('web');
    await system.mailed(ada, 'Disk of web');
    await system.pass(5);
    expect(await taken()).toHaveLength(1);
    await acknowledge('web');
    await system.pass(60);
    expect(await taken()).toEqual([]);
    expect(await scenario.logOf(scenario.name('web'))).toContain(
      `The call to ${ada} was not sent: the alert was acknowledged.`,
    );
  });
});

describe('a text message that the first provider refuses for good', () => {
  it('comes once, from the next one, and the log names both', async () => {
    twilio.next({ refuse: 400, body: JSON.stringify({ code: 21_610, message: 'Unsubscribed recipient' }) });
    await alertAda('queue');
    await system.mailed(ada, 'Disk of queue');
    await system.pass(5);
    const { body } = await gateway.received(() => true, { timeoutMs: 0 });
    const text: unknown = expect.stringMatching(/^P3 #\d+: Disk of queue$/);
    expect(JSON.parse(body)).toEqual({ to: '+15551234567', text });
    const log = await scenario.logOf(scenario.name('queue'));
    expect(log).toContain(
      `The text message to ${ada} failed by [twilio] and goes to another provider: it answered 400: 21610 Unsubscribed recipient.`,
    );
    expect(log).toContain(`The text message to ${ada} was handed over by [http]: it answered 200`);
    await acknowledge('queue');
    expect(await taken()).toEqual([]);
  });
});
