import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { type BrowserSubscription, byAlias, type Scenario, startPushService, stepTo } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const PUBLIC_URL = 'https://tocsin.example.com';
const service = await startPushService();
const system = useSystem({
  PUBLIC_URL,
  VAPID_PRIVATE_KEY: Buffer.alloc(32, 5).toString('base64'),
  WEB_PUSH_ALLOWED_RANGES: '127.0.0.1',
});
afterAll(() => service.stop());

interface Browser {
  readonly id: string;
  readonly to: string;
}

let scenario: Scenario;
let ada: string;

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  ada = `/v2/users/${scenario.address('ada')}`;
});

/** A browser that has subscribed with the key of the installation. */
async function subscribed(): Promise<BrowserSubscription> {
  const { publicKey = '' } = await system.api.read<{ publicKey?: string }>('/v2/web-push');
  return service.subscribe(publicKey);
}

const register = (subscription: BrowserSubscription, replaces?: string): Promise<Browser> =>
  system.api.create<Browser>(`${ada}/browsers`, { name: 'Phone', subscription, ...(replaces && { replaces }) });

/** Has new alerts pushed to the browser, and sent in no other way. */
async function pushTo({ to }: Browser): Promise<void> {
  await scenario.changeRule('ada', 'create-alert', { steps: [stepTo(to, 0, 'mobile')] });
  await system.settle();
}

const alertAda = (of: string) =>
  scenario.alert({
    message: `Disk of ${of}`,
    alias: scenario.name(of),
    priority: 'P1',
    responders: [scenario.user('ada')],
  });

const contactOf = ({ id }: Browser) =>
  system.api.read<{ status: object; device: { verified: boolean } }>(`${ada}/contacts/${id}`);

it('a page is decrypted by the browser alone, and its link acknowledges the alert', async () => {
  const subscription = await subscribed();
  const browser = await register(subscription);
  await pushTo(browser);
  await alertAda('db');
  await system.settle();
  const { payload, ...message } = await service.received(({ endpoint }) => endpoint === subscription.endpoint);
  expect(message).toMatchObject({ urgency: 'high', ttl: 3_600, subject: PUBLIC_URL });
  const alert = await system.api.read<{ id: string }>(byAlias(scenario.name('db')));
  expect(payload).toMatchObject({ title: expect.stringContaining('Disk of db'), alertId: alert.id });
  expect((await contactOf(browser)).device.verified).toBe(true);
  const link = String(payload['acknowledgeUrl']);
  expect(link.startsWith(`${PUBLIC_URL}/acknowledge/`)).toBe(true);
  const url = system.api.url + link.slice(PUBLIC_URL.length);
  expect((await fetch(url)).status).toBe(200);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await fetch(url, { method: 'POST', headers })).status).toBe(202);
  await system.settle();
  expect(await system.api.read(byAlias(scenario.name('db')))).toMatchObject({ acknowledged: true });
  expect(service.unexpected()).toEqual([]);
});

it('a browser that has unsubscribed is not used any more, and its user gets one mail, until it subscribes again', async () => {
  const first = await subscribed();
  const browser = await register(first);
  await pushTo(browser);
  service.unsubscribe(first);
  await alertAda('web');
  await alertAda('cache');
  await system.settle();
  expect((await contactOf(browser)).status).toEqual({
    enabled: true,
    disabledReason: 'The browser is no longer subscribed to push messages.',
  });
  const mail = await system.mailbox.received(scenario.address('ada'), 'A browser of yours shows no more pages');
  expect(mail.text).toContain('Phone');
  expect(await scenario.logOf(scenario.name('web'))).toContain('it answered 410: the browser is no longer subscribed');
  await alertAda('queue');
  await system.settle();
  expect(await scenario.logOf(scenario.name('queue'))).toContain('the browser is no longer subscribed');
  const second = await subscribed();
  expect((await register(second, browser.id)).id).toBe(browser.id);
  await system.settle();
  await alertAda('mail');
  await system.settle();
  const { payload } = await service.received(({ endpoint }) => endpoint === second.endpoint);
  expect(payload).toMatchObject({ title: expect.stringContaining('Disk of mail') });
  expect(service.unexpected()).toEqual([]);
});

it('a page that its push service does not take for now is tried again, once it takes it', async () => {
  const subscription = await subscribed();
  await pushTo(await register(subscription));
  service.next({ refuse: 429, headers: { 'retry-after': '1' } }, { refuse: 503 });
  await alertAda('slow');
  await system.pass(1);
  const { payload } = await service.received(({ endpoint }) => endpoint === subscription.endpoint);
  expect(payload).toMatchObject({ title: expect.stringContaining('Disk of slow') });
  expect(service.unexpected()).toEqual([]);
});
