import { beforeEach, describe, expect, it } from '@jest/globals';
import { useSystem } from './system/system.ts';
import type { Scenario } from './system/scenario.ts';

const system = useSystem({ CONTACT_VERIFICATION: 'required' });
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
  const rules = `/v2/users/${ada}/notification-rules`;
  const listed = await system.api.read<readonly { id: string; actionType: string }[]>(rules);
  const rule = listed.find(({ actionType }) => actionType === 'create-alert');
  const steps = [ada, home].map((to) => ({
    contact: { method: 'email', to },
    sendAfter: { timeAmount: 0 },
    enabled: true,
  }));
  await system.api.expect(200, 'PATCH', `${rules}/${rule?.id}`, { steps });
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

  it('gets another code by send-contact-verification, at most once a minute, and the older one is of no use', async () => {
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

  it('of a phone waits as well, although nothing can bring it its code yet', async () => {
    await mailedCode();
    const { id } = await system.api.create(`/v2/users/${ada}/contacts`, { method: 'sms', to: '1-5551234567' });
    await system.settle();
    const { status } = await system.api.read<{ status: unknown }>(`/v2/users/${ada}/contacts/${id}`);
    expect(status).toEqual({ enabled: true, disabledReason: 'Contact is not verified yet.' });
  });
});
