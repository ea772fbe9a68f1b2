import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTwilio, stepTo, twilioSettings, type Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const twilio = await startTwilio();
const system = useSystem({
  CONTACT_VERIFICATION: 'required',
  SMS_PROVIDERS: 'twilio',
  VOICE_PROVIDERS: 'twilio',
  ...twilioSettings(twilio.url),
});
afterAll(() => twilio.stop());
let scenario: Scenario;
let ada: string;
let home: string;
let contact: string;

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  [ada, home] = [scenario.address('ada'), scenario.address('ada.home')];
  const { id } = await system.api.create(`/v2/users/${ada}/contacts`, { method: 'email', to: home });
  contact = `/v2/users/${ada}/contacts/${id}`;
});

/** The newest code that was mailed to the contact and not read before. */
async function mailedCode(): Promise<string> {
  await system.settle();
  const { text } = await system.mailbox.received(home, 'verification code', { timeoutMs: 0 });
  return /^\d{6}$/m.exec(text)?.[0] ?? '';
}

/** Has every new alert mailed to both addresses of Ada at once. */
async function mailToBoth(): Promise<void> {
  await scenario.changeRule('ada', 'create-alert', { steps: [ada, home].map((to) => stepTo(to)) });
}

const alertAda = (of: string) =>
  scenario.alert({ message: `Disk of ${of}`, alias: scenario.name(of), responders: [scenario.user('ada')] });

const verified = async () =>
  (await system.api.read<{ status: { disabledReason?: string } }>(contact)).status.disabledReason === undefined;

describe('where contacts are confirmed, a new one', () => {
  it('is passed over until confirm-contact brings the code that was mailed to it, and is mailed from then on', async () => {
    const code = await mailedCode();
    await mailToBoth();
    await system.settle();
    await alertAda('db');
    await system.mailed(ada, 'Disk of db');
    expect(system.mailbox.unexpected()).toEqual([]);
    expect(await verified()).toBe(false);

    const wrong = code === '000000' ? '000001' : '000000';
    await system.api.expect(422, 'POST', `${contact}/verification/confirm`, { code: wrong });
    const { body } = await system.api.expect(200, 'POST', `${contact}/verification/confirm`, { code });
    expect(body).toMatchObject({ result: 'Verified' });
    expect(await verified()).toBe(true);
    await system.settle();
    await alertAda('web');
    await system.mailed(ada, 'Disk of web');
    await system.mailed(home, 'Disk of web');
  });

  it('gets another code by send-contact-verification, at most once a minute, and the older one is not valid', async () => {
    const older = await mailedCode();
    const { headers } = await system.api.expect(429, 'POST', `${contact}/verification`);
    expect(headers.get('retry-after')).toBe('60');
    await system.pass(1);
    const { body } = await system.api.expect(200, 'POST', `${contact}/verification`);
    expect(body).toMatchObject({ result: 'Requested' });
    const code = await mailedCode();
    if (older !== code) await system.api.expect(422, 'POST', `${contact}/verification/confirm`, { code: older });
    await system.api.expect(200, 'POST', `${contact}/verification/confirm`, { code });
  });

  it('is not confirmed by a code of ten minutes ago', async () => {
    const code = await mailedCode();
    await system.pass(10);
    const { body } = await system.api.expect(422, 'POST', `${contact}/verification/confirm`, { code });
    expect(body).toMatchObject({ errors: { code: 'has expired; ask for a new one' } });
  });

  it.each([
    ['sms', 'message', /^(\d{6}) is your verification code for /],
    ['voice', 'call', /code is ((\d, ){5}\d)\.<\/Say>/],
  ] as const)('of a phone gets its code by %s', async (method, kind, pattern) => {
    await mailedCode();
    const { id } = await system.api.create(`/v2/users/${ada}/contacts`, { method, to: '1-5551234567' });
    await system.settle();
    const { content } = await twilio.received((message) => message.kind === kind, { timeoutMs: 0 });
    const code = (pattern.exec(content)?.[1] ?? '').replaceAll(', ', '');
    const phone = `/v2/users/${ada}/contacts/${id}`;
    const status = async () => (await system.api.read<{ status: unknown }>(phone)).status;
    expect(await status()).toEqual({ enabled: true, disabledReason: 'Contact is not verified yet.' });
    await system.api.expect(200, 'POST', `${phone}/verification/confirm`, { code });
    expect(await status()).toEqual({ enabled: true });
    expect(twilio.unexpected()).toEqual([]);
  });
});
